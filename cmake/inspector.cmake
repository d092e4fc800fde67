# The inspector page, built with Node.js and embedded as it is served: compressed. Trees share what Vite makes (build/inspector); each
# compiles a copy of its own, so that building two at once does no harm.
if(NOT INSPECTOR)
  set(SA_INSPECTOR ${CMAKE_CURRENT_LIST_DIR}/no_inspector.cc)
  return()
endif()

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/require-node RESULT_VARIABLE no_node)
if(no_node)
  message(FATAL_ERROR "The inspector page is built with Node.js. To build without both: make build INSPECTOR=OFF, or cmake -DINSPECTOR=OFF.")
endif()

file(GLOB_RECURSE SA_INSPECTOR_INPUTS CONFIGURE_DEPENDS inspector/* sdk/*/src/*)
list(FILTER SA_INSPECTOR_INPUTS EXCLUDE REGEX "\\.test\\.ts$|/node_modules/")
set(SA_INSPECTOR_FOLDER ${CMAKE_BINARY_DIR}/generated/inspector)
set(SA_INSPECTOR ${SA_INSPECTOR_FOLDER}/ui_files.cc)
add_custom_command(
  OUTPUT ${SA_INSPECTOR} ${SA_INSPECTOR_FOLDER}/ui_files.bin
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-inspector ${SA_INSPECTOR_FOLDER}
  DEPENDS ${SA_INSPECTOR_INPUTS} package-lock.json scripts/build-inspector scripts/build-inspector.mjs
  COMMENT "Building the inspector page"
  VERBATIM)
set_source_files_properties(${SA_INSPECTOR} PROPERTIES
  OBJECT_DEPENDS ${SA_INSPECTOR_FOLDER}/ui_files.bin
  COMPILE_OPTIONS -I${SA_INSPECTOR_FOLDER}
  SKIP_PRECOMPILE_HEADERS ON)

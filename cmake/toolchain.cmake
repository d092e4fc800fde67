# Flags for our own code. Dependencies are included as system headers, so warnings concern only what we wrote.
add_library(sa_options INTERFACE)
target_compile_options(sa_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror -fno-omit-frame-pointer
  -Wno-missing-designated-field-initializers)  # naming some fields means: the others have their defaults
if(SA_UNITY)  # what is local to one file is no shadow over the next
  target_compile_options(sa_options INTERFACE -Wno-shadow)
endif()
target_link_options(sa_options INTERFACE -fuse-ld=lld-19)

if(SA_SANITIZE)
  add_compile_options(-fsanitize=${SA_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SA_SANITIZE})
else()
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
endif()

# What is released names no folder of the machine it was built on, so that it is the same wherever it is built, also when the compiler
# cache has made paths relative to the tree. The last map that fits counts.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  function(sa_tell_instead folder as)
    file(RELATIVE_PATH relative ${CMAKE_BINARY_DIR} ${folder})
    string(REGEX REPLACE "/$" "" relative ${relative})
    add_compile_options(-ffile-prefix-map=${folder}/=${as} -ffile-prefix-map=${relative}/=${as})
  endfunction()
  sa_tell_instead(${PROJECT_SOURCE_DIR} "")
  if(CMAKE_SYSROOT)
    sa_tell_instead(${CMAKE_SYSROOT} /)
  endif()
endif()

# Precompiled headers are the same wherever and whenever they are made, so that the compiler cache recognises them.
add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
find_program(SA_CCACHE ccache)
if(SA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SA_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${SA_CCACHE})
endif()

# Everything comes from Debian's packages; static archives where we link (scripts/setup installs them).
find_package(Threads REQUIRED)
find_library(SA_BOOST_JSON NAMES libboost_json.a REQUIRED)
find_path(SA_FMT_INCLUDE fmt/format.h REQUIRED)  # header-only: Debian has no static archive of it

add_library(sa_dependencies INTERFACE)
target_compile_definitions(sa_dependencies INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_DATE_TIME FMT_HEADER_ONLY)
target_link_libraries(sa_dependencies INTERFACE ${SA_BOOST_JSON} Threads::Threads)

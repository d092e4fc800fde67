# Everything comes from Debian's packages; static archives where we link (scripts/setup installs them).
find_package(Threads REQUIRED)
find_library(SA_BOOST_JSON NAMES libboost_json.a REQUIRED)
find_path(SA_FMT_INCLUDE fmt/format.h REQUIRED)  # compiled once in src/base/fmt_impl.cc

add_library(sa_dependencies INTERFACE)
target_link_libraries(sa_dependencies INTERFACE ${SA_BOOST_JSON} Threads::Threads)

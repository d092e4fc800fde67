# Everything comes from Debian's packages; static archives where we link (scripts/setup installs them).
find_package(Threads REQUIRED)
find_library(SA_BOOST_JSON NAMES libboost_json.a REQUIRED)
find_path(SA_FMT_INCLUDE fmt/format.h REQUIRED)  # compiled once in src/base/fmt_impl.cc
# Of libarchive only tar is referenced, so what its other formats would need is not linked; what compresses
# an archive we undo ourselves, and zip files we read ourselves.
find_library(SA_ARCHIVE NAMES libarchive.a REQUIRED)
find_library(SA_ZSTD NAMES libzstd.a REQUIRED)
find_library(SA_ZLIB NAMES libz.a REQUIRED)
find_library(SA_BZIP2 NAMES libbz2.a REQUIRED)
find_library(SA_SSL NAMES libssl.a REQUIRED)
find_library(SA_CRYPTO NAMES libcrypto.a REQUIRED)
find_path(SA_ARCHIVE_INCLUDE archive_entry.h REQUIRED)

add_library(sa_dependencies INTERFACE)
target_link_libraries(sa_dependencies INTERFACE ${SA_BOOST_JSON} ${SA_ARCHIVE} ${SA_ZSTD} ${SA_ZLIB} ${SA_BZIP2} ${SA_SSL} ${SA_CRYPTO} Threads::Threads)

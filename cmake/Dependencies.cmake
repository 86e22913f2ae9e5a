# Every library the project links, in one place. docs/decisions/ says why each was chosen.
find_package(Boost 1.81 REQUIRED COMPONENTS json url)  # Boost::headers brings Graph, Asio and Beast
find_package(OpenSSL 3 REQUIRED)
foreach(package IN ITEMS CapnProto pugixml fmt spdlog CLI11 tl-expected)
  find_package(${package} CONFIG REQUIRED)
endforeach()
foreach(package IN ITEMS Threads ZLIB EXPAT PkgConfig)
  find_package(${package} REQUIRED)
endforeach()
foreach(package IN ITEMS libsodium libxxhash minizip)  # these ship no CMake package
  pkg_check_modules(${package} REQUIRED IMPORTED_TARGET ${package})
endforeach()
if(NETML_BUILD_TESTS)
  find_package(GTest CONFIG REQUIRED)
  find_package(rapidcheck CONFIG REQUIRED)
endif()
if(NETML_BUILD_BENCH)
  find_package(benchmark CONFIG REQUIRED)
endif()

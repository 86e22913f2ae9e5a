# Linker, compiler cache and the flags that hold for every target.
find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

# For packages: the same sources give the same bytes, whoever builds them, where and when. Paths are
# named from the root of the tree. A compiler cache names them otherwise, so there is none then.
option(NETML_REPRODUCIBLE "The same bytes in whatever folder it is built" OFF)
if(NETML_REPRODUCIBLE)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.
                      -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT NETML_REPRODUCIBLE)
  # These settings make it hit with precompiled headers and in other folders.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

add_library(netml_warnings INTERFACE)
target_compile_options(netml_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(NETML_WERROR)
  target_compile_options(netml_warnings INTERFACE -Werror)
endif()

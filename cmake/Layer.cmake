# Headers of the standard library that most sources include. Only names from outside the project:
# a change of ours must not make everything be parsed again.
set(NETML_COMMON_HEADERS <algorithm> <array> <chrono> <functional> <memory> <mutex> <optional>
    <span> <string> <string_view> <thread> <tuple> <utility> <variant> <vector>
    <tl/expected.hpp> <fmt/format.h>)

# netml_layer(NAME SOURCES ... LINK ... PRIVATE ... PCH ... ALONE ...): one static library for each
# folder.
# LINK names what its public headers need (a lower layer, a vocabulary library);
# PRIVATE what only its sources see, so that a heavy library cannot leak upwards;
# PCH what most of its sources include beside NETML_COMMON_HEADERS, parsed once;
# ALONE the sources that cannot be compiled together with others, each with its reason beside it.
function(netml_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;LINK;PRIVATE;PCH;ALONE" ${ARGN})
  add_library(netml_${name} STATIC ${LAYER_SOURCES} ${LAYER_ALONE})
  add_library(netml::${name} ALIAS netml_${name})
  target_include_directories(netml_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(netml_${name} PUBLIC ${LAYER_LINK} PRIVATE ${LAYER_PRIVATE} netml_warnings)
  netml_compile_together(netml_${name} "${LAYER_PCH}" "${LAYER_ALONE}")
endfunction()

# netml_compile_together(TARGET PCH ALONE): what makes a build short, which is one of two. A build
# from nothing compiles several sources as one (NETML_UNITY), a build after each change parses the
# common headers once.
function(netml_compile_together target pch alone)
  if(NETML_UNITY)
    netml_join_sources(${target} 16)
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  else()
    target_precompile_headers(${target} PRIVATE ${NETML_COMMON_HEADERS} ${pch})
  endif()
endfunction()

# netml_join_sources(TARGET COUNT): COUNT of its sources are compiled as one.
function(netml_join_sources target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  # A type of one source seems to be seen by others when it is included by the joined one.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

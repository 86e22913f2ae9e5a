# netml_layer(NAME SOURCES ... LINK ... PRIVATE ... PCH ...): one static library for each folder.
# LINK names what its public headers need (a lower layer, a vocabulary library);
# PRIVATE what only its sources see, so that a heavy library cannot leak upwards.
function(netml_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;LINK;PRIVATE;PCH" ${ARGN})
  add_library(netml_${name} STATIC ${LAYER_SOURCES})
  add_library(netml::${name} ALIAS netml_${name})
  target_include_directories(netml_${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(netml_${name} PUBLIC ${LAYER_LINK} PRIVATE ${LAYER_PRIVATE} netml_warnings)
  if(LAYER_PCH)
    target_precompile_headers(netml_${name} PRIVATE ${LAYER_PCH})
  endif()
endfunction()

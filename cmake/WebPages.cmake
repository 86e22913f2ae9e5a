# netml_web_pages(OUT): the command that makes OUT, the source that holds the built pages. They come
# from NETML_WEB_DIST, or are built from admin/web when that is there.
set(NETML_WEB_DIST "" CACHE PATH
    "A folder of built pages to embed; empty: build them from admin/web")

function(netml_web_pages out)
  set(web ${CMAKE_SOURCE_DIR}/admin/web)
  set(dist ${NETML_WEB_DIST})
  set(inputs "")
  if(dist)
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${dist}/*)
  elseif(EXISTS ${web}/package-lock.json)
    file(GLOB parts CONFIGURE_DEPENDS ${web}/*)
    foreach(part IN LISTS parts)
      if(NOT IS_DIRECTORY ${part})
        list(APPEND inputs ${part})
      elseif(NOT part MATCHES "/(node_modules|dist|generated)$")
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${part}/*)
        list(APPEND inputs ${sources})
      endif()
    endforeach()
    set(dist ${CMAKE_BINARY_DIR}/web/dist)
    set(stamp ${CMAKE_BINARY_DIR}/web/built)
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${CMAKE_SOURCE_DIR}/cmake/build_web.sh ${web} ${dist}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${inputs} ${CMAKE_SOURCE_DIR}/cmake/build_web.sh
      COMMENT "Building the pages")
    set(inputs ${stamp})
  endif()
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DDIST=${dist} -DOUT=${out} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedWeb.cmake
    DEPENDS ${inputs} ${CMAKE_SOURCE_DIR}/cmake/EmbedWeb.cmake
    COMMENT "Embedding the pages")
  # It is bytes for the assembler, whose names the optimiser of a link as one unit does not see.
  set_source_files_properties(${out} PROPERTIES COMPILE_OPTIONS -fno-lto
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

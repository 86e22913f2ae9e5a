# cmake -DDIST=folder -DOUT=web_files.cpp -P EmbedWeb.cmake: a source that holds the built pages,
# plain and compressed. An empty DIST gives a program without pages.
set(types_html "text/html; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_json "application/json")
set(types_svg "image/svg+xml")
set(types_png "image/png")
set(types_ico "image/x-icon")
set(types_woff2 "font/woff2")
set(types_txt "text/plain; charset=utf-8")

set(files "")
if(DIST)
  file(GLOB_RECURSE files RELATIVE ${DIST} ${DIST}/*)
  list(FILTER files EXCLUDE REGEX "\\.map$")
  list(SORT files)
endif()

get_filename_component(folder ${OUT} DIRECTORY)
set(packed_folder ${folder}/web_packed)
file(REMOVE_RECURSE ${packed_folder})
file(MAKE_DIRECTORY ${packed_folder})

set(bytes "")
set(rows "")
set(number 0)
foreach(name IN LISTS files)
  set(plain ${DIST}/${name})
  set(compressed ${packed_folder}/${number}.gz)
  execute_process(COMMAND gzip -9nc ${plain} OUTPUT_FILE ${compressed} COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${plain} plain_size)
  file(SIZE ${compressed} packed_size)
  file(SHA256 ${plain} hash)
  string(SUBSTRING ${hash} 0 32 hash)
  string(REGEX REPLACE "^.*\\." "" ending ${name})
  if(NOT DEFINED types_${ending})
    message(FATAL_ERROR "${plain}: of which media type is .${ending}? Add it to EmbedWeb.cmake")
  endif()
  string(APPEND bytes "NETML_EMBED(p${number}, \"${plain}\")\n")
  set(packed_view "{}")
  if(packed_size LESS plain_size)
    string(APPEND bytes "NETML_EMBED(g${number}, \"${compressed}\")\n")
    set(packed_view "{g${number}, ${packed_size}}")
  endif()
  string(APPEND rows "    WebFile{\"${name}\", \"${types_${ending}}\", "
         "{p${number}, ${plain_size}}, "
         "${packed_view}, \"${hash}\"},\n")
  math(EXPR number "${number} + 1")
endforeach()

set(text "// Made by cmake/EmbedWeb.cmake.
#include <array>

#include \"admin/api/site/web_files.hpp\"

#define NETML_EMBED(name, file)                                                  \\
  extern \"C\" const char name[] __attribute__((visibility(\"hidden\")));          \\
  asm(\".section .rodata\\n.balign 16\\n\" #name \":\\n.incbin \\\"\" file \"\\\"\\n.previous\");

${bytes}
namespace netml::admin::web {

std::span<const WebFile> web_files() {
")
if(number EQUAL 0)
  string(APPEND text "  return {};\n")
else()
  string(APPEND text "  static constexpr std::array kFiles{\n${rows}  };\n  return kFiles;\n")
endif()
string(APPEND text "}\n\n}  // namespace netml::admin::web\n")
file(WRITE ${OUT} "${text}")

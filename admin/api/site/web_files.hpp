// The pages built from admin/web, as they were when the program was built (cmake/EmbedWeb.cmake).
#pragma once

#include <span>
#include <string_view>

namespace netml::admin::web {

struct WebFile {
  std::string_view path;  // "index.html", "staticfiles/assets/map-3f8a.js"
  std::string_view type;
  std::string_view plain;
  std::string_view compressed;  // gzip; empty when that is not smaller
  std::string_view etag;        // without quotes
};

// Ascending by path; none when the program was built without them.
std::span<const WebFile> web_files();
// The one at a path; null where there is none.
const WebFile* find_web_file(std::string_view path);
// Outlines of countries, as read_country_outlines() reads them; empty without pages.
std::string_view country_outlines();

}  // namespace netml::admin::web

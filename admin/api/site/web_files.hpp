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

}  // namespace netml::admin::web

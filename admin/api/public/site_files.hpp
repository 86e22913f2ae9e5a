// Files of admin/api/public/ as they were when the program was built.
#pragma once

#include <string_view>

namespace netml::admin {

extern const std::string_view kOpenApiJson;
extern const std::string_view kOpenApiYaml;  // the same, of CMake's making
extern const std::string_view kApiHtml;
extern const std::string_view kApiCss;
extern const std::string_view kApiJs;

}  // namespace netml::admin

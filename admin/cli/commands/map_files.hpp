// Files that hold a map, as commands read them without a node. Thread: one at a time.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/progress.hpp"
#include "codecs/formats/file_format.hpp"

namespace netml::admin::cli {

// As it is named, with `option`, or by the file's content and name. Errc::invalid_input.
Result<const codecs::FileFormat*> format_of_file(const InputFile& file, const std::string& named,
                                                 std::string_view option);

struct MapReadOptions {
  std::string topology_name = {};  // empty: that of the file; where it has none, the file's own
  std::string owner = {};
  codecs::HeadingMap headings = {};  // of tables
  std::string mapping = {};          // that the format knows
  const codecs::FileLimits& limits;
};
// What is said of headings of tables, each HEADING=FIELD.
void add_map_option(CLI::App& app, std::vector<std::string>& map);
// The same in one text, as requests have it; nothing where nothing is said.
std::optional<std::string> map_text(const std::vector<std::string>& map);

// The document, or all that is wrong with the file. An error where it cannot be read at all.
Result<codecs::ReadResult> read_map(const InputFile& file, const codecs::FileFormat& format,
                                    const MapReadOptions& options, Progress& progress);

}  // namespace netml::admin::cli

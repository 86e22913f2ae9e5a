// Files that hold a map, as commands read them without a node. Thread: one at a time.
#pragma once

#include <string>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/progress.hpp"
#include "codecs/formats/file_format.hpp"

namespace netml::admin::cli {

// As it is named, or by the file's content and name. Errc::invalid_input.
Result<const codecs::FileFormat*> format_of_file(const InputFile& file, const std::string& named);

struct MapReadOptions {
  std::string topology_name = {};  // empty: that of the file; where it has none, the file's own
  std::string owner = {};
  const codecs::FileLimits& limits;
};
// The document, or all that is wrong with the file. An error where it cannot be read at all.
Result<codecs::ReadResult> read_map(const InputFile& file, const codecs::FileFormat& format,
                                    const MapReadOptions& options, Progress& progress);

}  // namespace netml::admin::cli

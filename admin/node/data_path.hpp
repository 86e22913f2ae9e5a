// Finding, or making, the data directory that the command line names.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/base/random.hpp"
#include "wal/format/journal.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

enum class IfMissing : std::uint8_t { make, refuse };

// The directory, not yet locked. A new one is made in its parent, complete or not at all.
// Errc::invalid_input when it is something else's. Messages say what to do.
Result<std::unique_ptr<wal::PosixStorage>> open_data_path(const std::string& path,
                                                          IfMissing if_missing, Random& random);

// A new directory at `path`, as `fill` makes it: complete under its name or not there at all.
// Errc::conflict when something has the name.
Result<wal::Head> make_data_path(const std::string& path,
                                 const std::function<Result<wal::Head>(wal::Storage&)>& fill);

// A directory for old segments, made if it is not there; not in the data directory.
Status make_archive(const std::string& path, const std::string& data_directory);

}  // namespace netml::admin

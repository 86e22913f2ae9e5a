// Finding, or making, the data directory that the command line names.
#pragma once

#include <memory>
#include <string>

#include "engine/random.hpp"
#include "wal/posix_storage.hpp"

namespace netml::admin {

enum class IfMissing : std::uint8_t { make, refuse };

// The directory, not yet locked. A new one is made in its parent, complete or not at all.
// Errc::invalid_input when it is something else's. Messages say what to do.
Result<std::unique_ptr<wal::PosixStorage>> open_data_path(const std::string& path,
                                                          IfMissing if_missing, Random& random);

}  // namespace netml::admin

// Loads the module of an engine.
#pragma once

#include <string>

#include "wal/shared/shared_engine.hpp"

namespace netml::wal {

// The module stays loaded until the process ends: what it made runs its code.
// Errc::not_found when the file cannot be loaded (the message says what is missing),
// Errc::invalid_input when it is no such module, Errc::conflict when it is of another version.
// Thread: any.
Result<SharedEngine> load_engine(const std::string& path, const std::string& version,
                                 const SharedEngineSettings& settings);

}  // namespace netml::wal

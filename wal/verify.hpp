// Proves that a data directory is whole without changing it (L4 of the durability rules): every
// checksum, the whole chain, every checkpoint, and that replaying the journal from its beginning
// leads to the states that checkpoints and COMMIT frames name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/parallel.hpp"
#include "wal/data_directory.hpp"
#include "wal/journal.hpp"

namespace netml::wal {

struct VerifyReport {
  Head head;
  std::uint64_t segments = 0;
  std::uint64_t transactions = 0;
  std::uint64_t aborted = 0;
  std::uint64_t journal_bytes = 0;
  std::uint64_t checkpoints = 0;
  std::vector<std::string> findings;  // what is wrong; empty = all is well
};

// `known`: a head noted outside of this machine. A journal that does not pass through it was
// changed, however well it fits together.
Result<VerifyReport> verify(Storage& data, Parallel& parallel,
                            const std::optional<Head>& known = std::nullopt);

}  // namespace netml::wal

// A map that was imported from what changed in it is kept so, too: as what changed since files that
// are kept already (ImportRecord::changes_of). Here it is made whole again.
//
// Thread: any.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/node/node.hpp"
#include "codecs/netml/delta/taken_export.hpp"

namespace netml::admin {

struct KeptMap {
  Sha256 hash{};
  std::vector<std::string> changes_of;  // empty: the file is whole
};

// Gives `take` the whole file that it stands for; or, with a delta, that which this leads to. What
// is known of it. Errors as those of read_kept_file(), and Errc::conflict where the pieces do not
// fit.
Result<codecs::TakenExport> replay_kept_map(Node& node, const KeptMap& map, std::string_view delta,
                                            const std::function<Status(std::string_view)>& take);

// To make one whole takes so many times its bytes: what is read, and what is known of it.
inline constexpr std::uint64_t kMemoryOfKeptMap = 2;

// How many bytes are kept of it.
Result<std::uint64_t> kept_bytes(Node& node, const KeptMap& map);

}  // namespace netml::admin

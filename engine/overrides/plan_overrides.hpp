// Overrides as parts of edits: an editor's correction that is kept, decided, or ended
// (docs/overrides.md).
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/overrides/field_text.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

struct NumberedOverride {
  std::uint64_t number = 0;
  std::shared_ptr<const Override> entry;
};

// Those about one element, ascending.
std::vector<NumberedOverride> overrides_of(const Catalog& catalog, Kind kind, std::string_view id);

// Why values are kept, and how long.
struct OverrideTerms {
  std::string reason = {};
  std::string author = {};
  Instant made = {};
  Instant until = {};  // 1970: no end
};

// The edit, which was planned on `state`, and what becomes of overrides with it. One about a value
// that the edit changes has the new value from now on; it ends where that is what the source has.
// With `keep`, values become overrides that had none: each field that the edit changes, each
// element that it adds or deletes. What only goes with something that is deleted becomes none. An
// edit that changes overrides itself stays as it is.
void followed_by_overrides(Transaction& edit, const State& state,
                           const std::optional<OverrideTerms>& keep);

// The value stays, and what the source has now is what it is known to have. Errc::not_found;
// Errc::conflict where there is nothing to decide.
Result<Transaction> plan_override_keep(const State& state, std::uint64_t number);

// The overrides end, and their elements have what the source had last. Where that is to belong to
// topologies, or to none, the next import of the source makes it so. `numbers`: each once.
// Errc::not_found.
Result<Transaction> plan_overrides_end(const State& state, std::span<const std::uint64_t> numbers);

}  // namespace netml::engine

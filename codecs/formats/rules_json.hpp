// Rulesets as JSON (docs/requirements/collation-rules.md, section 7): an array of rulesets, each
// with its rules, in the form that every node of the network exchanges.
//
// Thread: any (pure functions).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "engine/graph/document.hpp"
#include "engine/rules/plan_rules.hpp"

namespace netml::codecs {

struct RulesFile {
  std::vector<engine::RulesetDraft> rulesets;
  // Those that lack a required key or hold a value of the wrong type; the others stand.
  std::vector<engine::RefusedRuleset> invalid;
};

// Why there are no rulesets. `errors` is empty when the text is not to blame.
struct RulesRefused : Error {
  engine::InputErrors errors;

  RulesRefused(Error error, engine::InputErrors wrong = {})  // NOLINT: for NETML_TRY
      : Error(std::move(error)), errors(std::move(wrong)) {}
};

// Errc::invalid_input for what is no JSON, with line and column; for what is no array, or has an
// item that is no object. A byte-order mark and keys that are not known are passed over; numbers
// and truth values may be given as text.
tl::expected<RulesFile, RulesRefused> read_rules(std::string_view text);

// Indented by four, keys in the usual order, a line break at the end.
std::string write_rules(std::span<const engine::RulesetDraft> rulesets);

}  // namespace netml::codecs

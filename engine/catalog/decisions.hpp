// What administrators have decided once and the node holds to: values that count whatever a source
// delivers (docs/overrides.md), how many independent routes elements need (docs/redundancy.md), and
// who sees what of the map (docs/views.md).
//
// Thread: any (immutable once they are stored).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/entry_fields.hpp"

namespace netml::engine {

template <>
inline constexpr auto kNamesOf<Kind> =
    enum_names("kind of record", {"topology", "institution", "node", "link"});

// One value of one element that is set again after each import of it. Elements are found by their
// identifier, since an import may delete one and bring it again.
struct Override {
  Kind kind = Kind::node;
  std::string element;     // its identifier
  std::string field_name;  // as engine/overrides/field_text.hpp names it
  std::string value;       // as it writes it
  std::string delivered;   // what the source had when the override was made, or was decided anew
  std::string contested;   // what it has since, where that is neither of the two
  bool to_decide = false;  // whether it is so
  std::string reason;
  std::string author;  // the name of an account
  Instant made;
  Instant until;  // it does not count from then on; 1970 = it has no end
  bool operator==(const Override&) const = default;

  static constexpr EntryKind kKind{
      .name = "override", .table = "overrides", .role = 24, .undone = true};
  static consteval auto fields() {
    return std::tuple{field("kind", &Override::kind),
                      field("element", &Override::element, {.index = Index::exact, .title = true}),
                      field("field_name", &Override::field_name),
                      field("value", &Override::value),
                      field("delivered", &Override::delivered),
                      field("contested", &Override::contested),
                      field("to_decide", &Override::to_decide, {.index = Index::exact}),
                      field("reason", &Override::reason, {.characters_max = 1000}),
                      field("author", &Override::author),
                      field("made", &Override::made),
                      field("until", &Override::until, {.zero_is_none = true})};
  }
};

// A redundancy policy that imports are checked by. An import after which more elements are below it
// is reported, or held as one that deletes too much.
enum class PolicyAction : std::uint8_t { report = 0, hold = 1 };
template <>
inline constexpr auto kNamesOf<PolicyAction> = enum_names("action", {"report", "hold"});
struct StoredPolicy {
  std::string name;    // unique
  std::string policy;  // its JSON (codecs/formats/redundancy_json.hpp)
  PolicyAction on_import = PolicyAction::report;
  bool enabled = true;
  bool operator==(const StoredPolicy&) const = default;

  static constexpr EntryKind kKind{
      .name = "redundancy policy", .table = "policies", .role = 25, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &StoredPolicy::name,
              {.characters_max = 128, .index = Index::exact, .unique = true, .title = true}),
        field("policy", &StoredPolicy::policy, {.characters_max = 100'000}),
        field("on_import", &StoredPolicy::on_import), field("enabled", &StoredPolicy::enabled)};
  }
};

// What a recipient sees of the map. Tokens name it by its number, the setting of the public map by
// its name.
struct StoredView {
  std::string name;  // unique
  std::string view;  // its JSON (codecs/formats/view_json.hpp)
  bool operator==(const StoredView&) const = default;

  static constexpr EntryKind kKind{.name = "view", .table = "views", .role = 26, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &StoredView::name,
              {.characters_max = 128, .index = Index::exact, .unique = true, .title = true}),
        field("view", &StoredView::view, {.characters_max = 100'000})};
  }
};

}  // namespace netml::engine

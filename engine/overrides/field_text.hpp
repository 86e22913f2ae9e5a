// Values of records as texts that can be set again: what an override holds (docs/overrides.md). An
// empty text is no value. Of a list each line is one, in which "\n" is written as \n, "\" as \\; an
// empty one is \e.
//
//   name, short_name, unlocode, address   as they are; so the texts that came later
//   start, end                            "2024-03-01T12:00:00+00:00"
//   coordinates                           "59.913, 10.752"
//   altitude                              "12.5"
//   owners                                identifiers, ascending
//   property:NAME                         the values of that name, in their order
//   topologies                            identifiers of those it belongs to; none: it is deleted
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// One value that an override can be about.
struct OverriddenField {
  Field field = Field::name;
  std::string property = {};  // of Field::properties: its name, in lower case
  auto operator<=>(const OverriddenField&) const = default;

  bool is_membership() const { return field == Field::topologies; }
  bool is_list() const {
    return is_membership() || field == Field::owners || field == Field::properties;
  }
  std::string name() const;  // "owners", "property:capacity"
};

// Nothing where records of that kind have no such field, or no override may be about it: the
// identifier, the version, what a link joins, and properties of the node's own.
std::optional<OverriddenField> overridden_field(Kind kind, std::string_view name);

// All of a kind, but the properties.
std::vector<OverriddenField> overridden_fields(Kind kind);

std::vector<std::string> lines_of(std::string_view text);
std::string joined_lines(const std::vector<std::string>& lines);

// `associated` finds the records that the record's associations lead to.
std::string field_text(const Workspace& associated, const Record& record,
                       const OverriddenField& field);

// The record with that value, as written by field_text(); of all fields but the membership.
// Errc::invalid_input where the text is no such value, Errc::not_found where an owner is missing.
Result<Record> with_field_text(Workspace& workspace, const Record& record,
                               const OverriddenField& field, std::string_view text);

}  // namespace netml::engine

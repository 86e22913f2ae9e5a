// A view: what a recipient sees of a map, as an ordered list of steps (docs/views.md). Each step
// works on what the ones before it have left.
//
// Thread: any (values).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::engine {

inline constexpr std::size_t kViewStepsMax = 100;
inline constexpr std::size_t kViewTextsMax = 10'000;  // of each list of identifiers or names
inline constexpr std::int64_t kGridMicroMax = 90'000'000;

// Records that have all that is named; of a list, any one of it.
struct ViewSelection {
  KindSet kinds = kAllKinds;
  std::vector<std::string> owners = {};      // identifiers; an institution counts as its own
  std::vector<std::string> topologies = {};  // identifiers; with all below them
  std::vector<std::string> ids = {};
  std::string tag = {};
  struct NamedValue {
    std::string name = {};
    std::optional<std::string> value = {};  // none: any
    bool operator==(const NamedValue&) const = default;
  };
  std::optional<NamedValue> property = {};
  bool operator==(const ViewSelection&) const = default;
};

// What one of the selections has, and what that refers to: ends of links, owners, topologies.
struct KeepStep {
  std::vector<ViewSelection> any_of = {};
  bool operator==(const KeepStep&) const = default;
};
// What one of the selections has, and what refers to that: links of a node, the members that
// belong to no other topology.
struct DropStep {
  std::vector<ViewSelection> any_of = {};
  bool operator==(const DropStep&) const = default;
};
// Places become the nearest point of a grid; what says a place more exactly goes: altitude,
// UN/LOCODE and address.
struct RoundStep {
  Micro grid = {};
  KindSet kinds = kPlaces;
  bool operator==(const RoundStep&) const = default;
};
// A name ends with '*' where it stands for all that begin so.
struct PropertiesStep {
  bool keep = false;  // those; else these are dropped
  std::vector<std::string> names = {};
  KindSet kinds = kAllKinds;
  bool operator==(const PropertiesStep&) const = default;
};
struct RenamePropertyStep {
  std::string from = {};
  std::string to = {};
  KindSet kinds = kAllKinds;
  bool operator==(const RenamePropertyStep&) const = default;
};
// All but main, id, name and properties.
struct DropFieldsStep {
  std::vector<Field> fields = {};
  KindSet kinds = kAllKinds;
  bool operator==(const DropFieldsStep&) const = default;
};
// All nodes of a place, or of an owner, become one; links within it go, as does a node without.
enum class CollapseTo : std::uint8_t { site, owner };
struct CollapseStep {
  CollapseTo to = CollapseTo::site;
  bool operator==(const CollapseStep&) const = default;
};
// Identifiers and names become keyed hashes. Views that name the same key give one element the same
// pseudonym; nobody else can join what they show.
struct PseudonymStep {
  std::vector<Field> fields = {};  // id, name, short_name
  KindSet kinds = kAllKinds;
  std::string key = {};  // its name
  bool operator==(const PseudonymStep&) const = default;
};

using ViewStep = std::variant<KeepStep, DropStep, RoundStep, PropertiesStep, RenamePropertyStep,
                              DropFieldsStep, CollapseStep, PseudonymStep>;

struct View {
  std::vector<ViewStep> steps = {};
  bool operator==(const View&) const = default;
};

// Whether a field may be dropped.
bool may_be_dropped(Field field);

// What is wrong with it, with the field as its JSON names it ("steps.2.round.degrees").
std::optional<Error> problem_of(const View& view);

}  // namespace netml::engine

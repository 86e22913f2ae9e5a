#include "engine/views/detail/disguise.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/memory_room.hpp"
#include "engine/graph/document.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/views/detail/halves.hpp"
#include "engine/views/detail/pseudonyms.hpp"

namespace netml::engine::detail {

namespace {

// ---- one element while it is changed ----

class Said {
 public:
  AttributeFields fields;
  std::vector<Property> properties;
  bool changed = false;

  void begin(const Attributes& attributes) {
    fields = attributes.fields();
    properties.clear();
    attributes.for_each_property([this](const Property& one) { properties.push_back(one); });
    texts_.clear();
    changed = false;
  }
  // For fields and properties, which are views into what is kept.
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  template <class T>
  void set(T& field, T value) {
    if (field == value) return;
    field = value;
    changed = true;
  }
  template <class Is>
  void erase_properties(Is&& is) {
    changed |= std::erase_if(properties, is) > 0;
  }
  // Null: nothing is changed.
  AttributesPtr made() {
    if (!changed) return nullptr;
    fields.properties = properties;
    return Attributes::make(fields);
  }

 private:
  std::deque<std::string> texts_;
};

// The nearest point of the grid; of two as near the one to the north or east.
Micro rounded(Micro value, Micro grid, std::int64_t max) {
  const std::int64_t shifted = value.value + grid.value / 2;
  std::int64_t cell = shifted / grid.value;
  if (shifted % grid.value < 0) --cell;
  return {std::clamp(cell * grid.value, -max, max)};
}

bool is_matched(std::string_view name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    if (!pattern.ends_with('*')) return name == pattern;
    return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
  });
}

void apply(const RoundStep& step, Said& said) {
  AttributeFields& fields = said.fields;
  if (fields.coordinates) {
    constexpr std::int64_t kNorth = 90'000'000;
    constexpr std::int64_t kEast = 180'000'000;
    said.set(fields.coordinates,
             std::optional(Coordinates{rounded(fields.coordinates->latitude, step.grid, kNorth),
                                       rounded(fields.coordinates->longitude, step.grid, kEast)}));
  }
  said.set(fields.altitude, {});
  said.set(fields.unlocode, {});
  said.set(fields.address, {});
}

void apply(const PropertiesStep& step, Said& said) {
  said.erase_properties(
      [&](const Property& property) { return is_matched(property.name, step.names) != step.keep; });
}

void apply(const RenamePropertyStep& step, Said& said) {
  for (Property& property : said.properties)
    if (property.name == step.from) said.set(property.name, std::string_view(step.to));
}

void apply(const DropFieldsStep& step, Said& said) {
  for_each_attribute([&]<class T>(const Attribute<T>& attribute) {
    if (std::ranges::find(step.fields, attribute.field) == step.fields.end()) return;
    said.set(said.fields.*attribute.member, T{});
  });
}

// ---- pseudonyms ----

class PseudonymsOfKeys {
 public:
  explicit PseudonymsOfKeys(const PseudonymKeys& keys) : keys_(keys) {}

  Pseudonyms& of(const std::string& key) {
    std::unique_ptr<Pseudonyms>& made = made_[key];
    if (made == nullptr) made = std::make_unique<Pseudonyms>(keys_(key));
    return *made;
  }

 private:
  const PseudonymKeys& keys_;
  std::map<std::string, std::unique_ptr<Pseudonyms>> made_;
};

// Copies name topologies by their identifiers, so these have the pseudonyms of the topologies, in
// an order that tells nothing of those that they stand for.
std::string with_pseudonyms(std::string_view from_topology, Pseudonyms& pseudonyms) {
  std::vector<std::string> ids = split_from_topology(from_topology);
  for (std::string& id : ids) id = pseudonyms.id(Kind::topology, id);
  std::ranges::sort(ids);
  return join_from_topology(std::vector<std::string_view>(ids.begin(), ids.end()));
}

void apply(const PseudonymStep& step, Pseudonyms& pseudonyms, Said& said) {
  AttributeFields& fields = said.fields;
  const Kind kind = fields.kind;
  for (const Field field : step.fields) {
    if (field == Field::id && !fields.id.empty())
      said.set(fields.id, said.keep(pseudonyms.id(kind, fields.id)));
    if (field == Field::name && !fields.name.empty())
      said.set(fields.name, said.keep(pseudonyms.name(kind, "name", fields.name)));
    if (field == Field::short_name && !fields.short_name.empty())
      said.set(fields.short_name,
               said.keep(pseudonyms.name(kind, "short_name", fields.short_name)));
  }
}

// Their identifiers stand in elements of other kinds.
bool disguises_topologies(const PseudonymStep& step) {
  return (step.kinds & set_of(Kind::topology)) != 0 &&
         std::ranges::find(step.fields, Field::id) != step.fields.end();
}

// ---- all steps of a row ----

class Disguise {
 public:
  Disguise(std::span<const ViewStep> steps, const PseudonymKeys& keys)
      : steps_(steps), pseudonyms_(keys) {
    for (const ViewStep& step : steps)
      kinds_ |= std::visit([](const auto& one) { return kinds_of(one); }, step);
  }

  bool concerns(Kind kind) const { return (kinds_ & set_of(kind)) != 0; }

  // Null: nothing is changed.
  AttributesPtr of(const Attributes& attributes) {
    said_.begin(attributes);
    for (const ViewStep& step : steps_) std::visit([&](const auto& one) { take(one); }, step);
    return said_.made();
  }

 private:
  template <class Step>
  void take(const Step& step) {
    if constexpr (requires { apply(step, said_); })
      if ((step.kinds & set_of(said_.fields.kind)) != 0) apply(step, said_);
  }
  // The global institution is written as it is defined, whatever it is called.
  void take(const PseudonymStep& step) {
    if (said_.fields.id == kGlobalInstitutionId) return;
    Pseudonyms& pseudonyms = pseudonyms_.of(step.key);
    if (disguises_topologies(step))
      for (Property& property : said_.properties)
        if (property.name == kFromTopology)
          said_.set(property.value, said_.keep(with_pseudonyms(property.value, pseudonyms)));
    if ((step.kinds & set_of(said_.fields.kind)) != 0) apply(step, pseudonyms, said_);
  }

  template <class Step>
  static KindSet kinds_of(const Step& step) {
    if constexpr (requires { apply(step, std::declval<Said&>()); })
      return step.kinds;
    else
      return kAllKinds;  // a pseudonym of a topology stands in elements of other kinds, too
  }

  const std::span<const ViewStep> steps_;
  KindSet kinds_{};  // that any step is about
  PseudonymsOfKeys pseudonyms_;
  Said said_;  // its memory serves for all elements
};

}  // namespace

bool is_disguise(const ViewStep& step) {
  return !std::holds_alternative<KeepStep>(step) && !std::holds_alternative<DropStep>(step) &&
         !std::holds_alternative<CollapseStep>(step);
}

SeenAttributes disguises(const Graph& graph, std::span<const ViewStep> steps,
                         const PseudonymKeys& keys, Parallel& parallel) {
  constexpr std::size_t kBytesOfRecord = 160;
  SeenAttributes seen(graph.next_id().value);
  in_halves<std::unique_ptr<Disguise>>(graph, parallel,
                                       [&](std::unique_ptr<Disguise>& disguise, RecordId id) {
                                         if (disguise == nullptr) {
                                           take_room(kBytesOfRecord * graph.size() / 2);
                                           disguise = std::make_unique<Disguise>(steps, keys);
                                         }
                                         if (disguise->concerns(graph.kind(id)))
                                           seen[id.value] = disguise->of(graph.attributes(id));
                                       });
  return seen;
}

Graph disguised(const Graph& graph, SeenAttributes seen, Parallel& parallel) {
  GraphChanges changes(graph);
  changes.put_attributes(seen, parallel);
  return std::move(changes).finish(parallel);
}

namespace {

// The value of a copy's property less the topologies that are not there; empty where none is left.
std::string shown_origins(const Graph& graph, std::string_view value) {
  std::vector<std::string> ids = split_from_topology(value);
  std::erase_if(ids, [&](const std::string& topology) {
    return !graph.find_newest(Kind::topology, topology);
  });
  return join_from_topology(std::vector<std::string_view>(ids.begin(), ids.end()));
}

}  // namespace

Graph without_hidden_origins(const Graph& graph) {
  GraphChanges changes(graph);
  Said said;
  for (const RecordId id : graph.copies()) {
    said.begin(graph.attributes(id));
    for (Property& property : said.properties)
      if (property.name == kFromTopology)
        said.set(property.value, said.keep(shown_origins(graph, property.value)));
    said.erase_properties([](const Property& property) {
      return property.name == kFromTopology && property.value.empty();
    });
    if (AttributesPtr made = said.made())
      changes.put(id, {std::move(made), graph.record(id).relations});
  }
  return std::move(changes).finish();
}

}  // namespace netml::engine::detail

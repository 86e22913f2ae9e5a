// Builds small graphs manually for tests.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph_changes.hpp"
#include "engine/transaction/state.hpp"

namespace netml::engine::test {

class GraphBuilder {
 public:
  RecordId topology(std::string_view id, RecordId parent = {}, RecordId owner = {},
                    bool main = false) {
    RelationFields relations;
    if (parent) relations.topologies = std::span(&parent, 1);
    if (owner) relations.owners = std::span(&owner, 1);
    AttributeFields fields;
    fields.kind = Kind::topology;
    fields.main = main;
    return add(fields, id, relations);
  }
  RecordId institution(std::string_view id, std::vector<RecordId> topologies) {
    return element(Kind::institution, id, {.topologies = topologies});
  }
  RecordId node(std::string_view id, std::vector<RecordId> topologies,
                std::vector<RecordId> owners) {
    return element(Kind::node, id, {.topologies = topologies, .owners = owners});
  }
  RecordId link(std::string_view id, std::vector<RecordId> topologies, std::vector<RecordId> owners,
                RecordId a, RecordId b) {
    const RecordId ends[] = {a, b};
    return element(Kind::link, id, {.topologies = topologies, .owners = owners, .ends = ends});
  }

  void add_property(RecordId id, std::string_view name, std::string_view value) {
    const Record record = changes_.graph().record(id);
    std::vector<Property> properties = record.attributes->properties();
    properties.push_back({name, value});
    AttributeFields fields = record.attributes->fields();
    fields.properties = properties;
    changes_.put(id, {Attributes::make(fields), record.relations});
  }
  void set_place(RecordId id, Coordinates place) {
    const Record record = changes_.graph().record(id);
    const std::vector<Property> properties = record.attributes->properties();
    AttributeFields fields = record.attributes->fields();
    fields.properties = properties;
    fields.coordinates = place;
    changes_.put(id, {Attributes::make(fields), record.relations});
  }
  void mark_as_copy(RecordId id, std::string_view from) { add_property(id, kFromTopology, from); }

  Graph build() {
    changes_.set_next(next_, RecordNumber{next_.value});
    return std::move(changes_).finish();
  }
  State state() {
    State state;
    state.graph = build();
    return state;
  }

 private:
  RecordId element(Kind kind, std::string_view id, const RelationFields& relations) {
    AttributeFields fields;
    fields.kind = kind;
    return add(fields, id, relations);
  }
  RecordId add(AttributeFields fields, std::string_view id, const RelationFields& relations) {
    fields.id = id;
    fields.name = id;
    const RecordId record = next_;
    ++next_.value;
    changes_.put(record, {Attributes::make(fields), Relations::make(relations)});
    changes_.set_number(record, RecordNumber{record.value});
    return record;
  }

  GraphChanges changes_{Graph{}};
  RecordId next_{1};
};

}  // namespace netml::engine::test

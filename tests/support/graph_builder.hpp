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

  void mark_as_copy(RecordId id, std::string_view from) {
    const Record record = changes_.graph().record(id);
    const Property mark{kFromTopology, from};
    AttributeFields fields = record.attributes->fields();
    fields.properties = std::span(&mark, 1);
    changes_.put(id, {Attributes::make(fields), record.relations});
  }

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

// A link that exports omit (decision 45).
#pragma once

#include <gtest/gtest.h>

#include "engine/edit/plan_records.hpp"
#include "engine/export/export_order.hpp"
#include "tests/admin/support/open_node.hpp"

namespace netml::admin::testing {

// A link between two nodes of one identifier.
inline void add_omitted_link(OpenNode& node) {
  const auto add = [&](Kind kind, engine::RecordEdit edit) {
    RecordId id;
    Change change{.caller = kCaller, .rules = RulesAfter::skip};  // which would merge the nodes
    change.plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
      edit.name = "x";
      edit.topologies = std::vector{state.graph.mains().front()};
      NETML_TRY(engine::RecordCreation created, plan_record_create(state, kind, edit));
      id = created.id;
      return std::move(created.transaction);
    };
    EXPECT_TRUE(node->commit(std::move(change)).has_value());
    return id;
  };
  engine::RecordEdit twin;
  twin.id = "urn:n";
  engine::RecordEdit link;
  link.id = "urn:loop";
  link.end_a = add(Kind::node, twin);
  link.end_b = add(Kind::node, twin);
  add(Kind::link, link);
}

}  // namespace netml::admin::testing

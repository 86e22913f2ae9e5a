// A store in memory for tests of whole imports: XML text in, records and XML text out.
//
// Each import that succeeds is also checked against the laws that hold for all of them: its
// transaction replays to the same digest, and undoing it restores the content.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/netml/netml_reader.hpp"
#include "engine/import/plan_import.hpp"
#include "engine/transaction/state.hpp"

namespace netml::test {

using Texts = std::vector<std::string>;

// A record with its associations spelled out by identifier.
struct RecordView {
  RecordId record;
  RecordNumber number;
  engine::AttributesPtr attributes;
  Texts topologies;  // ascending; for a topology its parent
  Texts owners;      // ascending
  Texts ends;        // node_a, node_b
  Texts properties;  // "name=value", as stored

  std::string_view name() const { return attributes->name(); }
};
RecordView view_of(const engine::Graph& graph, RecordId id);

class ImportHarness {
 public:
  // Default: propagation on, newest kept, as after the default rules.
  explicit ImportHarness(engine::CollisionPolicy collisions = engine::CollisionPolicy::keep_newest,
                         bool propagate_topology_deletion = true);

  // A store with records made manually.
  void start_from(engine::State state) { state_ = std::move(state); }

  // The file must be readable and the import must succeed. Without a parent it goes where the
  // public endpoint puts it: below the main topology, if there is one.
  void import(const std::string& xml);
  void import_at_top(const std::string& xml) { import_to(xml, RecordId{}); }
  void import_below(std::string_view topology_id, const std::string& xml);

  // The outcome is the caller's to judge.
  Result<engine::ImportPlan> plan(const std::string& xml, RecordId parent) const;
  engine::InputErrors read_errors(const std::string& xml) const;

  void allow_depth(std::uint32_t levels) { limits_.depth = levels; }
  void propagate_topology_deletion(bool on) { propagate_ = on; }
  void keep(engine::CollisionPolicy collisions) { collisions_ = collisions; }
  void set_now(Instant now) { now_ = now; }

  const engine::Graph& graph() const { return state_.graph; }
  const engine::State& state() const { return state_; }
  const engine::Transaction& transaction() const { return transaction_; }  // the last one
  const engine::ImportLog& log() const { return log_; }
  const std::vector<engine::RuleLog>& rule_logs() const { return rule_logs_; }

  // The one record of that kind and identifier; a failed expectation when there is not just one.
  RecordView topology(std::string_view id) const { return only(Kind::topology, id); }
  RecordView institution(std::string_view id) const { return only(Kind::institution, id); }
  RecordView node(std::string_view id) const { return only(Kind::node, id); }
  RecordView link(std::string_view id) const { return only(Kind::link, id); }
  // All of them, the oldest first.
  std::vector<RecordView> all(Kind kind, std::string_view id) const;
  std::size_t count(Kind kind, std::string_view id) const { return all(kind, id).size(); }
  // Identifiers of the members of a topology, ascending; the global institution left out.
  Texts members(std::string_view topology_id, Kind kind) const;

  std::string exported() const;  // from the main topology
  std::string exported(std::string_view topology_id) const;

 private:
  void import_to(const std::string& xml, RecordId parent);
  void check_laws(const engine::State& before, const engine::State& after) const;
  RecordView only(Kind kind, std::string_view id) const;

  codecs::ReadLimits limits_;
  engine::CollisionPolicy collisions_;
  bool propagate_;
  Instant now_;
  engine::State state_;
  engine::Transaction transaction_;
  engine::ImportLog log_;
  std::vector<engine::RuleLog> rule_logs_;
};

std::string export_text(const engine::Graph& graph, RecordId root);

}  // namespace netml::test

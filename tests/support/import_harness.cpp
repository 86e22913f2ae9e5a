#include "tests/support/import_harness.hpp"

#include <algorithm>

#include "codecs/netml/netml_writer.hpp"
#include "engine/export/export_order.hpp"
#include "tests/support/inverse.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::test {

using engine::ImportPlan;
using engine::State;

RecordView view_of(const engine::Graph& graph, RecordId id) {
  const engine::Record record = graph.record(id);
  RecordView view{id, graph.number(id), record.attributes, {}, {}, {}, {}};
  const auto ids = [&](std::span<const RecordId> targets) {
    Texts texts;
    for (const RecordId target : targets) texts.emplace_back(graph.attributes(target).id());
    return texts;
  };
  view.topologies = ids(record.relations->topologies());
  view.owners = ids(record.relations->owners());
  view.ends = ids(record.relations->ends());
  std::ranges::sort(view.topologies);
  std::ranges::sort(view.owners);
  for (const engine::Property& property : record.attributes->properties())
    view.properties.push_back(std::string(property.name) + '=' + std::string(property.value));
  return view;
}

std::string export_text(const engine::Graph& graph, RecordId root) {
  auto tree = engine::export_tree(graph, root);
  if (!tree) {
    ADD_FAILURE() << engine::export_failure_name(tree.error());
    return {};
  }
  codecs::NetmlWriter writer(graph, std::move(*tree));
  std::string text;
  while (const auto piece = writer.next()) writer.write_part(*piece, text, std::string::npos);
  return text;
}

ImportHarness::ImportHarness(engine::CollisionPolicy collisions, bool propagate_topology_deletion)
    : collisions_(collisions), propagate_(propagate_topology_deletion) {}

// ---- importing ----

Result<ImportPlan> ImportHarness::plan(const std::string& xml, RecordId parent) const {
  const codecs::ReadResult document = codecs::read_netml(xml, limits_);
  if (!document) return fail(Errc::invalid_input, document.error().first.front().text());
  engine::ImportOptions options;
  options.parent = parent;
  options.propagate_topology_deletion = propagate_;
  options.collisions = collisions_;
  options.now = now_;
  return engine::plan_import(state_, *document, options);
}

engine::InputErrors ImportHarness::read_errors(const std::string& xml) const {
  const codecs::ReadResult document = codecs::read_netml(xml, limits_);
  return document ? engine::InputErrors{} : document.error();
}

void ImportHarness::import_to(const std::string& xml, RecordId parent) {
  Result<ImportPlan> planned = plan(xml, parent);
  ASSERT_TRUE(planned.has_value()) << planned.error().message;
  auto after = engine::apply(state_, planned->transaction, state_.lsn.next());
  ASSERT_TRUE(after.has_value()) << after.error().message;
  transaction_ = std::move(planned->transaction);
  log_ = std::move(planned->log);
  rule_logs_ = std::move(planned->rules);
  check_laws(state_, *after);
  state_ = std::move(*after);
}

void ImportHarness::check_laws(const State& before, const State& after) const {
  const auto replayed = engine::apply(before, transaction_, after.lsn);
  ASSERT_TRUE(replayed.has_value()) << replayed.error().message;
  EXPECT_EQ(replayed->digest(), after.digest());
  const auto undone = engine::apply(after, engine::invert(transaction_, after), after.lsn.next());
  ASSERT_TRUE(undone.has_value()) << undone.error().message;
  EXPECT_EQ(undone->graph.content_digest(), before.graph.content_digest());
}

void ImportHarness::import(const std::string& xml) {
  import_to(xml, engine::default_parent(state_.graph));
}

void ImportHarness::import_below(std::string_view topology_id, const std::string& xml) {
  const auto parent = engine::find_topology(state_.graph, topology_id);
  ASSERT_TRUE(parent.has_value()) << parent.error().message;
  import_to(xml, *parent);
}

// ---- looking ----

std::vector<RecordView> ImportHarness::all(Kind kind, std::string_view id) const {
  std::vector<RecordView> views;
  for (const RecordId record : graph().find(kind, id)) views.push_back(view_of(graph(), record));
  std::ranges::sort(views, {}, &RecordView::number);
  return views;
}

RecordView ImportHarness::only(Kind kind, std::string_view id) const {
  std::vector<RecordView> views = all(kind, id);
  EXPECT_EQ(views.size(), 1U) << kind_name(kind) << ' ' << id;
  if (!views.empty()) return std::move(views.front());
  engine::AttributeFields nothing;
  nothing.kind = kind;
  nothing.name = "(no such record)";
  RecordView missing;
  missing.attributes = engine::Attributes::make(nothing);
  return missing;
}

Texts ImportHarness::members(std::string_view topology_id, Kind kind) const {
  Texts ids;
  for (const RecordId member : graph().members(topology(topology_id).record, kind))
    if (const auto id = graph().attributes(member).id(); id != engine::kGlobalInstitutionId)
      ids.emplace_back(id);
  std::ranges::sort(ids);
  return ids;
}

std::string ImportHarness::exported() const {
  const auto root = engine::export_root(graph());
  if (root) return export_text(graph(), *root);
  ADD_FAILURE() << engine::export_failure_name(root.error());
  return {};
}

std::string ImportHarness::exported(std::string_view topology_id) const {
  return export_text(graph(), topology(topology_id).record);
}

}  // namespace netml::test

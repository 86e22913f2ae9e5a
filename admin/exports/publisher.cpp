#include "admin/exports/publisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <set>

#include "admin/exports/export_state.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"
#include "engine/export/export_order.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::admin {

namespace {

// "2026-11-21T025823"
std::string version_text(Instant instant) {
  std::string text = format_instant(instant).substr(0, 19);
  std::erase(text, ':');
  return text;
}

// What every item has.
engine::PublishedItem item_of(const std::string& name, const std::string& description,
                              Instant now) {
  engine::PublishedItem item;
  item.name = name;
  item.description = description;
  item.version = version_text(now);
  item.file_date = now;
  return item;
}

struct Exportable {
  RecordId root;
  engine::ExportTree tree;
};

Result<Exportable> exportable(const engine::Graph& graph) {
  const auto unable = [&] {
    return fail(Errc::conflict, "nothing can be published: " + live_export_state(graph).reason());
  };
  const auto root = export_root(graph);
  if (!root) return unable();
  auto tree = export_tree(graph, *root);
  if (!tree) return unable();
  return Exportable{*root, std::move(*tree)};
}

// What the names of all cached files of an item begin with.
std::string name_prefix(const PublishedEntry& entry) {
  return to_hex(entry.graph_file);
}

}  // namespace

Result<std::shared_ptr<const engine::PublishedItem>> find_published_item(
    const engine::Catalog& catalog, std::uint64_t number) {
  if (auto item = catalog.published.find(number)) return item;
  return fail(Errc::not_found, fmt::format("there is no publication {}", number));
}

boost::json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                        bool latest) {
  return {{"id", number},
          {"name", item.name},
          {"description", item.description},
          {"version", item.version},
          {"file_date", format_instant(item.file_date)},
          {"status", enumerant_name(item.status)},
          {"lsn", item.lsn.value},
          {"failure", item.failure},
          {"latest", latest}};
}

Result<std::uint64_t> Publisher::publish(const Caller& caller, const std::string& name,
                                         const std::string& description) {
  if (name.empty() || engine::character_count(name) > engine::kNameCharactersMax)
    return fail(
        Errc::invalid_input, "name",
        fmt::format("that of a publication has 1 to {} characters", engine::kNameCharactersMax));
  const std::lock_guard lock(making_);
  const auto began = node_.clock().steady();
  Result<std::uint64_t> number = publish_now(caller, name, description);
  tell(caller, name, number, node_.clock().steady() - began);
  node_.metrics().publications[number ? PublicationEnd::published : PublicationEnd::failed].add();
  if (!number) number = keep_failure(caller, name, description, number.error());
  if (number) forget_old(caller);
  return number;
}

// One line for each, as of imports: what lacks in the data is no fault of the node, and its own
// faults have a line of their own.
void Publisher::tell(const Caller& caller, const std::string& name,
                     const Result<std::uint64_t>& number, std::chrono::nanoseconds took) const {
  // A line that there is no memory for is left out.
  static_cast<void>(guarded([&]() -> Status {
    node_.events().record(
        EventLevel::information, "publish",
        number ? fmt::format("{}: published as {}", name, *number)
               : fmt::format("{}: {}", name, number.error().text()),
        {.request_id = caller.request_id, .actor = caller.actor, .duration = took});
    return {};
  }));
}

Result<std::uint64_t> Publisher::publish_now(const Caller& caller, const std::string& name,
                                             const std::string& description) {
  // The XML comes first: whoever sees the new item finds its file.
  const engine::StatePtr state = node_.version().state;
  NETML_TRY(Exportable exported, exportable(state->graph));
  warn_of_omissions(node_.events(), "publish", state->graph, exported.tree);
  std::optional<PublishedCache::Draft> draft;
  if (node_.writable()) {
    NETML_TRY(draft, cache_.write(*export_stream(node_.memory(), state, std::move(exported.tree))));
  }
  const auto make_item = [&](Lsn published, WallTime now) -> Result<engine::PublishedItem> {
    engine::PublishedItem item = item_of(name, description, now.instant());
    item.status = engine::PublishedStatus::success;
    item.lsn = published;
    return item;
  };
  const Result<std::uint64_t> number = node_.publish(caller, make_item);
  if (!number) {
    cache_.discard();
    return number;
  }
  // It is published. What fails from here on is made up for when the file is asked for.
  if (const Status kept = keep_draft(draft, *number, *state); !kept)
    node_.note_failure(caller, kept.error());
  return number;
}

// The reason is for everybody who may see the item, so it tells of the data, not of the system.
Result<std::uint64_t> Publisher::keep_failure(const Caller& caller, const std::string& name,
                                              const std::string& description, const Error& error) {
  const bool of_the_data = error.code == Errc::conflict;
  if (!of_the_data) node_.note_failure(caller, error);
  std::uint64_t number = 0;
  Change change{.caller = caller, .cause = engine::Cause::publish};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    number = state.catalog.published.next_number();
    engine::PublishedItem item = item_of(name, description, now.instant());
    item.status = engine::PublishedStatus::failed;
    item.failure = of_the_data ? error.text() : "the data could not be written; see the log";
    return entry_added(state, std::move(item));
  };
  if (!node_.commit(std::move(change))) return tl::make_unexpected(error);
  return number;
}

void Publisher::forget_old(const Caller& caller) {
  for (const auto status : {engine::PublishedStatus::success, engine::PublishedStatus::failed})
    if (const Status done = forget_old(caller, status); !done)
      node_.note_failure(caller, done.error());
}

// Each status by itself.
Status Publisher::forget_old(const Caller& caller, engine::PublishedStatus status) {
  constexpr std::int64_t kSecondsInADay = 86400;
  const engine::StatePtr state = node_.version().state;
  const std::uint64_t kept = setting_number(state->catalog, kPublishedKept);
  const auto days = static_cast<std::int64_t>(setting_number(state->catalog, kPublishedDays));
  const std::int64_t young = node_.clock().wall().instant().seconds - days * kSecondsInADay;
  std::vector<std::uint64_t> newest_first;
  state->catalog.published.for_each_with<&engine::PublishedItem::status>(
      status,
      [&](std::uint64_t number, const engine::PublishedItem&) { newest_first.push_back(number); });
  std::ranges::reverse(newest_first);
  bool gone = false;
  for (std::size_t i = std::max<std::size_t>(kept, 1); i < newest_first.size(); ++i) {
    const auto item = state->catalog.published.find(newest_first[i]);
    if (item->file_date.seconds >= young) continue;
    NETML_TRY_VOID(node_.withdraw(caller, newest_first[i]));
    gone = true;
  }
  return gone ? tidy() : Status();
}

Status Publisher::remove(const Caller& caller, std::uint64_t number) {
  NETML_TRY_VOID(node_.withdraw(caller, number));
  const std::lock_guard lock(making_);
  if (const Status tidied = tidy(); !tidied) node_.note_failure(caller, tidied.error());
  return {};
}

Result<PublishedFile> Publisher::open(std::uint64_t number) {
  NETML_TRY(const PublishedEntry entry, node_.published_entry(number));
  if (auto found = cache_.find(name_prefix(entry))) return *std::move(found);
  const std::lock_guard lock(making_);
  if (auto found = cache_.find(name_prefix(entry))) return *std::move(found);
  NETML_TRY(const engine::StatePtr state, node_.published_state(number));
  return make(entry, state);
}

// Sent without being kept when nothing may be written, or nothing can.
Result<PublishedFile> Publisher::make(const PublishedEntry& entry, const engine::StatePtr& state) {
  NETML_TRY(Exportable exported, exportable(state->graph));
  const std::string etag = entity_tag(state->graph, exported.root);
  if (node_.writable()) {
    const auto keep = [&]() -> Status {
      NETML_TRY(const PublishedCache::Draft draft,
                cache_.write(*export_stream(node_.memory(), state, exported.tree)));
      return cache_.keep(draft, name_prefix(entry), etag);
    };
    const Status kept = keep();
    if (auto found = cache_.find(name_prefix(entry))) return *std::move(found);
    if (!kept) node_.events().warning("publish", kept.error().message);
  }
  return PublishedFile{etag, net::StreamBody{.source = export_stream(node_.memory(), state,
                                                                     std::move(exported.tree)),
                                             .length = std::nullopt,
                                             .made_ahead = true}};
}

// Names the draft, which is of `state`. Something may have been committed before the item took its
// state; then the draft is of no use.
Status Publisher::keep_draft(const std::optional<PublishedCache::Draft>& draft,
                             std::uint64_t number, const engine::State& state) {
  NETML_TRY(const PublishedEntry entry, node_.published_entry(number));
  if (draft && entry.lsn == state.lsn) {
    const auto root = export_root(state.graph);
    NETML_TRY_VOID(cache_.keep(*draft, name_prefix(entry), entity_tag(state.graph, *root)));
  } else {
    NETML_TRY(const engine::StatePtr published, node_.published_state(number));
    NETML_TRY_VOID(make(entry, published));
  }
  return tidy();
}

// Removes what belongs to no item.
Status Publisher::tidy() {
  std::set<std::string> prefixes;
  node_.version().state->catalog.published.for_each(
      [&](std::uint64_t number, const engine::PublishedItem&) {
        if (const auto entry = node_.published_entry(number)) prefixes.insert(name_prefix(*entry));
      });
  return cache_.keep_only(prefixes);
}

}  // namespace netml::admin

#include "admin/services/publisher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "admin/services/export_state.hpp"
#include "admin/services/exporter.hpp"
#include "admin/services/settings.hpp"
#include "engine/export_order.hpp"
#include "engine/plan_edit.hpp"
#include "engine/sha256.hpp"
#include "wal/posix_storage.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kCacheDirectory = "cache";
constexpr std::string_view kFileEnding = ".xml";

// A file on its way into the cache; there is one at a time.
std::string draft_name() {
  return wal::temporary_name("draft");
}

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
  return to_hex(entry.graph_file) + '.';
}

std::string file_name(const PublishedEntry& entry, std::string_view etag) {
  return fmt::format("{}{}{}", name_prefix(entry), etag, kFileEnding);
}

// Durable, because a crash may otherwise keep the name without the content.
Status write_draft(wal::Storage& cache, net::BodySource& source) {
  NETML_TRY(const std::unique_ptr<wal::File> file,
            cache.open(draft_name(), wal::OpenMode::create_empty));
  std::uint64_t written = 0;
  while (true) {
    NETML_TRY(const std::string_view piece, source.next());
    if (piece.empty()) return file->sync();
    NETML_TRY_VOID(file->write(written, std::as_bytes(std::span(piece))));
    written += piece.size();
  }
}

std::optional<net::FileBody> open_body(const std::string& path) {
  net::FileBody body;
  body.file = net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info;
  if (!body.file || ::fstat(body.file.get(), &info) != 0) return std::nullopt;
  body.length = static_cast<std::uint64_t>(info.st_size);
  return body;
}

}  // namespace

Result<std::shared_ptr<const engine::PublishedItem>> find_published_item(
    const engine::Catalog& catalog, std::uint64_t number) {
  if (auto item = catalog.published.find(number)) return item;
  return fail(Errc::not_found, fmt::format("there is no publication {}", number));
}

Result<std::uint64_t> Publisher::publish(const Caller& caller, const std::string& name,
                                         const std::string& description) {
  if (name.empty() || engine::character_count(name) > engine::kNameCharactersMax)
    return fail(Errc::invalid_input,
                fmt::format("name: that of a publication has 1 to {} characters",
                            engine::kNameCharactersMax));
  const std::lock_guard lock(making_);
  Result<std::uint64_t> number = publish_now(caller, name, description);
  if (!number) number = keep_failure(caller, name, description, number.error());
  if (number) forget_old(caller);
  return number;
}

Result<std::uint64_t> Publisher::publish_now(const Caller& caller, const std::string& name,
                                             const std::string& description) {
  // The XML comes first: whoever sees the new item finds its file.
  const engine::StatePtr state = node_.version().state;
  NETML_TRY(Exportable exported, exportable(state->graph));
  warn_of_omissions(node_.events(), "publish", state->graph, exported.tree);
  if (node_.writable()) {
    NETML_TRY(const std::unique_ptr<wal::Storage> cache, open_cache());
    NETML_TRY_VOID(
        write_draft(*cache, *export_stream(node_.memory(), state, std::move(exported.tree))));
  }
  const auto make_item = [&](Lsn published, WallTime now) -> Result<engine::PublishedItem> {
    engine::PublishedItem item = item_of(name, description, now.instant());
    item.status = engine::PublishedStatus::success;
    item.lsn = published;
    return item;
  };
  NETML_TRY(const std::uint64_t number, node_.publish(caller, make_item));
  // It is published. What fails from here on is made up for when the file is asked for.
  if (const Status kept = keep_draft(number, *state); !kept)
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
    item.failure = of_the_data ? error.message : "the data could not be written; see the log";
    return plan_publish(state, std::move(item));
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
  state->catalog.published.for_each([&](std::uint64_t number, const engine::PublishedItem& item) {
    if (item.status == status) newest_first.push_back(number);
  });
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
  if (auto found = find(entry)) return *std::move(found);
  const std::lock_guard lock(making_);
  if (auto found = find(entry)) return *std::move(found);
  NETML_TRY(const engine::StatePtr state, node_.published_state(number));
  return make(entry, state);
}

// ---- the cache ----

std::string Publisher::cache_path() const {
  return fmt::format("{}/{}", node_.directory(), kCacheDirectory);
}

Result<std::unique_ptr<wal::Storage>> Publisher::open_cache() const {
  NETML_TRY(const auto data, wal::PosixStorage::open_path(node_.directory()));
  const Status made = data->make_directory(kCacheDirectory);
  if (!made && made.error().code != Errc::conflict) return tl::unexpected(made.error());
  return data->open_directory(kCacheDirectory);
}

std::optional<PublishedFile> Publisher::find(const PublishedEntry& entry) const {
  const std::string prefix = name_prefix(entry);
  std::error_code none;  // no directory, no files
  for (const auto& file : std::filesystem::directory_iterator(cache_path(), none)) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kFileEnding)) continue;
    std::optional<net::FileBody> body = open_body(file.path().string());
    if (!body) continue;
    const std::size_t length = name.size() - prefix.size() - kFileEnding.size();
    return PublishedFile{name.substr(prefix.size(), length), *std::move(body)};
  }
  return std::nullopt;
}

// Sent without being kept when nothing may be written, or nothing can.
Result<PublishedFile> Publisher::make(const PublishedEntry& entry, const engine::StatePtr& state) {
  NETML_TRY(Exportable exported, exportable(state->graph));
  const std::string etag = entity_tag(state->graph, exported.root);
  const auto keep = [&]() -> Status {
    NETML_TRY(const std::unique_ptr<wal::Storage> cache, open_cache());
    NETML_TRY_VOID(write_draft(*cache, *export_stream(node_.memory(), state, exported.tree)));
    return cache->rename(draft_name(), file_name(entry, etag));
  };
  if (node_.writable()) {
    const Status kept = keep();
    if (auto found = find(entry)) return *std::move(found);
    if (!kept) node_.events().warning("publish", kept.error().message);
  }
  return PublishedFile{etag, net::StreamBody{.source = export_stream(node_.memory(), state,
                                                                     std::move(exported.tree)),
                                             .length = std::nullopt,
                                             .made_ahead = true}};
}

// Names the draft, which is of `state`. Something may have been committed before the item took its
// state; then the draft is of no use.
Status Publisher::keep_draft(std::uint64_t number, const engine::State& state) {
  NETML_TRY(const PublishedEntry entry, node_.published_entry(number));
  if (entry.lsn == state.lsn) {
    NETML_TRY(const std::unique_ptr<wal::Storage> cache, open_cache());
    const auto root = export_root(state.graph);
    NETML_TRY_VOID(cache->rename(draft_name(), file_name(entry, entity_tag(state.graph, *root))));
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
  NETML_TRY(const std::unique_ptr<wal::Storage> cache, open_cache());
  NETML_TRY(const std::vector<wal::DirectoryEntry> files, cache->list());
  for (const wal::DirectoryEntry& file : files) {
    const std::string prefix = file.name.substr(0, file.name.find('.') + 1);
    if (!file.directory && !prefixes.contains(prefix)) NETML_TRY_VOID(cache->unlink(file.name));
  }
  return {};
}

}  // namespace netml::admin

#include "admin/services/publisher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "admin/services/exporter.hpp"
#include "engine/export_order.hpp"

namespace netml::admin {

namespace {

// "2026-11-21T025823"
std::string version_text(Instant instant) {
  std::string text = format_instant(instant).substr(0, 19);
  std::erase(text, ':');
  return text;
}

tl::unexpected<Error> system_error(std::string_view what, const std::string& path) {
  return fail(Errc::io_error, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Result<engine::ExportTree> exportable(const engine::Graph& graph) {
  const auto root = export_root(graph);
  if (!root)
    return fail(Errc::conflict, "nothing can be published: there is no main topology, or several");
  auto tree = export_tree(graph, *root);
  if (!tree)
    return fail(Errc::conflict,
                "nothing can be published: a topology below the main one, or the "
                "main one itself, has no owner");
  return std::move(*tree);
}

Status write_stream(net::BodySource& source, int file, const std::string& path) {
  while (true) {
    NETML_TRY(std::string_view piece, source.next());
    if (piece.empty()) return {};
    while (!piece.empty()) {
      const ssize_t written = ::write(file, piece.data(), piece.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return system_error("write", path);
      piece.remove_prefix(static_cast<std::size_t>(written));
    }
  }
}

}  // namespace

Result<std::uint64_t> Publisher::publish(const Caller& caller, std::string name,
                                         std::string description) {
  if (name.empty() || engine::character_count(name) > engine::kNameCharactersMax)
    return fail(Errc::invalid_input, fmt::format("the name of a published item has 1 to {} "
                                                 "characters",
                                                 engine::kNameCharactersMax));
  NETML_TRY_VOID(exportable(node_.version().state->graph));
  const auto make = [&](Lsn published, WallTime now) -> Result<engine::PublishedItem> {
    engine::PublishedItem item;
    item.status = engine::PublishedStatus::success;
    item.name = name;
    item.description = description;
    item.version = version_text(now.instant());
    item.file_date = now.instant();
    item.lsn = published;
    return item;
  };
  return node_.publish(caller, make);
}

Status Publisher::remove(const Caller& caller, std::uint64_t number) {
  NETML_TRY_VOID(node_.withdraw(caller, number));
  ::unlink(cache_path(number).c_str());
  return {};
}

std::string Publisher::cache_path(std::uint64_t number) const {
  return fmt::format("{}/cache/published-{}.xml", node_.directory(), number);
}

Result<net::FileBody> Publisher::open(std::uint64_t number) {
  const std::string path = cache_path(number);
  const std::lock_guard lock(cache_mutex_);
  net::FileBody body;
  body.file = net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!body.file) {
    NETML_TRY(const engine::StatePtr state, node_.published_state(number));
    NETML_TRY_VOID(write_cache(number, state));
    body.file = net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  }
  struct stat info;
  if (!body.file || ::fstat(body.file.get(), &info) != 0) return system_error("open", path);
  body.length = static_cast<std::uint64_t>(info.st_size);
  return body;
}

// Under a temporary name until it is whole. It need not be durable: it can be made again.
Status Publisher::write_cache(std::uint64_t number, const engine::StatePtr& state) {
  const std::string path = cache_path(number);
  const std::string temporary = path + ".new";
  ::mkdir((node_.directory() + "/cache").c_str(), 0700);
  NETML_TRY(engine::ExportTree tree, exportable(state->graph));
  const net::UniqueFd file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return system_error("create", temporary);
  const auto source = export_stream(state, std::move(tree));
  NETML_TRY_VOID(write_stream(*source, file.get(), temporary));
  // A crash may keep the new name without the content, which would then be served.
  if (::fsync(file.get()) != 0) return system_error("sync", temporary);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return system_error("rename", temporary);
  return {};
}

}  // namespace netml::admin

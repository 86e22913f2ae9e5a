#include "admin/polling/detail/peer_fetch.hpp"

#include <fmt/format.h>

#include "admin/base/pause.hpp"
#include "admin/polling/detail/delta_fetch.hpp"
#include "admin/polling/detail/netbox_fetch.hpp"
#include "engine/base/random.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

constexpr int kPauseGrowth = 4;

tl::unexpected<FetchFailure> failed(std::string reason, std::string text,
                                    std::optional<int> status = {}) {
  return tl::unexpected(FetchFailure{std::move(reason), std::move(text), status});
}

PeerAnswer ask(const FetchOrder& order, bool by_alias, std::unique_ptr<Upload>& upload,
               const Clock& clock) {
  const PeerRequest request{
      .peer = order.peer,
      .target = fmt::format("/{}{}/", order.path, by_alias ? "grenml_export" : "netml_export"),
      .token = order.token,
      .etag = remembered_etag(order.memory.etag),
      .takes_deltas = true,
      .rules = order.rules,
      .limits = order.limits,
      .stop = order.stop};
  const auto take = [&](std::string_view piece) -> Status {
    if (!upload) {
      auto begun = order.begin_upload(ReadWhen::arriving);
      if (!begun) return tl::unexpected(std::move(begun.error().error));
      upload = *std::move(begun);
    }
    return upload->write(piece);
  };
  return ask_peer(request, take, clock);
}

tl::expected<Fetched, FetchFailure> taken(const FetchOrder& order,
                                          const net::ClientResponse& answer,
                                          std::unique_ptr<Upload> upload, bool by_alias) {
  Fetched fetched{nullptr, order.memory};
  fetched.memory.by_alias = by_alias;
  if (answer.status == 304 && !order.memory.etag.empty()) return fetched;
  if (answer.status != 200) return tl::unexpected(refusal(answer));
  const std::string_view encoding = answer.headers.get("Content-Encoding");
  if (!encoding.empty() && !equals_ignoring_case(encoding, "identity"))
    return failed("encoding", "the peer sends a compressed file, which was not asked for", 200);
  if (!upload) {  // an empty file is a file all the same
    auto begun = order.begin_upload(ReadWhen::arriving);
    if (!begun) return tl::unexpected(broken(begun.error().error));
    upload = *std::move(begun);
  }
  fetched.memory.etag = DeltaMemory::of(answer);
  fetched.upload = std::move(upload);
  return fetched;
}

tl::expected<Fetched, FetchFailure> fetch_whole(const FetchOrder& order, const Clock& clock) {
  std::unique_ptr<Upload> upload;
  bool by_alias = order.memory.by_alias;
  PeerAnswer answer = ask(order, by_alias, upload, clock);
  if (answer && answer->status == 404) {
    by_alias = !by_alias;
    answer = ask(order, by_alias, upload, clock);
  }
  if (!answer) return tl::unexpected(std::move(answer.error()));
  return taken(order, *answer, std::move(upload), by_alias);
}

tl::expected<Fetched, FetchFailure> fetch_once(const FetchOrder& order, const Clock& clock) {
  if (order.kind == engine::SourceKind::netbox) return fetch_from_netbox(order, clock);
  DeltaFetch delta = fetch_delta(order, clock);
  if (delta.fetched) return *std::move(delta.fetched);
  auto whole = fetch_whole(order, clock);
  if (whole) whole->delta_fault = std::move(delta.fault);
  return whole;
}

// What may be over in a moment.
bool is_passing(const FetchFailure& failure) {
  return failure.reason == "connection" || failure.reason == "name";
}

}  // namespace

tl::expected<Fetched, FetchFailure> fetch_from_peer(const FetchOrder& order, const Clock& clock,
                                                    Random& random) {
  auto length = order.retry_after;
  for (std::size_t attempt = 1;; ++attempt) {
    if (order.stop.stop_requested()) return failed("local", "the node was stopped");
    auto fetched = fetch_once(order, clock);
    if (fetched || attempt >= order.attempts_max || !is_passing(fetched.error())) return fetched;
    // Up to half as long again, so that peers of one batch do not come in step.
    const auto half = static_cast<std::uint64_t>(length.count() / 2);
    if (!pause(length + std::chrono::milliseconds(random_below(random, half + 1)), order.stop))
      return fetched;
    length *= kPauseGrowth;
  }
}

}  // namespace netml::admin

#include "admin/polling/detail/connection_test.hpp"

#include <fmt/format.h>

#include "admin/polling/detail/netbox_fetch.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin {

namespace {

// Enough to tell a map from other things; the rest of it is not waited for.
constexpr std::size_t kSampleBytes = 64 << 10;

ConnectionReport bad(FetchFailure failure) {
  ConnectionReport report;
  report.reason = std::move(failure.reason);
  report.http_status = failure.http_status;
  report.message = cut_message(std::move(failure.text));
  return report;
}

PeerRequest request_for(const ConnectionOrder& order, std::string target, const Clock& clock) {
  PeerRequest request;
  request.peer = order.peer;
  request.target = std::move(target);
  request.rules = order.rules;
  request.limits = order.limits;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(order.end - clock.steady());
  request.limits.total_max = std::max(left, std::chrono::milliseconds(0));
  return request;
}

// The beginning of a map, as far as it is looked at.
class Sample {
 public:
  explicit Sample(const codecs::FileLimits& limits) : reader_(limits.xml, {}) {}

  Status take(std::string_view piece) {
    reader_.feed(std::as_bytes(std::span(piece)));
    bytes_ += piece.size();
    if (bytes_ < kSampleBytes && !reader_.stopped()) return {};
    cut_ = true;
    return fail(Errc::conflict, "enough was seen");
  }
  bool cut() const { return cut_; }
  // Nothing when it is a map, or may be one.
  std::optional<FetchFailure> objection() {
    if (cut_ && !reader_.stopped()) return std::nullopt;
    const codecs::ReadResult read = reader_.finish();
    if (read) return std::nullopt;
    std::string text = "the answer is not a map";
    if (!read.error().first.empty())
      text += ": " + net::excerpt(read.error().first.front().message);
    return FetchFailure{"xml", std::move(text), 200};
  }

 private:
  codecs::NetmlReader reader_;
  std::size_t bytes_ = 0;
  bool cut_ = false;
};

// Nothing when the map is there.
std::optional<FetchFailure> try_map(const ConnectionOrder& order, const char* name,
                                    const Clock& clock) {
  PeerRequest request = request_for(order, fmt::format("/{}{}/", order.path, name), clock);
  request.token = order.token;
  Sample sample(order.file_limits);
  const PeerAnswer answer =
      ask_peer(request, [&](std::string_view piece) { return sample.take(piece); }, clock);
  if (sample.cut()) return sample.objection();
  if (!answer) return answer.error();
  if (answer->status != 200) return refusal(*answer);
  return sample.objection();
}

ConnectionReport test_netbox(const ConnectionOrder& order, const Clock& clock) {
  FetchOrder pages{.peer = order.peer, .path = order.path, .token = order.token};
  pages.rules = order.rules;
  pages.limits = request_for(order, "", clock).limits;
  pages.choice = order.choice;
  pages.page_limits = order.file_limits.xml;
  auto sites = try_netbox(pages, clock);
  if (!sites) return bad(std::move(sites.error()));
  ConnectionReport report;
  report.good = true;
  report.http_status = 200;
  report.message = fmt::format("the NetBox answers{}, and has {}",
                               order.token ? ", takes the token" : "", counted(*sites, "site"));
  return report;
}

}  // namespace

ConnectionReport test_connection(const ConnectionOrder& order, const Clock& clock) {
  if (order.kind == engine::SourceKind::netbox) return test_netbox(order, clock);
  const PeerAnswer status = ask_peer(
      request_for(order, order.status_target, clock), [](std::string_view) { return Status(); },
      clock);
  if (!status) return bad(status.error());
  if (status->status >= 300) return bad(refusal(*status));
  ConnectionReport report;
  report.good = true;
  report.http_status = status->status;
  report.message = "the peer answers";
  if (!order.token) return report;
  auto problem = try_map(order, "netml_export", clock);
  if (problem && problem->reason == "not_found") problem = try_map(order, "grenml_export", clock);
  if (problem) return bad(std::move(*problem));
  report.message = "the peer answers, takes the token, and sends a map";
  return report;
}

}  // namespace netml::admin

#include "admin/polling/detail/peer_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "codecs/netml/delta/delta_text.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;
constexpr std::size_t kMessageMax = 255;

struct NamedFailure {
  std::string_view error_type;  // as the peer calls it
  const char* reason;
  const char* text;
};
constexpr NamedFailure kNamedFailures[] = {
    {"MissingRootTopologyException", "no_root_topology",
     "the peer has no main topology, or several"},
    {"MissingRootTopologyOwnerException", "no_root_owner",
     "the peer's main topology has no owner; it is set where the peer edits that topology"},
    {"NoTopologyOwnerError", "no_topology_owner", "a topology of the peer has no owner"},
    {"Exception", "peer_error", "internal error of the peer"},
};

// What the peer says went wrong, if it says so.
std::optional<FetchFailure> named_failure(const net::ClientResponse& response) {
  boost::system::error_code error;
  const json::value body = json::parse(response.body, error);
  if (error || !body.is_object()) return std::nullopt;
  const json::value* type = body.get_object().if_contains("error_type");
  if (type == nullptr || !type->is_string()) return std::nullopt;
  const std::string_view name(type->get_string());
  for (const NamedFailure& each : kNamedFailures)
    if (each.error_type == name) return FetchFailure{each.reason, each.text, response.status};
  return FetchFailure{"peer_error",
                      fmt::format("internal error of the peer ({})", net::excerpt(name)),
                      response.status};
}

std::string host_field(const net::Peer& peer) {
  const bool v6 = peer.host.find(':') != std::string::npos;
  const std::string host = v6 ? fmt::format("[{}]", peer.host) : peer.host;
  const bool usual_port = peer.port == (peer.tls ? 443 : 80);
  return usual_port ? host : fmt::format("{}:{}", host, peer.port);
}

net::ClientRequest http_request(const PeerRequest& wanted) {
  net::ClientRequest request;
  request.target = wanted.target;
  request.headers.set("Accept", std::string(wanted.accept));
  request.headers.set("Accept-Encoding", "identity");
  request.headers.set("Connection", "close");
  if (wanted.token)
    request.headers.set("Authorization", fmt::format("{} {}", wanted.scheme, *wanted.token));
  if (wanted.takes_deltas)
    request.headers.set(codecs::kDeltaHeader, std::string(codecs::kDeltaVersion));
  if (!wanted.etag.empty()) request.headers.set("If-None-Match", wanted.etag);
  return request;
}

}  // namespace

FetchFailure refusal(const net::ClientResponse& response) {
  const int status = response.status;
  if (auto named = named_failure(response)) return *std::move(named);
  if (status == 401 || status == 403)
    return {"denied", "access denied: the token is missing, or the peer does not know it", status};
  if (status == 404) return {"not_found", "no map is at this address; check host and path", status};
  if (status >= 300 && status < 400 && status != 304)
    return {"redirect",
            fmt::format("the peer sends on to {}, which is not followed",
                        net::excerpt(response.headers.get("Location"))),
            status};
  if (status >= 500) return {"peer_error", "internal error of the peer", status};
  return {"unexpected_answer", "not the answer of an export", status};
}

FetchFailure broken(const Error& error) {
  switch (error.code) {
    case Errc::too_large:
      return {"too_large", error.message, {}};
    case Errc::unavailable:
      return {"time_out", error.message, {}};
    case Errc::io_error:
    case Errc::invalid_input:  // of the framing
      return {"incomplete", error.message, {}};
    default:
      return {"local", error.message, {}};
  }
}

std::string failure_message(const FetchFailure& failure) {
  const std::string tail = fmt::format(
      " [HTTP status {}]", failure.http_status ? fmt::to_string(*failure.http_status) : "None");
  return cut_message("Polling error: " + failure.text, tail);
}

std::string cut_message(std::string text, std::string_view end) {
  if (text.size() + end.size() > kMessageMax) {
    std::size_t length = kMessageMax - end.size();
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    text.resize(length);
  }
  return text.append(end);
}

net::Peer peer_of(const engine::PollingSource& source, bool may_skip_verification) {
  return {.host = source.hostname,
          .port = source.port,
          .tls = source.protocol == engine::Protocol::https,
          .verified = !(source.unverified && may_skip_verification),
          .ca_certificates = source.ca_certificates};
}

PeerAnswer ask_peer(const PeerRequest& request, const net::BodyConsumer& take, const Clock& clock) {
  const auto began = clock.steady();
  net::OutgoingRules rules = request.rules;
  rules.connect_max = std::min(rules.connect_max, request.limits.total_max);
  rules.tls_max = std::min(rules.tls_max, request.limits.total_max);
  auto channel = net::connect_to_peer(request.peer, rules, clock, request.stop);
  if (!channel)
    return tl::unexpected(FetchFailure{net::problem_name(channel.error().problem),
                                       channel.error().message, std::nullopt});
  bool taken = true;
  const auto take_noted = [&](std::string_view piece) -> Status {
    Status done = take(piece);
    taken = done.has_value();
    return done;
  };
  net::ClientLimits limits = request.limits;
  limits.total_max -= std::chrono::floor<std::chrono::milliseconds>(clock.steady() - began);
  net::HttpClient client(*std::move(channel), host_field(request.peer), clock, limits);
  auto response = client.send(http_request(request), take_noted);
  // Then an end of the connection says nothing of the peer.
  if (request.stop.stop_requested())
    return tl::unexpected(FetchFailure{"local", "the node was stopped", {}});
  if (response) return std::move(*response);
  FetchFailure failure = broken(response.error());
  if (!taken && failure.reason != "too_large") failure.reason = "local";
  if (failure.reason == "time_out" && client.ended()) failure.reason = "incomplete";
  return tl::unexpected(std::move(failure));
}

}  // namespace netml::admin

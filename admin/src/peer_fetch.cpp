#include "admin/src/peer_fetch.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace netml::admin {

namespace {

namespace json = boost::json;
constexpr std::size_t kMessageMax = 255;
constexpr std::size_t kEtagMax = 255;

tl::unexpected<FetchFailure> failed(std::string reason, std::string text,
                                    std::optional<int> status = {}) {
  return tl::unexpected(FetchFailure{std::move(reason), std::move(text), status});
}

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

FetchFailure refusal(const net::ClientResponse& response) {
  const int status = response.status;
  if (auto named = named_failure(response)) return *std::move(named);
  if (status == 401 || status == 403)
    return {"denied", "access denied: the token is missing, or the peer does not know it", status};
  if (status == 404) return {"not_found", "nothing is there; is the path right?", status};
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
      return {"incomplete", error.message, {}};
    case Errc::invalid_input:
    case Errc::not_found:
    case Errc::conflict:
    case Errc::no_space:
    case Errc::corruption:
    case Errc::denied:
    case Errc::internal:
      break;
  }
  return {"local", error.message, {}};
}

std::string host_field(const net::Peer& peer) {
  const bool v6 = peer.host.find(':') != std::string::npos;
  const std::string host = v6 ? fmt::format("[{}]", peer.host) : peer.host;
  const bool usual_port = peer.port == (peer.tls ? 443 : 80);
  return usual_port ? host : fmt::format("{}:{}", host, peer.port);
}

net::ClientRequest request_for(const FetchOrder& order, bool by_alias) {
  net::ClientRequest request;
  request.target = fmt::format("/{}{}/", order.path, by_alias ? "grenml_export" : "netml_export");
  request.headers.set("Accept", "application/xml");
  request.headers.set("Accept-Encoding", "identity");
  request.headers.set("Connection", "close");
  if (order.token) request.headers.set("Authorization", "Bearer " + *order.token);
  if (!order.memory.etag.empty()) request.headers.set("If-None-Match", order.memory.etag);
  return request;
}

using Answer = tl::expected<net::ClientResponse, FetchFailure>;

Answer ask(const FetchOrder& order, bool by_alias, std::unique_ptr<ImportJob>& job,
           const Clock& clock) {
  auto channel = net::connect_to_peer(order.peer, order.rules, clock);
  if (!channel) return failed(net::problem_name(channel.error().problem), channel.error().message);
  net::HttpClient client(std::move(*channel), host_field(order.peer), clock, order.limits);
  const auto take = [&](std::string_view piece) -> Status {
    if (!job) {
      NETML_TRY(job, order.begin_import());
    }
    job->write(piece);
    return {};
  };
  auto response = client.send(request_for(order, by_alias), take);
  if (!response) return tl::unexpected(broken(response.error()));
  return std::move(*response);
}

tl::expected<Fetched, FetchFailure> taken(const FetchOrder& order,
                                          const net::ClientResponse& answer,
                                          std::unique_ptr<ImportJob> job, bool by_alias) {
  Fetched fetched{nullptr, {order.memory.etag, by_alias}};
  if (answer.status == 304 && !order.memory.etag.empty()) return fetched;
  if (answer.status != 200) return tl::unexpected(refusal(answer));
  const std::string_view encoding = answer.headers.get("Content-Encoding");
  if (!encoding.empty() && !net::equals_ignoring_case(encoding, "identity"))
    return failed("encoding", "the peer sends a compressed file, which was not asked for", 200);
  if (!job) {  // an empty file is a file all the same
    auto begun = order.begin_import();
    if (!begun) return tl::unexpected(broken(begun.error()));
    job = std::move(*begun);
  }
  const std::string_view etag = answer.headers.get("ETag");
  fetched.memory.etag = etag.size() <= kEtagMax ? etag : std::string_view();
  fetched.job = std::move(job);
  return fetched;
}

}  // namespace

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

tl::expected<Fetched, FetchFailure> fetch_from_peer(const FetchOrder& order, const Clock& clock) {
  std::unique_ptr<ImportJob> job;
  bool by_alias = order.memory.by_alias;
  Answer answer = ask(order, by_alias, job, clock);
  if (answer && answer->status == 404) {
    by_alias = !by_alias;
    answer = ask(order, by_alias, job, clock);
  }
  if (!answer) return tl::unexpected(std::move(answer.error()));
  return taken(order, *answer, std::move(job), by_alias);
}

}  // namespace netml::admin

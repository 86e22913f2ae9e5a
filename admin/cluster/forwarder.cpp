#include "admin/cluster/forwarder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "admin/cluster/refusals.hpp"
#include "engine/base/texts.hpp"
#include "net/client/peer_url.hpp"

namespace netml::admin {

namespace {

// Those of one connection (RFC 9110, 7.6.1), and those that this side or the other sets itself.
constexpr std::array<std::string_view, 14> kNotHandedOn{
    "Connection", "Keep-Alive",        "Proxy-Connection",  "Proxy-Authorization", "TE",
    "Trailer",    "Transfer-Encoding", "Upgrade",           "Content-Length",      "Host",
    "Expect",     "X-Forwarded-For",   "X-Forwarded-Proto", "X-NetML-Forwarded"};
constexpr std::array<std::string_view, 3> kOfTheServer{"Date", "X-Request-Id",
                                                       "Strict-Transport-Security"};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::any_of(
      names, [&](std::string_view each) { return equals_ignoring_case(each, name); });
}

bool is_bodiless(int status) {
  return status == 204 || status == 304;
}

// The rest of an answer that begins to be read; the connection is its own.
class RemainingAnswer : public net::BodySource {
 public:
  explicit RemainingAnswer(std::unique_ptr<net::HttpClient> client) : client_(std::move(client)) {}
  Result<std::string_view> next() override { return client_->next(); }

 private:
  std::unique_ptr<net::HttpClient> client_;
};

Result<net::Response> take_answer(std::unique_ptr<net::HttpClient> client) {
  NETML_TRY(const net::ClientResponse answered, client->answer());
  net::Response response;
  response.status = answered.status;
  for (const net::Headers::Field& field : answered.headers.fields())
    if (!is_among(kNotHandedOn, field.name) && !is_among(kOfTheServer, field.name))
      response.headers.add(field.name, field.value);
  if (is_bodiless(answered.status)) return response;
  net::StreamBody body;
  body.length = parse_integer<std::uint64_t>(answered.headers.get("Content-Length"));
  body.source = std::make_unique<RemainingAnswer>(std::move(client));
  response.body = std::move(body);
  return response;
}

bool reads(const net::Request& request) {
  return request.method == net::Method::get || request.method == net::Method::head;
}

// Where it takes longer the client has the token of its answer.
void wait_until_shown(const ClusterMember& member, const net::Request& request,
                      const net::Response& response, std::chrono::milliseconds at_most) {
  if (reads(request) || response.status >= 400) return;
  if (const auto head = wal::parse_head(response.headers.get("X-NetML-Head")))
    static_cast<void>(member.wait_for(head->lsn, at_most).has_value());
}

// Reading changes nothing, so it may be asked again; of all else nobody knows here.
net::Response broken_off(const net::Request& request, const Error& error) {
  if (reads(request))
    return refuse(request, {.code = "leader-unreachable",
                            .message = fmt::format(
                                "the leader did not answer ({}); try again later", error.message)});
  return refuse(request,
                {.code = kOutcomeUnknown,
                 .message = fmt::format("unknown whether it was done: the connection to the leader "
                                        "broke after it was sent ({}); look before you try again",
                                        error.message)});
}

// Writes the pieces of a body on, as chunks where its length is not known.
class ForwardedBody : public net::BodySink {
 public:
  ForwardedBody(const ClusterMember& member, net::Request request,
                std::unique_ptr<net::HttpClient> client, const ForwarderOptions& options)
      : member_(member),
        request_(std::move(request)),
        client_(std::move(client)),
        options_(options) {}

  NamedLimit bytes_max() const override { return options_.body_bytes_max; }

  std::optional<net::Response> write(std::string_view piece) override {
    const Result<bool> answered = send(piece);
    if (!answered) return broken_off(request_, answered.error());
    if (!*answered) return std::nullopt;
    return finish_answer();
  }

  net::Response finish() override {
    if (request_.chunked)
      if (const auto ended = client_->write("0\r\n\r\n"); !ended)
        return broken_off(request_, ended.error());
    return finish_answer();
  }

 private:
  Result<bool> send(std::string_view piece) {
    if (!request_.chunked) return client_->write(piece);
    NETML_TRY(const bool begun, client_->write(fmt::format("{:x}\r\n", piece.size())));
    if (begun) return true;
    NETML_TRY_VOID(client_->write(piece));
    return client_->write("\r\n");
  }
  net::Response finish_answer() {
    Result<net::Response> answer = take_answer(std::move(client_));
    if (!answer) return broken_off(request_, answer.error());
    wait_until_shown(member_, request_, *answer, options_.shown_after_max);
    return *std::move(answer);
  }

  const ClusterMember& member_;
  const net::Request request_;
  std::unique_ptr<net::HttpClient> client_;
  const ForwarderOptions& options_;
};

}  // namespace

Result<std::unique_ptr<net::HttpClient>> Forwarder::connect(const std::string& leader) const {
  NETML_TRY(net::Peer peer, net::parse_peer_url(leader));
  peer.ca_certificates = options_.ca_certificates;
  net::OutgoingRules rules;
  rules.internal_allowed = true;  // an operator named it
  rules.connect_max = rules.tls_max = options_.connect_max;
  auto channel = net::connect_to_peer(peer, rules, clock_);
  if (!channel) return fail(Errc::unavailable, channel.error().message);
  net::ClientLimits limits;
  limits.body_bytes_max = limits.refusal_bytes_max = NamedLimit(UINT64_MAX);
  return std::make_unique<net::HttpClient>(*std::move(channel), net::authority_of(peer), clock_,
                                           limits);
}

net::ClientRequest Forwarder::head_of(const net::Request& request) const {
  net::ClientRequest head;
  head.method = net::method_name(request.method);
  head.target = target_of(request);
  for (const net::Headers::Field& field : request.headers.fields())
    if (!is_among(kNotHandedOn, field.name)) head.headers.add(field.name, field.value);
  if (request.chunked)
    head.headers.add("Transfer-Encoding", "chunked");
  else if (request.content_length)
    head.headers.add("Content-Length", std::to_string(*request.content_length));
  head.headers.add(kForwardedHeader,
                   sign(secrets_, request, origin_of(request, options_.member), clock_.wall()));
  return head;
}

net::Answer Forwarder::forward(const std::string& leader, const net::Request& request) const {
  auto client = connect(leader);
  if (!client)
    return refuse(request,
                  {.code = "leader-unreachable",
                   .message = fmt::format("the leader, {}, cannot be reached from here: {}; try "
                                          "again later",
                                          leader, client.error().message)});
  if (const Status begun = (*client)->begin(head_of(request)); !begun)
    return broken_off(request, begun.error());
  if (request.has_body())
    return std::make_unique<ForwardedBody>(member_, request, *std::move(client), options_);
  Result<net::Response> answer = take_answer(*std::move(client));
  if (!answer) return broken_off(request, answer.error());
  wait_until_shown(member_, request, *answer, options_.shown_after_max);
  return *std::move(answer);
}

}  // namespace netml::admin

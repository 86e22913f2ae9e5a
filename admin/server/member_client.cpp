#include "admin/server/member_client.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdint>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cluster/gate.hpp"
#include "admin/cluster/member_request.hpp"
#include "net/client/peer_url.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

std::vector<ListedMember> members_of(const json::value& answer) {
  std::vector<ListedMember> members;
  boost::system::error_code error;
  const json::value* const found = answer.find_pointer("/cluster/members", error);
  const json::array* const items = error ? nullptr : found->if_array();
  if (items == nullptr) return members;
  for (const json::value& item : *items) {
    const auto text = [&](std::string_view name) {
      const json::value* const value =
          item.is_object() ? item.get_object().if_contains(name) : nullptr;
      return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
    };
    members.push_back({.name = text("name"), .address = text("address")});
  }
  return members;
}

}  // namespace

Result<net::HttpClient> connect_to_member(const MemberPlace& place, const Clock& clock) {
  NETML_TRY(net::Peer peer, net::parse_peer_url(place.url));
  if (!place.ca_file.empty())
    NETML_TRY_VOID(cli::read_file(place.ca_file, [&](std::string_view piece) {
      peer.ca_certificates += piece;
      return true;
    }));
  net::OutgoingRules rules;
  rules.internal_allowed = true;  // an operator named it
  auto channel = net::connect_to_peer(peer, rules, clock);
  if (!channel)
    return fail(Errc::unavailable,
                fmt::format("cannot reach {}: {}", place.url, channel.error().message));
  net::ClientLimits limits;
  limits.body_bytes_max = NamedLimit(UINT64_MAX);
  limits.total_max = std::chrono::hours(24);
  return net::HttpClient(*std::move(channel), net::authority_of(peer), clock, limits);
}

net::ClientRequest control_request(const std::string& path, const Secrets& secrets,
                                   const Clock& clock) {
  net::Request request;
  request.path = std::string(kMemberPath) + path;
  request.id = "command";
  request.control = true;
  net::ClientRequest asked;
  asked.target = target_of(request);
  asked.headers.add(kForwardedHeader,
                    sign(secrets, request, origin_of(request, "a command"), clock.wall()));
  return asked;
}

Result<wal::Head> head_of_member(const MemberPlace& place, const Clock& clock) {
  NETML_TRY(net::HttpClient client, connect_to_member(place, clock));
  net::ClientRequest asked;
  asked.target = "/health/live";
  NETML_TRY(const net::ClientResponse answer, client.send(asked));
  const auto head = wal::parse_head(answer.headers.get(kHeadHeader));
  if (!head)
    return fail(Errc::invalid_input,
                fmt::format("{} does not answer as a member of a cluster does; start it with netml "
                            "serve --cluster",
                            place.url));
  return *head;
}

Result<std::vector<ListedMember>> members_known_to(const MemberPlace& place, const Secrets& secrets,
                                                   const Clock& clock) {
  NETML_TRY(net::HttpClient client, connect_to_member(place, clock));
  NETML_TRY(const net::ClientResponse answer,
            client.send(control_request("/api/v1/cluster", secrets, clock)));
  if (answer.status != 200)
    return fail(Errc::denied, fmt::format("{} does not say which members it knows ({}): {}",
                                          place.url, answer.status, answer.body));
  boost::system::error_code error;
  const json::value parsed = json::parse(answer.body, error);
  if (error) return fail(Errc::invalid_input, fmt::format("{} answers no JSON", place.url));
  return members_of(parsed);
}

}  // namespace netml::admin

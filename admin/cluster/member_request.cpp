#include "admin/cluster/member_request.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "engine/base/hex.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/texts.hpp"
#include "net/http/uri.hpp"

namespace netml::admin {

namespace {

constexpr std::int64_t kApartMax = 300;  // seconds, of two clocks and of the way
constexpr std::string_view kMac = "&mac=";

std::string field(std::string_view name, std::string_view value) {
  return fmt::format("{}={}&", name, net::percent_encode_value(value));
}

std::array<std::byte, 32> mac_of(const Secrets& secrets, const net::Request& request,
                                 std::string_view said) {
  return secrets.mac(fmt::format("request between members\n{}\n{}\n{}",
                                 net::method_name(request.method), target_of(request), said));
}

tl::unexpected<Error> denied(std::string_view why) {
  return fail(Errc::denied,
              fmt::format("{} does not prove that a member of this cluster sent the request: {}",
                          kForwardedHeader, why));
}

}  // namespace

RequestOrigin origin_of(const net::Request& request, std::string member) {
  return {.member = std::move(member),
          .request_id = request.id,
          .client_address = request.client_address,
          .peer_address = request.peer_address,
          .host = std::string(request.headers.get("Host")),
          .secure = request.secure,
          .control = request.control};
}

std::string target_of(const net::Request& request) {
  const std::string path = net::percent_encode_path(request.path);
  return request.query.empty() ? path : fmt::format("{}?{}", path, request.query);
}

std::string sign(const Secrets& secrets, const net::Request& request, const RequestOrigin& origin,
                 WallTime now) {
  std::string said = field("member", origin.member) + field("id", origin.request_id) +
                     field("client", origin.client_address) + field("peer", origin.peer_address) +
                     field("host", origin.host) + field("secure", origin.secure ? "1" : "0") +
                     field("control", origin.control ? "1" : "0");
  said += fmt::format("time={}", now.instant().seconds);
  return fmt::format("{}{}{}", said, kMac, to_hex(mac_of(secrets, request, said)));
}

Result<RequestOrigin> verify(const Secrets& secrets, const net::Request& request, WallTime now) {
  if (request.headers.count(kForwardedHeader) != 1) return denied("it stands there more than once");
  const std::string_view value = request.headers.get(kForwardedHeader);
  const std::size_t end = value.rfind(kMac);
  if (end == std::string_view::npos) return denied("it is cut off");
  const std::string_view said = value.substr(0, end);
  std::array<std::byte, 32> mac{};
  if (!parse_hex(value.substr(end + kMac.size()), mac) ||
      !Secrets::equal(mac, mac_of(secrets, request, said)))
    return denied("the members have different keys; see netml cluster key");
  const auto text = [&](std::string_view name) {
    return net::query_parameter(said, name).value_or("");
  };
  const auto time = parse_integer<std::int64_t>(text("time"));
  const std::int64_t apart = now.instant().seconds - time.value_or(0);
  if (std::abs(apart) > kApartMax)
    return denied(
        fmt::format("it is dated {} s {} the clock of this member, and {} s are allowed; "
                    "set the clocks of {} and of this machine (NTP)",
                    std::abs(apart), apart > 0 ? "behind" : "ahead of", kApartMax, text("member")));
  return RequestOrigin{.member = text("member"),
                       .request_id = text("id"),
                       .client_address = text("client"),
                       .peer_address = text("peer"),
                       .host = text("host"),
                       .secure = text("secure") == "1",
                       .control = text("control") == "1"};
}

net::Request as_asked(const net::Request& request, const RequestOrigin& origin) {
  net::Request asked = request;
  asked.id = origin.request_id;
  asked.client_address = origin.client_address;
  asked.peer_address = origin.peer_address;
  asked.secure = origin.secure;
  asked.control = origin.control;
  asked.headers.set("Host", origin.host);
  return asked;
}

}  // namespace netml::admin

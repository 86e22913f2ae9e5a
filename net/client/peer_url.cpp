#include "net/client/peer_url.hpp"

#include <fmt/format.h>

#include <optional>

#include "engine/base/texts.hpp"
#include "net/http/uri.hpp"

namespace netml::net {

namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

tl::unexpected<Error> not_an_address(std::string_view text) {
  return fail(Errc::invalid_input,
              fmt::format("{} is not the address of a node: write http://HOST:PORT or "
                          "https://HOST:PORT, as the others reach it, and nothing behind",
                          excerpt(text)));
}

}  // namespace

Result<Peer> parse_peer_url(std::string_view text) {
  std::string_view rest = text;
  Peer peer;
  if (rest.starts_with("https://"))
    rest.remove_prefix(std::string_view("https://").size());
  else if (rest.starts_with("http://"))
    rest.remove_prefix(std::string_view("http://").size()), peer.tls = false;
  else
    return not_an_address(text);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::optional<std::string> host = host_name(rest);
  if (!host || host->empty()) return not_an_address(text);
  peer.host = host->starts_with('[') ? host->substr(1, host->size() - 2) : *host;
  peer.port = peer.tls ? kHttpsPort : kHttpPort;
  const std::string_view port = rest.substr(host->size());
  if (port.empty()) return peer;
  const auto number = parse_integer<std::uint16_t>(port.substr(1));
  if (!number || *number == 0) return not_an_address(text);
  peer.port = *number;
  return peer;
}

std::string authority_of(const Peer& peer) {
  const bool v6 = peer.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", peer.host, v6 ? "]" : "", peer.port);
}

}  // namespace netml::net

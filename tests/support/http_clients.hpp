// HTTP clients of tests and benchmarks, each with a connection of its own.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "net/client/http_client.hpp"

namespace netml::net {

// `clock` outlives the client. `address`: of IPv4.
inline Result<HttpClient> client_over_tcp(const TcpAddress& address, const Clock& clock) {
  NETML_TRY(auto channel, connect_tcp(address, std::chrono::seconds(10)));
  return HttpClient(std::move(channel), fmt::format("{}:{}", address.host, address.port), clock);
}
inline Result<HttpClient> client_over_unix(const std::string& path, const Clock& clock) {
  NETML_TRY(auto channel, connect_unix(path));
  return HttpClient(std::move(channel), "localhost", clock);
}

}  // namespace netml::net

// What commands ask of the world outside, as the command line says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/base/limits.hpp"

namespace netml::admin::cli {

struct GlobalOptions {
  std::string data_directory = "./netml-data";
  bool json = false;
  bool sandbox = false;  // no connection to other nodes
  Limits limits;
  std::optional<std::uint64_t> memory_max;  // bytes; none: what the system allows decides
};

struct ServeOptions {
  std::vector<std::string> listen{"127.0.0.1:8080"};  // HOST:PORT
  std::optional<std::string> tls_certificate;         // both or none
  std::optional<std::string> tls_key;
  std::vector<std::string> allowed_hosts;    // empty = loopback names and own addresses
  std::vector<std::string> poll_allow;       // CIDR
  std::vector<std::string> trusted_proxies;  // CIDR
  std::vector<std::string> sso_proxies;      // CIDR
  std::vector<std::string> admin_eppns;
  bool test_mode = false;
  bool development = false;
  bool read_only = false;
  std::uint32_t shutdown_timeout_s = 10;
};

struct RestoreOptions {
  std::string file;  // "-": standard input
  std::string into;
  std::optional<std::string> key;   // file
  std::optional<std::string> head;  // "LSN:hash"
};

struct RepairOptions {
  std::uint64_t truncate_at = 0;          // the last LSN that stays
  std::optional<std::uint64_t> accepted;  // transactions that may be lost; none: only asked
};

}  // namespace netml::admin::cli

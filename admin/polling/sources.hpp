// Polling sources: the peers whose maps are collected (docs/requirements/polling-and-publishing.md,
// section 2).
//
// The token of a source is kept encrypted under the node key, as those of clients are; only a poll
// opens it. No API shows it.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admin/node/node.hpp"

namespace netml::admin {

// What a source may leave out of what keeps its poll private.
enum class SourceRule : std::uint8_t {
  production,   // plain http with the explicit mark only; certificates are always checked
  test_mode,    // plain http needs no mark
  development,  // nor need certificates be checked
};

// What is given of a source; the rest stays as it is, or has its default.
struct SourceFields {
  std::optional<std::string> name;
  std::optional<engine::Protocol> protocol;
  std::optional<std::string> hostname;
  std::optional<std::int64_t> port;
  std::optional<std::string> path;
  std::optional<bool> active;
  std::optional<std::string> token;  // empty: none any more
  std::optional<bool> plain_http;
  std::optional<bool> unverified;
  std::optional<std::string> ca_certificates;  // PEM; empty: those of the system
  // The mass-deletion guard for its maps; the inner one empty: as the settings say.
  std::optional<std::optional<std::uint32_t>> deletions_max;
  std::optional<std::optional<std::uint32_t>> deletion_percent_max;
  std::optional<engine::SourceAuthority> authority;
  std::optional<std::vector<std::string>> listed_topologies;  // identifiers
  std::optional<engine::SourceKind> kind;
  std::optional<std::vector<std::string>> filters;  // of a NetBox: "region=europe"
  std::optional<std::string> mapping;               // of a NetBox; empty: the usual one
};

class Sources {
 public:
  explicit Sources(Node& node, SourceRule rule = SourceRule::production)
      : node_(node), rule_(rule) {}

  // Before the first request.
  void set_rule(SourceRule rule) { rule_ = rule; }

  // Errc::invalid_input for what a source cannot be; Errc::conflict when the name is taken.
  // Messages begin with the field. Returns its number.
  Result<std::uint64_t> create(const Caller& caller, const SourceFields& fields);
  // Also Errc::not_found. The token is for whom it was given: where the address of the peer changes
  // and no token comes with it, there is none any more.
  Status update(const Caller& caller, std::uint64_t number, const SourceFields& fields);
  // With its poll records. Errc::not_found.
  Status remove(const Caller& caller, std::uint64_t number);

  // What to send to the peer; nothing when there is none. Errc::conflict when the node has another
  // key than the one that the token was stored under.
  Result<std::optional<std::string>> token(const engine::PollingSource& source) const;

 private:
  // But the token.
  Status fill(engine::PollingSource& source, const SourceFields& fields) const;
  Status check(const engine::PollingSource& source) const;
  Result<std::string> sealed(const std::string& token) const;

  Node& node_;
  SourceRule rule_;
};

}  // namespace netml::admin

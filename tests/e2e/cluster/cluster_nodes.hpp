// Nodes of a cluster as an operator runs them: the program, a database with a standby, one data
// directory and one address for each. Thread: one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/e2e/support/node.hpp"
#include "tests/support/reserved_port.hpp"
#include "tests/wal/postgres/replicated_database.hpp"

namespace netml::e2e {

// What members that talk over TLS are started with; all are files.
struct MemberTls {
  std::string certificate;
  std::string key;
  std::string authority;  // that the others' certificates lead to
};

class ClusterNode {
 public:
  // Not yet a member.
  ClusterNode(std::string name, const std::string& connection,
              std::optional<MemberTls> tls = std::nullopt);

  Node& node() { return node_; }
  const std::string& name() const { return name_; }
  std::string url() const;
  bool runs() const { return server_ != nullptr; }
  void start();
  void kill();
  int stop();

  // Of a server that runs, without TLS.
  Client client(const std::string& token = {}) const { return {port_.number(), token}; }
  // "leader" and its kin, as `/status/` says; empty where nothing answers.
  std::string role() const;
  std::uint64_t lsn() const;
  // Whether it takes changes, or knows who does, in time.
  bool is_ready() const;

 private:
  const std::string name_;
  const std::string connection_;
  const std::optional<MemberTls> tls_;
  const netml::test::ReservedPort port_;
  Node node_;
  std::unique_ptr<Server> server_;
};

// Three members, alpha, beta and gamma, of which alpha began with `maps` and leads.
class Cluster {
 public:
  explicit Cluster(const std::vector<std::string>& maps);

  ClusterNode& alpha() { return *nodes_[0]; }
  ClusterNode& beta() { return *nodes_[1]; }
  ClusterNode& gamma() { return *nodes_[2]; }
  const std::vector<std::unique_ptr<ClusterNode>>& nodes() const { return nodes_; }
  const std::string& connection() const { return connection_; }
  const std::string& import_token() const { return import_; }
  const std::string& polling_token() const { return polling_; }

  // The one that leads, once there is one; null: there is none in time.
  ClusterNode* leader();
  // Whether all that run have come to that LSN in time.
  bool all_reach(std::uint64_t lsn);

 private:
  std::string connection_;
  std::string import_;
  std::string polling_;
  std::vector<std::unique_ptr<ClusterNode>> nodes_;
};

}  // namespace netml::e2e

#include "tests/e2e/cluster/cluster_nodes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <utility>

namespace netml::e2e {

namespace {

namespace json = boost::json;
using wal::test::eventually;

json::object cluster_status(const Client& client) {
  net::Headers headers;
  headers.add("Accept", "application/json");
  const Answer answer = client.get("/status/", std::move(headers));
  if (!answer || answer->status != 200) return {};
  boost::system::error_code error;
  const json::value parsed = json::parse(answer->body, error);
  const auto* object = error ? nullptr : parsed.if_object();
  const auto* cluster = object == nullptr ? nullptr : object->if_contains("cluster");
  return cluster == nullptr ? json::object() : cluster->as_object();
}

}  // namespace

ClusterNode::ClusterNode(std::string name, const std::string& connection,
                         std::optional<MemberTls> tls)
    : name_(std::move(name)), connection_(connection), tls_(std::move(tls)) {}

std::string ClusterNode::url() const {
  return fmt::format("{}://127.0.0.1:{}", tls_ ? "https" : "http", port_.number());
}

void ClusterNode::start() {
  std::vector<std::string> options{"--listen",          fmt::format("127.0.0.1:{}", port_.number()),
                                   "--cluster",         connection_,
                                   "--cluster-name",    name_,
                                   "--cluster-address", url()};
  if (tls_)
    for (const std::string& each :
         {std::string("--tls-cert"), tls_->certificate, std::string("--tls-key"), tls_->key,
          std::string("--cluster-ca-file"), tls_->authority})
      options.push_back(each);
  server_ = node_.serve(options);
  ASSERT_NE(server_->port(), 0) << name_ << ": " << read_file(node_.log());
}

void ClusterNode::kill() {
  server_->kill();
  server_.reset();
}

int ClusterNode::stop() {
  const int code = server_->stop();
  server_.reset();
  return code;
}

std::string ClusterNode::role() const {
  const json::object status = cluster_status(client());
  return status.empty() ? "" : std::string(status.at("role").as_string());
}

std::uint64_t ClusterNode::lsn() const {
  const json::object status = cluster_status(client());
  return status.empty() ? 0 : status.at("lsn").to_number<std::uint64_t>();
}

bool ClusterNode::is_ready() const {
  return eventually([&] {
    const Answer answer = node_.control().get("/health/ready");
    return answer && answer->status == 200;
  });
}

Cluster::Cluster(const std::vector<std::string>& maps) {
  const std::string database = wal::test::replicated_database().make_database();
  connection_ = wal::test::replicated_database().settings("admin", database).connection;
  for (const char* name : {"alpha", "beta", "gamma"})
    nodes_.push_back(std::make_unique<ClusterNode>(name, connection_));
  Node& first = alpha().node();
  for (const std::string& map : maps) EXPECT_EQ(first.import(map, {"--root"}).exit_code, 0);
  import_ = first.token("import");
  polling_ = first.token("polling");
  first.done({"cluster", "init", "--cluster", connection_});
  const std::string key = first.file("exported.key").string();
  first.done({"cluster", "key", "export", key});
  alpha().start();
  EXPECT_TRUE(alpha().is_ready()) << read_file(first.log());
  for (ClusterNode* other : {&beta(), &gamma()}) {
    const CommandResult joined = other->node().run(
        {"cluster", "join", "--cluster", connection_, "--from", alpha().url(), "--key", key});
    EXPECT_EQ(joined.exit_code, 0) << joined.err;
    other->start();
    EXPECT_TRUE(other->is_ready()) << read_file(other->node().log());
  }
}

ClusterNode* Cluster::leader() {
  ClusterNode* found = nullptr;
  const bool leads = eventually([&] {
    for (const auto& each : nodes_)
      if (each->runs() && each->role() == "leader") found = each.get();
    return found != nullptr;
  });
  return leads ? found : nullptr;
}

bool Cluster::all_reach(std::uint64_t lsn) {
  return eventually([&] {
    for (const auto& each : nodes_)
      if (each->runs() && each->lsn() < lsn) return false;
    return true;
  });
}

}  // namespace netml::e2e

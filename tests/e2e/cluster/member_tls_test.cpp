// Goal: members talk over TLS, and believe a certificate only where it leads to the authority that
// --cluster-ca-file names. Method: the program, with certificates of an authority of the test.
#include <gmock/gmock.h>

#include "tests/e2e/cluster/cluster_nodes.hpp"
#include "tests/net/support/certificate.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using testing::HasSubstr;

class MembersOverTls : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = wal::test::no_postgres(); !reason.empty())
      GTEST_SKIP() << reason;
    const std::string database = wal::test::replicated_database().make_database();
    connection_ = wal::test::replicated_database().settings("admin", database).connection;
    const net::TlsFiles files =
        authority_.issue(directory_.file("").string(), {.alternative_name = "IP:127.0.0.1"});
    tls_ = {.certificate = files.certificate_chain,
            .key = files.private_key,
            .authority = written("authority.pem", authority_.pem())};
    stranger_ = written("stranger.pem", net::Authority("another authority").pem());
    alpha_ = std::make_unique<ClusterNode>("alpha", connection_, tls_);
    EXPECT_EQ(alpha_->node().import(map(), {"--root"}).exit_code, 0);
    alpha_->node().done({"cluster", "init", "--cluster", connection_});
    key_ = directory_.file("members.key").string();
    alpha_->node().done({"cluster", "key", "export", key_});
    alpha_->start();
    ASSERT_TRUE(alpha_->is_ready()) << read_file(alpha_->node().log());
  }

  static std::string map() {
    return test::topology("P", "p", test::institution("p"), test::node("a"));
  }
  std::string written(std::string_view name, const std::string& content) const {
    write_file(directory_.file(name), content);
    return directory_.file(name).string();
  }
  CommandResult join(ClusterNode& as, const std::string& authority) {
    return as.node().run({"cluster", "join", "--cluster", connection_, "--from", alpha_->url(),
                          "--key", key_, "--cluster-ca-file", authority});
  }
  // Made from a copy of alpha, and started with that authority.
  std::unique_ptr<ClusterNode> beta(const std::string& authority) {
    MemberTls tls = tls_;
    tls.authority = authority;
    auto node = std::make_unique<ClusterNode>("beta", connection_, tls);
    const CommandResult joined = join(*node, tls_.authority);
    EXPECT_EQ(joined.exit_code, 0) << joined.err;
    node->start();
    EXPECT_TRUE(node->is_ready()) << read_file(node->node().log());
    return node;
  }

  const test::TemporaryDirectory directory_;
  const net::Authority authority_{"authority of the members"};
  std::string connection_;
  MemberTls tls_;
  std::string stranger_;  // the certificate of an authority that signed nothing
  std::string key_;
  std::unique_ptr<ClusterNode> alpha_;
};

TEST_F(MembersOverTls, JoinAndForwardUnderTheirOwnAuthority) {
  const auto follower = beta(tls_.authority);
  const CommandResult imported = follower->node().import(map(), {"--root"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
}

TEST_F(MembersOverTls, BelieveNoOtherCertificate) {
  ClusterNode node("gamma", connection_, tls_);
  const CommandResult refused = join(node, stranger_);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("certificate"));
  const auto follower = beta(stranger_);
  const CommandResult imported = follower->node().import(map(), {"--root"});
  EXPECT_NE(imported.exit_code, 0);
  EXPECT_THAT(imported.err, HasSubstr("certificate"));
}

}  // namespace
}  // namespace netml::e2e

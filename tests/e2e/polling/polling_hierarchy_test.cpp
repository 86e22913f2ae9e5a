// Goal: maps climb a hierarchy of nodes, and so do deletions (the purpose of polling). Method:
// three built programs on loopback, over HTTPS with an authority made for the test.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/node.hpp"
#include "tests/net/support/certificate.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A node that serves its map over TLS, and may poll the one below it.
class Level {
 public:
  Level(const std::string& name, const net::Authority& authority) : name_(name) {
    node_.done({"init", "--name", name, "--owner", name + " owner"});
    const net::TlsFiles files =
        authority.issue(node_.file(".").string(), {.alternative_name = "IP:127.0.0.1"});
    token_ = node_.token("polling");
    write_file(node_.file("ca.pem"), authority.pem());
    server_ = node_.serve({"--poll-allow", "127.0.0.1", "--tls-cert", files.certificate_chain,
                           "--tls-key", files.private_key});
  }

  void collects_from(const Level& below) {
    write_file(node_.file("token"), below.token_ + "\n");
    const std::string command = fmt::format(
        "exec {} source add {} --data {} --host 127.0.0.1 --port {} --token-stdin --ca-file {} "
        "< {}",
        program(), below.name_, node_.data(), below.server_->port(), node_.file("ca.pem").string(),
        node_.file("token").string());
    Process shell("/bin/sh", {"-c", command}, node_.file("out"), node_.file("err"));
    ASSERT_EQ(shell.wait(), 0) << read_file(node_.file("err"));
  }
  Node& node() { return node_; }
  void stop() { EXPECT_EQ(server_->stop(), 0) << read_file(node_.log()); }

 private:
  std::string name_;
  Node node_;
  std::string token_;
  std::unique_ptr<Server> server_;
};

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Both maps have the link between the two networks, with its ends.
test::TopologyText map_of(const std::string& id) {
  return test::topology(id, id + ":i", test::institution(id + ":i"), test::node("urn:border:a"),
                        test::node("urn:border:b"),
                        test::link("urn:border:link", "urn:border:a", "urn:border:b"));
}

TEST(PollingHierarchy, CarriesMapsAndDeletionsFromTheBottomToTheTop) {
  const net::Authority authority("authority of the test");
  Level bottom("Bottom", authority);
  Level middle("Middle", authority);
  Level top("Top", authority);
  middle.collects_from(bottom);
  top.collects_from(middle);
  ASSERT_EQ(bottom.node().import(map_of("urn:low").add(test::node("urn:low:n"))).exit_code, 0);
  ASSERT_EQ(middle.node().import(map_of("urn:mid")).exit_code, 0);

  EXPECT_THAT(middle.node().done({"source", "test"}), HasSubstr("good"));
  middle.node().done({"poll"});
  EXPECT_THAT(top.node().done({"poll"}), HasSubstr("Middle: "));
  const std::string seen = top.node().export_all();
  EXPECT_THAT(seen, AllOf(HasSubstr("urn:low:n"), HasSubstr("urn:mid:i"), HasSubstr("Bottom")));
  EXPECT_EQ(count(seen, "<grenml:Topology "), 5U) << "Top > Middle > (urn:mid, Bottom > urn:low)";
  EXPECT_LT(seen.find(">Top<"), seen.find(">Middle<"));
  EXPECT_LT(seen.find(">Middle<"), seen.find(">Bottom<"));
  EXPECT_THAT(top.node().done({"status", "--json"}), HasSubstr(R"("nodes":3,"links":1)"))
      << "the border and urn:low:n, each once";

  ASSERT_EQ(bottom.node().import(map_of("urn:low")).exit_code, 0);
  EXPECT_THAT(middle.node().done({"poll"}), HasSubstr("1 deleted"));
  EXPECT_THAT(top.node().done({"poll"}), HasSubstr("1 deleted"));
  EXPECT_THAT(top.node().export_all(), Not(HasSubstr("urn:low:n")));
  EXPECT_EQ(top.node().done({"poll"}), "Middle: unchanged since the last poll\n");
  EXPECT_EQ(top.node().run({"verify"}).exit_code, 0);
  for (Level* level : {&top, &middle, &bottom}) level->stop();
}

}  // namespace
}  // namespace netml::e2e

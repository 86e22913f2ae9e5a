// Goal: sources are kept, changed, reported and reverted by the real program, with and without a
// server, and no token of theirs is ever shown (A4, C5).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

class Sources : public testing::Test {
 protected:
  std::string list() { return node_.done({"source", "list"}); }
  Node node_;
};

TEST_F(Sources, AreChangedWithAndWithoutAServer) {
  node_.done({"source", "add", "peer", "--host", "peer.example.org"});
  {
    const auto server = node_.serve();
    node_.done({"source", "set", "peer", "--port", "8443", "--path", "map/"});
    node_.done({"source", "disable", "peer"});
    EXPECT_THAT(list(), HasSubstr("peer  no      https://peer.example.org:8443/map/"));
    EXPECT_EQ(node_.run({"source", "add", "peer", "--host", "other"}).exit_code, 1);
    EXPECT_EQ(server->stop(), 0);
  }
  EXPECT_THAT(list(), HasSubstr("peer  no      https://peer.example.org:8443/map/"));
  node_.done({"source", "delete", "peer"});
  EXPECT_THAT(list(), Not(HasSubstr("peer")));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_F(Sources, AreInTheLogAndTakenBack) {
  node_.done({"source", "add", "peer", "--host", "old.example.org"});
  node_.done({"source", "set", "peer", "--host", "new.example.org"});
  const std::string newest = node_.done({"log", "--cause", "source", "--limit", "1", "--json"});
  const std::size_t at = newest.find("\"lsn\":") + 6;
  const std::string lsn = newest.substr(at, newest.find_first_not_of("0123456789", at) - at);
  EXPECT_THAT(node_.done({"show", lsn}), HasSubstr("new.example.org"));
  node_.done({"undo", lsn});
  EXPECT_THAT(list(), HasSubstr("https://old.example.org:443/"));
}

TEST_F(Sources, AreRefusedWhenTheyCannotBePolledSafely) {
  EXPECT_THAT(list(), Not(HasSubstr("peer")));
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--host", "http://peer/"},
        {"--host", "0x7f000001"},
        {"--host", "peer", "--protocol", "http"},
        {"--host", "peer", "--unverified"},
        {"--host", "peer", "--port", "65536"},
        {"--host", "peer", "--path", "../"}}) {
    std::vector<std::string> words{"source", "add", "peer"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(node_.run(words).exit_code, 2) << options.back();
  }
  EXPECT_THAT(list(), Not(HasSubstr("peer")));
}

}  // namespace
}  // namespace netml::e2e

// A key that signs checkpoints: `netml key create` and `netml verify --key`, with the real program
// (rule L4).
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Signing : public testing::TestWithParam<bool> {
 protected:
  Signing() {
    node_.done({"init", "--name", "Net", "--owner", "Org"});
    if (GetParam()) server_ = node_.serve();
    key_ = node_.done({"key", "create"}).substr(0, 64);
  }
  Node node_;
  std::unique_ptr<Server> server_;
  std::string key_;
};

TEST_P(Signing, IsCheckedByWhoeverHasThePublicKey_L4) {
  node_.done({"publish", "One"});
  const CommandResult verified = node_.run({"verify", "--key", key_});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("signed"));
  const CommandResult stranger = node_.run({"verify", "--key", std::string(64, '0')});
  EXPECT_EQ(stranger.exit_code, 5);
  EXPECT_THAT(stranger.err, HasSubstr("no checkpoint is signed by the key"));
  EXPECT_EQ(node_.run({"verify", "--key", "x"}).exit_code, 2);
}

TEST_P(Signing, KeepsTheSecretFromOthersAndOutOfBackups) {
  struct stat status{};
  ASSERT_EQ(::stat((node_.data() + "/signing.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  node_.done({"backup", node_.file("b.tar").string()});
  const std::string backup = read_file(node_.file("b.tar"));
  EXPECT_EQ(backup.find(read_file(node_.data() + "/signing.key")), std::string::npos);
  EXPECT_NE(backup.find("netml-checkpoint-1 "), std::string::npos);
}

TEST_P(Signing, IsNotReplacedByAccident) {
  const CommandResult again = node_.run({"key", "create"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, AllOf(HasSubstr(key_), HasSubstr("nothing was changed")));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAServer, Signing, testing::Bool());

}  // namespace
}  // namespace netml::e2e

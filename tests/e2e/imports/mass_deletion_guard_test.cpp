// An import that would delete too much is held for an administrator (rule N7, decision 36;
// docs/import-plans.md).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// 40 of them are 43 elements with the institution, the global one, and the topology.
std::string with_nodes(int count) {
  test::TopologyText text = topology("P", "i", institution("i"));
  for (int i = 0; i < count; ++i) text.add(node(fmt::format("n{}", i)));
  return text;
}

class MassDeletionGuard_N7 : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(node_.import(with_nodes(40), {"--root"}).exit_code, 0);
    base_ = node_.export_all();
  }
  Node node_;
  std::string base_;
};

TEST_F(MassDeletionGuard_N7, IsOffAtFirst) {
  EXPECT_EQ(node_.done({"setting", "get", "MASS_DELETION_GUARD_COUNT"}), "0\n");
  EXPECT_EQ(node_.done({"setting", "get", "MASS_DELETION_GUARD_PERCENT"}), "0\n");
  EXPECT_EQ(node_.import(with_nodes(1), {"--root"}).exit_code, 0);
}

// They were called otherwise in version 0.1.
TEST_F(MassDeletionGuard_N7, AnswersToTheFormerNamesOfItsSettings) {
  for (const char* ending : {"COUNT", "PERCENT"}) {
    const std::string former = fmt::format("DELETION_BRAKE_{}", ending);
    const std::string name = fmt::format("MASS_DELETION_GUARD_{}", ending);
    node_.done({"setting", "set", former, "5"});
    EXPECT_EQ(node_.done({"setting", "get", name}), "5\n");
    EXPECT_EQ(node_.done({"setting", "get", former}), "5\n");
    EXPECT_THAT(node_.done({"show", "latest"}), AllOf(HasSubstr(name), Not(HasSubstr(former))));
    node_.done({"setting", "reset", former});
    EXPECT_EQ(node_.done({"setting", "get", name}), "0\n");
  }
}

TEST_F(MassDeletionGuard_N7, HoldsAnImportAsAPlanThatAnAdministratorApplies) {
  node_.done({"setting", "set", "MASS_DELETION_GUARD_PERCENT", "50"});
  EXPECT_EQ(node_.import(with_nodes(19), {"--root"}).exit_code, 0);  // 21 of 43
  node_.done({"undo", "import:2"});
  ASSERT_EQ(node_.export_all(), base_);
  const CommandResult held = node_.import(with_nodes(18), {"--root"});
  EXPECT_EQ(held.exit_code, 1);
  EXPECT_THAT(held.err, HasSubstr("held as plan 1 for an administrator: it would delete 22 of 43 "
                                  "elements, more than 50 %"));
  EXPECT_EQ(node_.export_all(), base_);
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("it would delete 22 of 43"));
  EXPECT_THAT(node_.done({"plan", "show", "1"}), HasSubstr("- Node n39\n"));
  const CommandResult applied = node_.run({"apply", "1"});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_THAT(applied.err, HasSubstr("0 created, 0 updated, 22 deleted"));
}

TEST_F(MassDeletionGuard_N7, IsToldByADryRun) {
  node_.done({"setting", "set", "MASS_DELETION_GUARD_PERCENT", "50"});
  const CommandResult fine = node_.import(with_nodes(19), {"--root", "--dry-run"});
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_THAT(fine.err, Not(HasSubstr("held")));
  const CommandResult held = node_.import(with_nodes(18), {"--root", "--dry-run"});
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_THAT(held.err, HasSubstr("22 deleted; the import would be held as a plan: it would delete "
                                  "22 of 43 elements, more than 50 %"));
  EXPECT_EQ(node_.export_all(), base_);
  EXPECT_THAT(node_.done({"plan", "list"}), Not(HasSubstr("it would delete")));
}

TEST_F(MassDeletionGuard_N7, AnswersAnUploadWithTheReasonAndLeavesARecord) {
  node_.done({"setting", "set", "MASS_DELETION_GUARD_COUNT", "5"});
  const std::string token = node_.token("import");
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  const Answer answer = server->client(token).upload(with_nodes(34));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 409);
  EXPECT_THAT(answer->body, AllOf(HasSubstr("held as plan 1 for an administrator"),
                                  HasSubstr("6 of 43 elements, more than 5")));
  EXPECT_EQ(node_.export_all(), base_);
  const json::value plans = json::parse(node_.done({"plan", "list", "--json"})).at("items");
  EXPECT_EQ(plans.at(0).at("import_record").to_number<std::uint64_t>(), 2U);
  const Answer record = server->client(token).get("/netml_import/records/2/");
  ASSERT_TRUE(record);
  EXPECT_THAT(record->body, AllOf(HasSubstr("3: Import aborted"), HasSubstr("held as plan 1")));
  EXPECT_EQ(server->client(token).upload(with_nodes(35))->status, 201);
}

TEST_F(MassDeletionGuard_N7, HoldsQueuedUploadsToo) {
  node_.done({"setting", "set", "MASS_DELETION_GUARD_COUNT", "5"});
  node_.done({"setting", "set", "IMPORT_ANSWER", "Queued"});
  const std::string token = node_.token("import");
  auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  const Client client = server->client(token);
  const Answer accepted = client.upload(with_nodes(1));
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->status, 201);
  const std::string location(accepted->headers.get("Location"));
  const std::string in_progress = "0: Import in progress";
  std::string record = in_progress;
  while (record.find(in_progress) != std::string::npos) record = client.get(location)->body;
  EXPECT_THAT(record, AllOf(HasSubstr("3: Import aborted"), HasSubstr("held as plan 1")));
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("it would delete 39 of 43"));
}

}  // namespace
}  // namespace netml::e2e

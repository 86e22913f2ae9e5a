// Uploads that no honest client sends (docs/requirements/durability-and-security.md, P7 and
// section 3). Each must be refused, change nothing, and leave the server with its memory and its
// readiness. Method: the real program; its memory is read from /proc.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using test::institution;
using test::topology;
using testing::HasSubstr;

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

class HostileUpload : public testing::Test {
 protected:
  static constexpr std::uint64_t kMoreKibMax = 300 * 1024;

  void SetUp() override {
    ASSERT_EQ(node_.import(topology("P", "p", institution("p"))).exit_code, 0);
    import_ = node_.token("import");
    polling_ = node_.token("polling");
    before_ = node_.export_all();
    server_ = node_.serve();
    memory_before_ = server_->memory_kib("VmRSS");
  }
  // Whatever came before.
  void expect_unharmed() {
    EXPECT_LT(server_->memory_kib("VmHWM"), memory_before_ + kMoreKibMax);
    EXPECT_EQ(server_->client(polling_).get("/netml_export/")->body, before_);
    EXPECT_EQ(server_->client("").get("/status/")->status, 200);
    EXPECT_EQ(server_->client(import_).upload(topology("P", "p", institution("p")))->status, 201);
    EXPECT_EQ(server_->stop(), 0);
    EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(node_.data()) / "tmp"));
  }

  Node node_;
  std::string import_;
  std::string polling_;
  std::string before_;
  std::unique_ptr<Server> server_;
  std::uint64_t memory_before_ = 0;
};

// Whole but for its last bytes, at places in its head, its form and its file.
TEST_F(HostileUpload, CutOffAnywhereChangesNothing) {
  const std::string body =
      form_head({}) + std::string(topology("Q", "q", institution("q"))).append(kFormTail);
  const std::string request = fmt::format(
      "POST /netml_import/upload/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
      import_, kFormType, body.size(), body);
  constexpr std::size_t kCuts = 100;
  for (std::size_t i = 1; i <= kCuts; ++i) {
    auto channel = net::connect_tcp({"127.0.0.1", server_->port()}, kPatience);
    ASSERT_TRUE(channel.has_value());
    const std::size_t cut = std::min(request.size() - 1, request.size() * i / kCuts);
    ASSERT_EQ((*channel)->write_some(std::string_view(request).substr(0, cut)).value_or(0), cut);
  }
  const Answer record = server_->client(import_).get("/netml_import/records/2/");
  EXPECT_EQ(record->status, 404) << "not even a record of the attempt";
  expect_unharmed();
}

TEST_F(HostileUpload, WithADocumentTypeIsRefusedByThatName) {
  const Answer answer = server_->client(import_).upload(
      "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]><a>&c;</a>");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 400);
  EXPECT_THAT(answer->body, HasSubstr("document type declarations are not accepted"));
  expect_unharmed();
}

TEST_F(HostileUpload, OfFiveMillionNestedElementsIsRefused) {
  constexpr std::size_t kDepth = 5'000'000;
  const Answer closed =
      server_->client(import_).upload(repeated("<a>", kDepth) + repeated("</a>", kDepth));
  ASSERT_TRUE(closed.has_value()) << closed.error().message;
  EXPECT_EQ(closed->status, 400);
  const Answer open = server_->client(import_).upload_pattern("<grenml:Topology>", 35'000'000);
  ASSERT_TRUE(open.has_value()) << open.error().message;
  EXPECT_EQ(open->status, 400);
  expect_unharmed();
}

TEST_F(HostileUpload, OfAMillionAttributesIsRefused) {
  std::string file = "<a";
  for (int i = 0; i < 1'000'000; ++i) file += fmt::format(" a{}=\"\"", i);
  const Answer answer = server_->client(import_).upload(file + "/>");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 400);
  expect_unharmed();
}

TEST_F(HostileUpload, OfAGibibyteOfRubbishIsRefused) {
  constexpr std::uint64_t kAlmostAGibibyte = 1023ULL << 20;  // a form with more would be 413
  // One that the disk has no room for three times would be 507.
  const std::uint64_t fits = std::filesystem::space(node_.data()).available / 4;
  const Answer rubbish = server_->client(import_).upload_pattern(
      std::string_view("\x00\xffrubbish<&>]]>\x1b\n", 17), std::min(kAlmostAGibibyte, fits));
  ASSERT_TRUE(rubbish.has_value()) << rubbish.error().message;
  EXPECT_EQ(rubbish->status, 400);
  expect_unharmed();
}

TEST_F(HostileUpload, AboveTheLimitIsRefusedBeforeItIsRead) {
  const Answer answer = server_->client(import_).upload_pattern("<a/>", 1ULL << 40);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 413);
  expect_unharmed();
}

}  // namespace
}  // namespace netml::e2e

// The rows of the hostile-input table (docs/requirements/durability-and-security.md, section 3)
// that concern uploads. "Leaves nothing": no file was kept and none is still on its way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/admin/support/public_server.hpp"

namespace netml::admin {
namespace {

using net::ask_once;
using net::bearer;
using net::Form;
using net::kImportToken;
using net::kMebibyte;
using net::kPollingToken;
using net::RawClient;
using net::RawResponse;
using net::request;
using net::ServerOptions;
using net::upload_request;

class HostileUploadTest : public ::testing::Test {
 protected:
  explicit HostileUploadTest(ServerOptions options = {}) : server_(std::move(options)) {}
  void expect_refused(std::string_view bytes, int status) {
    const RawResponse response = ask_once(server_.port, bytes);
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_TRUE(response.body.starts_with(R"({"detail":)")) << response.body;
  }
  void TearDown() override {
    server_.server->stop(std::chrono::seconds(10));
    EXPECT_TRUE(server_.holds_nothing());
    EXPECT_EQ(server_.records(), 0U);
  }
  static std::string multipart(std::string_view content_type, std::string_view body) {
    return request("POST", "/netml_import/upload/",
                   fmt::format("{}Content-Type: {}\r\n", bearer(kImportToken), content_type), body);
  }

  testing::PublicServer server_;
};

class SmallUploadTest : public HostileUploadTest {
 protected:
  SmallUploadTest() : HostileUploadTest(small()) {}
  static ServerOptions small() {
    ServerOptions options;
    options.limits.upload_bytes_max = 10'000;
    return options;
  }
};

// X6: without a token nothing else is reported, and no body is asked for.
TEST_F(HostileUploadTest, ChecksTheTokenBeforeAnythingElseX6) {
  const std::string denied = ask_once(server_.port, request("POST", "/netml_import/upload/")).body;
  for (const std::string& authorization :
       {std::string(), bearer("wrong"), bearer(kPollingToken), bearer(""),
        fmt::format("Authorization: Basic {}\r\n", kImportToken),
        fmt::format("Authorization: Bearer  {}\r\n", kImportToken),
        fmt::format("Authorization: Bearer {} x\r\n", kImportToken)}) {
    for (const char* fields : {"Content-Type: text/plain\r\n", "Content-Encoding: gzip\r\n",
                               "Content-Length: 99999999999\r\n", "Expect: 100-continue\r\n"}) {
      const RawResponse response =
          ask_once(server_.port, request("POST", "/netml_import/upload/", authorization + fields));
      EXPECT_EQ(response.status, 403) << authorization << fields;
      EXPECT_EQ(response.body, denied);
    }
  }
}

TEST_F(SmallUploadTest, RefusesBodiesBeyondTheLimitDeclaredOrNot) {
  Form form;
  form.file("a.xml", std::string(20'000, 'x'));
  expect_refused(upload_request(form), 413);
  std::string head = upload_request(form, "Transfer-Encoding: chunked\r\n");
  head = head.substr(0, head.find("\r\n\r\n") + 4);
  const std::size_t length = head.find("Content-Length");
  head.erase(length, head.find("\r\n", length) + 2 - length);
  expect_refused(head + fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", form.closed().size(), form.closed()),
                 413);
}

TEST_F(SmallUploadTest, TellsTheNameOfTheLimitItsValueAndHowToRaiseIt) {
  Form form;
  form.file("a.xml", std::string(20'000, 'x'));
  const RawResponse response = ask_once(server_.port, upload_request(form));
  EXPECT_TRUE(
      response.body.starts_with(R"({"detail":"bytes of the body: above upload_bytes_max (10000); )"
                                R"(raise it with --limit upload_bytes_max=N")"))
      << response.body;
}

TEST_F(HostileUploadTest, RefusesEncodedBodies) {
  Form form;
  form.file("a.xml", "x");
  expect_refused(upload_request(form, "Content-Encoding: gzip\r\n"), 415);
}

TEST_F(HostileUploadTest, RefusesMissingLongAndUnclosedBoundaries) {
  expect_refused(multipart("multipart/form-data", "x"), 400);
  expect_refused(multipart("multipart/form-data; boundary=" + std::string(71, 'b'), "x"), 400);
  expect_refused(multipart("application/json", "{}"), 400);
  Form form;
  form.file("a.xml", "x");
  expect_refused(multipart("multipart/form-data; boundary=" + form.boundary, form.body), 400);
}

// 6 M empty parts of 51 bytes would be 300 MiB; reading stops at the seventeenth.
// What comes after it is dropped unread.
TEST_F(HostileUploadTest, StopsAtTheSeventeenthPart) {
  std::string many;
  for (int i = 0; i < 1000; ++i)
    many += "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
  constexpr std::size_t kTimes = 1000;
  RawClient client(server_.port);
  client.send(request("POST", "/netml_import/upload/",
                      fmt::format("{}Content-Type: multipart/form-data; boundary=b\r\n"
                                  "Content-Length: {}\r\n",
                                  bearer(kImportToken), kTimes * many.size())));
  for (std::size_t i = 0; i < kTimes; ++i) ASSERT_TRUE(client.send(many));
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 413);
  server_.events.wait_for_accesses(1);
  EXPECT_LT(server_.events.accesses().front().received, 2 * kMebibyte);
}

TEST_F(HostileUploadTest, RefusesFormsWithoutOneProperFile) {
  expect_refused(upload_request(Form().field("topology_name", "x")), 400);
  expect_refused(upload_request(Form().field("file", "no file name")), 400);
  expect_refused(upload_request(Form().file("a.xml", "x").file("b.xml", "y")), 400);
  for (const char* name : {"../a.xml", "/etc/a.xml", "a\\b.xml", ""})
    EXPECT_GE(ask_once(server_.port, upload_request(Form().file(name, "x"))).status, 400) << name;
  expect_refused(upload_request(Form().file(std::string(65'536, 'x') + ".xml", "x")), 400);
  expect_refused(upload_request(Form().file(std::string("a\0.xml", 6), "x")), 400);
}

TEST_F(HostileUploadTest, RefusesFileNamesOfOtherKinds) {
  for (const char* name : {"a.txt", "x_xml.pdf", "fooxml", ".xml", "a.xml.exe", "a"})
    expect_refused(upload_request(Form().file(name, "x")), 406);
}

TEST_F(HostileUploadTest, RefusesLongBrokenAndRepeatedFields) {
  expect_refused(upload_request(Form().field("topology_name", std::string(70'000, 'x'))), 413);
  expect_refused(upload_request(Form().field("topology_name", "\xff").file("a.xml", "x")), 400);
  expect_refused(
      upload_request(
          Form().field("topology_name", "a").field("topology_name", "b").file("a.xml", "x")),
      400);
}

// Cut at every byte, nothing remains.
TEST_F(HostileUploadTest, LeavesNothingWhenCutAtAnyByte) {
  Form form;
  form.field("topology_name", "t").file("a.xml", std::string(20'000, 'x'));
  const std::string bytes = upload_request(form);
  // The closing boundary's line end is no part of the form; before it every cut is in the middle.
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    RawClient client(server_.port);
    ASSERT_TRUE(client.send(std::string_view(bytes).substr(0, cut)));
    if (cut % 2 == 0)
      client.abort();
    else
      client.stop_sending();
  }
  server_.server->stop(std::chrono::seconds(60));
}

}  // namespace
}  // namespace netml::admin

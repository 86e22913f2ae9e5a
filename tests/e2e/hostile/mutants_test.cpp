// Goal: nothing that strangers or known clients send makes a running node fail or fall: heads that
// can be read in two ways, requests and files with changes, connections that break
// (docs/requirements/http-api.md, section 19; docs/requirements/durability-and-security.md,
// section 3). Method: the real program in a control group, over raw sockets; all changes follow
// from a number. An answer is one of HTTP that is no failure of the server's; what is hidden behind
// an ambiguous head never runs; afterwards the node exports, imports, and its data are sound. Long:
// bench/attack, with NETML_MUTANT_REQUESTS, NETML_MUTANT_CONNECTIONS, NETML_MUTANT_FILES and
// NETML_MUTANT_SHEETS, how many of each; NETML_ATTACK_MEMORY (MiB of the control group).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/codecs/workbook_text.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/damage.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

constexpr std::uint64_t kBetweenLooks = 500;

std::string sound_file() {
  return test::topology("P", "p", test::institution("p").with("k", "v"), test::node("a"),
                        test::node("b").lifetime("<nml:start>2020-01-01T00:00:00Z</nml:start>"),
                        test::link("l", "a", "b"),
                        test::topology("C", "c", test::institution("c")));
}

std::string with_body(std::string_view line, std::string_view fields, std::string_view body) {
  return fmt::format("{} HTTP/1.1\r\nHost: localhost\r\n{}Content-Length: {}\r\n\r\n{}", line,
                     fields, body.size(), body);
}

// How many answers of each status there were.
class Tally {
 public:
  void add(const std::string& text, int status) {
    ++statuses_[status];
    ++all_;
    // Who says that it is done before the answer has begun may be taken for gone.
    const bool left =
        status == 503 && text.find(R"({"detail":"the client has left"})") != std::string::npos;
    const bool failed = status >= 500 && status != 501 && status != 505 && !left;
    if (failed && ++failed_ == 1) first_failure_ = text;
  }
  void expect_no_failure(std::string_view what) const {
    std::string counts;
    for (const auto& [status, count] : statuses_)
      counts +=
          status == 0 ? fmt::format(" none: {}", count) : fmt::format(" {}: {}", status, count);
    std::cout << all_ << " " << what << ", answers:" << counts << '\n';
    EXPECT_EQ(failed_, 0U) << what << ": " << all_ << " sent, " << failed_
                           << " answered by a failure, first: " << first_failure_;
  }

 private:
  std::map<int, std::uint64_t> statuses_;  // 0: the connection ended without an answer
  std::uint64_t all_ = 0;
  std::uint64_t failed_ = 0;
  std::string first_failure_;
};

int status_of(const std::string& answer) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  return answer.starts_with(kStart) ? std::atoi(answer.c_str() + kStart.size()) : 0;
}

class Mutants : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("NETML_ATTACK_MEMORY") != nullptr && !group_.made())
      GTEST_SKIP() << "no control group with a limit of memory may be made here";
    import_ = node_.token("import");
    polling_ = node_.token("polling");
    server_ = node_.serve({}, {}, group_.made() ? group_.enter() : "");
    ASSERT_EQ(server_->client(import_).upload(sound_file())->status, 201);
  }
  // Everything that comes until the connection ends; the client says at once that it is done.
  std::string answers_to(const std::string& bytes) const {
    net::RawClient client(server_->port());
    client.send(bytes);
    client.stop_sending();
    return client.receive_rest();
  }
  bool lives() {
    const Answer status = server_->client("").get("/status/");
    return status && status->status == 200;
  }
  void expect_all_is_well() {
    EXPECT_TRUE(lives());
    const std::optional<int> ended = server_->process().wait(std::chrono::milliseconds(0));
    ASSERT_EQ(ended, std::nullopt) << "the node ended with " << *ended;
    EXPECT_EQ(server_->client(polling_).get("/netml_export/")->status, 200);
    EXPECT_EQ(server_->client(import_).upload(sound_file())->status, 201);
    std::cout << server_->memory_kib("VmHWM") / 1024 << " MiB of memory at most\n";
    EXPECT_EQ(server_->stop(), 0);
    const CommandResult verified = node_.run({"verify"});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
  // What clients send, each known and unknown.
  std::vector<std::string> sound_requests() const {
    const std::string known = fmt::format("Authorization: Bearer {}\r\n", polling_);
    const std::string uploads =
        fmt::format("Authorization: Bearer {}\r\nContent-Type: {}\r\n", import_, kFormType);
    const std::string form = form_head({}).append(sound_file()).append(kFormTail);
    const std::string session = "Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n";
    const std::string chunked =
        "POST /netml_import/upload/ HTTP/1.1\r\nHost: localhost\r\n" + uploads +
        fmt::format("Transfer-Encoding: chunked\r\n\r\n{:x};a=b\r\n{}\r\n0\r\nT: x\r\n\r\n",
                    form.size(), form);
    return {with_body("GET /status/", "", ""),
            with_body("GET /netml_export/", known, ""),
            with_body("GET /netml_export/?topology=P", known + "Accept: text/xml;q=0.5\r\n", ""),
            with_body("GET /api/v1/map?at=2", "Accept-Encoding: gzip, br;q=0.1\r\n", ""),
            with_body("GET /admin/", "Range: bytes=0-10\r\nIf-None-Match: \"a\"\r\n", ""),
            with_body("POST /api/v1/session", session, R"({"name":"eve","password":"guess"})"),
            with_body("POST /visualization/graphql/", "Content-Type: application/json\r\n",
                      R"({"query":"{nodes {id name linksA {id}}}","variables":{"a":1}})"),
            with_body("POST /netml_import/upload/", uploads, form),
            chunked};
  }

  ControlGroup group_{number_from_environment("NETML_ATTACK_MEMORY", 512) * kMebibyte};
  Node node_;
  std::string import_;
  std::string polling_;
  std::unique_ptr<Server> server_;
};

TEST_F(Mutants, OfRequestsAreAnsweredOrRefused) {
  const std::vector<std::string> sound = sound_requests();
  for (const std::string& request : sound)
    EXPECT_LT(net::ask_once(server_->port(), request).status, 500) << request;
  const std::uint64_t wanted = number_from_environment("NETML_MUTANT_REQUESTS", 2000);
  Tally tally;
  for (std::uint64_t number = 1; number <= wanted; ++number) {
    const std::string answer = answers_to(Damage(number).bytes(sound[number % sound.size()]));
    EXPECT_TRUE(answer.empty() || status_of(answer) != 0) << number << ": " << answer;
    tally.add(fmt::format("{}: {}", number, answer), status_of(answer));
    ASSERT_TRUE(number % kBetweenLooks != 0 || lives()) << "after request " << number;
  }
  tally.expect_no_failure("mutated requests");
  expect_all_is_well();
}

// Each is a head that two readers may take for different things, or a host that is not ours.
std::vector<std::string> tricks() {
  std::vector<std::string> all;
  const auto fields = [&](std::string_view text) {
    all.push_back(fmt::format("POST {{}} HTTP/1.1\r\nHost: localhost\r\n{}\r\n\r\n", text));
  };
  for (const char* text : {"Content-Length: 3\r\nTransfer-Encoding: chunked",
                           "Transfer-Encoding: chunked\r\nContent-Length: 3",
                           "Content-Length: 3\r\nContent-Length: 4",
                           "Content-Length: 3, 4",
                           "Content-Length: 3\r\nContent-Length: 3",
                           "Content-Length: +3",
                           "Content-Length: -1",
                           "Content-Length: 0x3",
                           "Content-Length: 3 3",
                           "Content-Length:",
                           "Content-Length: 18446744073709551616",
                           "Content-Length : 3",
                           "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                           "Transfer-Encoding : chunked",
                           "Transfer-Encoding: gzip",
                           "Transfer-Encoding: xchunked",
                           "Transfer-Encoding: chunked, gzip",
                           "Transfer-Encoding: gzip, chunked",
                           "Transfer-Encoding: identity",
                           "Transfer-Encoding: \"chunked\"",
                           "Transfer-Encoding:\tchunked\x0b",
                           "Transfer-Encoding: \r\n chunked",
                           "X: a\r\n b",
                           "X: a\nY: b",
                           "X: a\rY: b",
                           "Host: localhost",
                           "Host: evil.example"})
    fields(text);
  for (const char* head :
       {"POST {} HTTP/1.1\nHost: localhost\n\n", "POST {} HTTP/1.1\r\n Host: localhost\r\n\r\n",
        "POST {} HTTP/2.0\r\nHost: localhost\r\n\r\n",
        "POST  {} HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST {}\r\n\r\n",
        "POST {} HTTP/1.1\r\n\r\n", "POST {} HTTP/1.1\r\nHost: \r\n\r\n",
        "POST {} HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "POST {} HTTP/1.1\r\nHost: localhost:x\r\n\r\n",
        "POST {} HTTP/1.1\r\nHost: a@localhost\r\n\r\n",
        "POST http://evil.example{} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST {} HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"})
    all.emplace_back(head);
  return all;
}

// A request behind the head, which somebody who may export has made, is never run.
TEST_F(Mutants, OfHeadsHideNoRequest) {
  constexpr std::array kPaths{"/status/",
                              "/netml_import/upload/",
                              "/api/v1/session",
                              "/visualization/graphql/",
                              "/nowhere/",
                              "/admin/",
                              "/api/v1/map",
                              "/netml_export/",
                              "/netml_import/test/",
                              "/api/v1/map/difference?from=2&to=3",
                              "/%2e%2e/",
                              "/static/../admin/"};
  const std::string hidden =
      with_body("GET /netml_export/", fmt::format("Authorization: Bearer {}\r\n", polling_), "");
  EXPECT_THAT(answers_to(hidden), testing::HasSubstr("X-NetML-Head"));  // what would show it
  const std::vector<std::string> heads = tricks();
  Tally tally;
  for (const std::string& head : heads)
    for (const char* path : kPaths) {
      const std::string request = fmt::format(fmt::runtime(head), path) + hidden;
      const std::string answer = answers_to(request);
      EXPECT_THAT(answer, testing::Not(testing::HasSubstr("X-NetML-Head"))) << request;
      EXPECT_GE(status_of(answer), 400) << request << "\nanswered by: " << answer;
      tally.add(request, status_of(answer));
    }
  tally.expect_no_failure("tricks with framing and hosts");
  expect_all_is_well();
}

// Several requests at once, cut anywhere, left in each way.
TEST_F(Mutants, OfConnectionsEndAlone) {
  const std::vector<std::string> sound = sound_requests();
  const std::uint64_t wanted = number_from_environment("NETML_MUTANT_CONNECTIONS", 500);
  Tally tally;
  for (std::uint64_t number = 1; number <= wanted; ++number) {
    Damage damage(number);
    std::string bytes;
    for (std::size_t count = 1 + damage.below(20); count > 0; --count)
      bytes += sound[damage.below(sound.size())];
    bytes.resize(damage.below(bytes.size()) + 1);
    net::RawClient client(server_->port());
    client.send(bytes);
    if (damage.one_in(3)) {
      client.abort();
      tally.add({}, 0);
      continue;
    }
    client.stop_sending();
    const std::string answer = client.receive_rest();
    tally.add(fmt::format("{}: {}", number, answer), status_of(answer));
    ASSERT_TRUE(number % kBetweenLooks != 0 || lives()) << "after connection " << number;
  }
  tally.expect_no_failure("pipelined and broken connections");
  expect_all_is_well();
}

TEST_F(Mutants, OfFilesAreImportedOrRefused) {
  const std::uint64_t wanted = number_from_environment("NETML_MUTANT_FILES", 500);
  Tally tally;
  for (std::uint64_t number = 1; number <= wanted; ++number) {
    const Answer answer = server_->client(import_).upload(Damage(number).markup(sound_file()));
    ASSERT_TRUE(answer.has_value()) << "file " << number << ": " << answer.error().message;
    tally.add(fmt::format("{}: {}", number, answer->body), answer->status);
  }
  tally.expect_no_failure("mutated files of XML");
  expect_all_is_well();
}

std::string rows_of(const std::vector<codecs::test::Row>& rows) {
  std::string xml;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    xml += fmt::format("<row r=\"{}\">", row + 1);
    for (std::size_t column = 0; column < rows[row].size(); ++column)
      xml += codecs::test::cell_xml(
          fmt::format("{}{}", engine::column_letters(column + 1), row + 1), rows[row][column]);
    xml += "</row>";
  }
  return xml;
}

TEST_F(Mutants, OfWorkbooksAreImportedOrRefused) {
  using codecs::test::kNodeHeaders;
  const std::string rows =
      rows_of({kNodeHeaders, {"A", "", "a", "#1", "#2"}, {"B", "", "b", "#3", "#4"}});
  const std::uint64_t wanted = number_from_environment("NETML_MUTANT_SHEETS", 200);
  Tally tally;
  for (std::uint64_t number = 1; number <= wanted; ++number) {
    Damage damage(number);
    auto workbook = codecs::test::small_workbook();
    const bool inside = damage.one_in(2);  // else the file as a whole
    if (inside) workbook.sheet_xml("Nodes", damage.markup(rows));
    const std::string bytes = workbook.build();
    const Answer answer = server_->client(import_).upload(
        inside ? bytes : damage.bytes(bytes),
        {.file_name = "map.xlsx", .fields = {{"topology_name", "N"}}});
    ASSERT_TRUE(answer.has_value()) << "workbook " << number << ": " << answer.error().message;
    tally.add(fmt::format("{}: {}", number, answer->body), answer->status);
  }
  tally.expect_no_failure("mutated workbooks");
  expect_all_is_well();
}

}  // namespace
}  // namespace netml::e2e

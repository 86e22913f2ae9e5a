// Goal: the program goes on where memory is short: an import that cannot fit is refused with the
// numbers, whatever many clients ask at once is bounded, and reads are answered all the while
// (docs/operation.md, "Memory").
// Method: the real program under a real limit: of its address space, which every system has; of a
// control group, where the test may make one.
// Long: NETML_MEMORY_FILES=100,500 e2e_tests --gtest_filter='InAContainer.*' imports maps of so
// many MB in a container of 512 MiB.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/json.hpp>
#include <csignal>
#include <deque>
#include <fstream>
#include <sstream>
#include <thread>

#include "bench/generator/generator.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/sanitized.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A map of about so many bytes; larger ones have more topologies.
std::string map_of(std::uint64_t bytes) {
  constexpr std::uint64_t kTopologyBytes = 50'000;
  generator::GeneratorOptions options;
  options.topologies =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(bytes / kTopologyBytes, 1));
  return generator::generate_text(options);
}

// One element after the other, none longer than it must be: the most that a file can ask for.
std::string dense_map(std::size_t institutions) {
  test::TopologyText map("P", "o");
  map.add(test::institution("o"));
  for (std::size_t i = 0; i < institutions; ++i) map.add(test::institution(fmt::format("{}", i)));
  return map;
}

std::string dense_map_of(std::uint64_t bytes) {
  return dense_map(bytes / (dense_map(1000).size() / 1000));
}

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
    ASSERT_EQ(node_.import(small_).exit_code, 0);
    import_ = node_.token("import");
    polling_ = node_.token("polling");
  }
  void serve(const std::string& before, const std::vector<std::string>& options = {}) {
    server_ = node_.serve(options, {}, before);
  }
  net::ClientResponse upload(const std::string& file) {
    const Answer answer = server_->client(import_).upload(file);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer.value_or(net::ClientResponse{});
  }
  boost::json::value memory() {
    const Answer answer = node_.control().get("/api/v1/node/status");
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return boost::json::parse(answer->body).at("memory");
  }
  void expect_goes_on() {
    const Answer exported = server_->client(polling_).get("/netml_export/");
    ASSERT_TRUE(exported.has_value()) << exported.error().message;
    EXPECT_EQ(exported->status, 200);
    EXPECT_EQ(upload(small_).status, 201) << "what fits is imported";
    EXPECT_EQ(server_->process().wait(std::chrono::milliseconds(0)), std::nullopt);
  }

  const std::string small_ =
      test::topology("P", "o", test::institution("o"), test::node("n")).with("note", "small");
  Node node_;
  std::string import_;
  std::string polling_;
  std::unique_ptr<Server> server_;
};

class InLittleAddressSpace : public Memory {
 protected:
  // What the program takes to serve at all, and so much more.
  void serve_with(std::uint64_t spare_mebibytes, bool all_of_it = true) {
    serve(limit_of(4096));
    space_ = server_->memory_kib("VmSize") / 1024 + spare_mebibytes;
    server_->stop();
    const std::string whole = fmt::format("{}M", space_);
    serve(limit_of(space_),
          all_of_it ? std::vector<std::string>{"--memory-max", whole} : std::vector<std::string>{});
  }
  static std::string limit_of(std::uint64_t mebibytes) {
    return fmt::format("ulimit -v {}", mebibytes * 1024);
  }

  std::uint64_t space_ = 0;  // MiB
};

TEST_F(InLittleAddressSpace, AnImportThatCannotFitIsRefusedBeforeItIsSent) {
  serve_with(128, false);
  const Answer refused = server_->client(import_).upload_pattern("<a/>", 2 * space_ * kMebibyte);
  ASSERT_TRUE(refused.has_value()) << refused.error().message;
  EXPECT_EQ(refused->status, 507);
  EXPECT_THAT(refused->body, HasSubstr(fmt::format("the address space limit, {} MiB", space_)));
  expect_goes_on();
}

TEST_F(InLittleAddressSpace, AnImportThatRunsOutOfItIsRefusedAndNothingElse) {
  serve_with(96);
  const std::string before = server_->client(polling_).get("/netml_export/")->body;
  const net::ClientResponse refused = upload(dense_map_of(68 * kMebibyte));
  EXPECT_EQ(refused.status, 507) << refused.body;
  EXPECT_EQ(server_->client(polling_).get("/netml_export/")->body, before);
  expect_goes_on();
}

TEST_F(InLittleAddressSpace, ManyClientsAtOnceAreAnsweredOrAskedToComeAgain) {
  ASSERT_EQ(node_.import(map_of(2 * kMebibyte)).exit_code, 0);
  serve_with(64);
  const std::vector<std::string> questions{"/api/v1/map", "/api/v1/map?at=2", "/api/v1/map?at=3",
                                           "/api/v1/map/difference?from=2&to=3", "/netml_export/"};
  std::vector<std::thread> clients;
  std::atomic<int> answered{0};
  std::atomic<int> asked_again{0};
  for (int i = 0; i < 40; ++i)
    clients.emplace_back([&, i] {
      const Answer answer = server_->client(polling_).get(questions[i % questions.size()]);
      if (!answer) return;
      if (answer->status == 200) ++answered;
      if (answer->status == 503 && !answer->headers.get("Retry-After").empty()) ++asked_again;
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered + asked_again, 40);
  EXPECT_GT(answered, 0);
  expect_goes_on();
}

// ---- what anybody may ask ----

// A thousand nodes in a ring, and a hub that is linked to each.
std::string wheel() {
  test::TopologyText map("W", "o");
  map.add(test::institution("o")).add(test::node("hub"));
  constexpr int kNodes = 1'000;
  for (int i = 0; i < kNodes; ++i) map.add(test::node(fmt::format("n{}", i)));
  for (int i = 0; i < kNodes; ++i) {
    const std::string node = fmt::format("n{}", i);
    map.add(test::link("r" + node, node, fmt::format("n{}", (i + 1) % kNodes)));
    map.add(test::link("h" + node, "hub", node));
  }
  return map;
}

// `aliases` at each of `levels` from node to link to node.
std::string nested_query(int aliases, int levels) {
  std::string query = "id";
  for (int level = 0; level < levels; ++level) {
    std::string wider;
    for (int i = 0; i < aliases; ++i)
      wider += i == 0 ? "linksA {nodeB {" + query + "}} " : fmt::format("a{}: id ", i);
    query = wider;
  }
  return "{nodes {" + query + "}}";
}

class Queries : public Memory {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(Memory::SetUp());
    if (IsSkipped()) return;
    ASSERT_EQ(node_.import(wheel()).exit_code, 0);
    serve({});
    ASSERT_EQ(server_->client(polling_).get("/netml_export/")->status, 200);  // as every day
    at_rest_ = server_->memory_kib("VmHWM");
  }
  Answer ask(const std::string& query) const {
    return Client(server_->port(), "")
        .send("POST", "/visualization/graphql/", headers("application/graphql"), query);
  }
  static net::Headers headers(std::string_view type) {
    net::Headers headers;
    headers.set("Content-Type", type);
    return headers;
  }
  void expect_little_was_taken() { EXPECT_LT(server_->memory_kib("VmHWM"), at_rest_ + 100 * 1024); }

  std::uint64_t at_rest_ = 0;  // KiB
};

TEST_F(Queries, OfManyClientsTakeLittleMemoryAndKeepNobodyWaiting) {
  const std::vector<std::string> queries{nested_query(900, 3), nested_query(30, 1),
                                         nested_query(4, 6), nested_query(1, 6),
                                         "{links {id nodeA {id linksA {id name}}}}"};
  std::atomic<bool> asking{true};
  std::atomic<int> refused{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 16; ++i)
    clients.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        const Answer answer = ask(queries[(i + round) % queries.size()]);
        ASSERT_TRUE(answer.has_value()) << answer.error().message;
        EXPECT_THAT(answer->status, testing::AnyOf(200, 400, 503)) << answer->body;
        if (answer->status == 400) ++refused;
      }
    });
  std::thread watcher([&] {
    while (asking) {
      EXPECT_EQ(server_->client(polling_).get("/netml_export/")->status, 200);
      EXPECT_EQ(Client(server_->port(), "").get("/status/")->status, 200);
    }
  });
  for (std::thread& client : clients) client.join();
  asking = false;
  watcher.join();
  EXPECT_GT(refused, 0);
  expect_little_was_taken();
  expect_goes_on();
}

TEST_F(Queries, OfClientsThatReadNothingTakeLittleMemory) {
  const std::string query =
      "{nodes {id name owners {id name} properties {name value}} "
      "links {id nodeA {id name} nodeB {id name}}}";
  const std::string request = fmt::format(
      "POST /visualization/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
      "application/graphql\r\nContent-Length: {}\r\n\r\n{}",
      query.size(), query);
  std::deque<net::RawClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(server_->port()).send(request);
  EXPECT_EQ(Client(server_->port(), "").get("/status/")->status, 200);
  EXPECT_EQ(server_->client(polling_).get("/netml_export/")->status, 200);
  EXPECT_THAT(ask(query)->status, testing::AnyOf(200, 503));
  expect_little_was_taken();
  clients.clear();
  expect_goes_on();
}

TEST_F(Queries, OfStrangersHaveShortBodies) {
  const Answer refused = Client(server_->port(), "")
                             .send("POST", "/api/v1/session", headers("application/json"),
                                   std::string(300 << 10, ' '));
  ASSERT_TRUE(refused.has_value()) << refused.error().message;
  EXPECT_EQ(refused->status, 413);
  EXPECT_THAT(refused->body, HasSubstr("open_form_bytes_max"));
}

TEST_F(Queries, WhoseBodiesDoNotComeTakeLittleMemory) {
  std::deque<net::RawClient> clients;
  for (int i = 0; i < 400; ++i)
    clients.emplace_back(server_->port())
        .send(
            "POST /visualization/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            "application/graphql\r\nContent-Length: 262144\r\n\r\n{");
  EXPECT_EQ(Client(server_->port(), "").get("/status/")->status, 200);
  EXPECT_LT(server_->memory_kib("VmHWM"), at_rest_ + 40 * 1024);
  clients.clear();
  expect_goes_on();
}

// Runs in a control group; the exit code, 128 and the signal where one ended it.
std::optional<int> run_in(const ControlGroup& group, const std::string& command,
                          const std::vector<std::string>& words, const fs::path& out,
                          const fs::path& err) {
  std::vector<std::string> all{"-c", fmt::format("{}; {}", group.enter(), command), program()};
  all.insert(all.end(), words.begin(), words.end());
  Process shell("/bin/sh", all, out.string(), err.string());
  return shell.wait();
}

class InAContainer : public Memory {
 protected:
  static constexpr std::uint64_t kContainer = 512 * kMebibyte;

  void SetUp() override {
    if (!group_.made()) GTEST_SKIP() << "no control group with a limit of memory may be made here";
    // What follows would tell nothing where the system makes groups and keeps no limits.
    ASSERT_EQ(group_.limit(), kContainer);
    ASSERT_NO_FATAL_FAILURE(Memory::SetUp());
    if (!IsSkipped()) serve(group_.enter());
  }
  void TearDown() override { server_.reset(); }

  ControlGroup group_{kContainer};
};

// Else none of these tests would say anything.
TEST(ControlGroups, EndWhoeverExceedsTheirLimit) {
  const ControlGroup group(32 * kMebibyte);
  if (!group.made()) GTEST_SKIP() << "no control group with a limit of memory may be made here";
  const auto ended =
      run_in(group, "head -c 64000000 /dev/zero | tail -n 1", {}, "/dev/null", "/dev/null");
  EXPECT_EQ(ended, 128 + SIGKILL);
}

TEST(Offline, AnImportThatOutgrowsItsContainerIsRefused) {
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const ControlGroup group(220 * kMebibyte);
  if (!group.made()) GTEST_SKIP() << "no control group with a limit of memory may be made here";
  Node node;
  node.make();
  write_file(node.file("dense.xml"), dense_map_of(128 * kMebibyte));
  const auto ended = run_in(group, "exec \"$0\" \"$@\"",
                            {"import", node.file("dense.xml").string(), "--data", node.data()},
                            node.file("out"), node.file("err"));
  EXPECT_EQ(ended, 1);
  EXPECT_THAT(read_file(node.file("err")),
              testing::AnyOf(HasSubstr("out of memory"), HasSubstr("the memory ran out")));
}

TEST_F(InAContainer, TheNodeKnowsWhatItMayUse) {
  const boost::json::value known = memory();
  EXPECT_EQ(known.at("limit_bytes").to_number<std::uint64_t>(), kContainer / 4 * 3);
  EXPECT_EQ(known.at("limit_origin"), "three quarters of the container's limit, 512 MiB");
  EXPECT_THAT(node_.done({"status"}), HasSubstr("memory budget     384.0 MiB"));
  const Answer refused = server_->client(import_).upload_pattern("<a/>", kContainer);
  ASSERT_TRUE(refused.has_value()) << refused.error().message;
  EXPECT_EQ(refused->status, 507);
  expect_goes_on();
}

TEST_F(InAContainer, LongFilesAreImportedOrRefused) {
  const char* const sizes = std::getenv("NETML_MEMORY_FILES");
  if (sizes == nullptr) GTEST_SKIP() << "NETML_MEMORY_FILES names no sizes in MB";
  std::istringstream list(sizes);
  for (std::string size; std::getline(list, size, ',');) {
    const std::string file = map_of(std::stoull(size) * 1'000'000);
    const net::ClientResponse answer = upload(file);
    EXPECT_THAT(answer.status, testing::AnyOf(201, 503, 507)) << answer.body;
    const double ratio =
        static_cast<double>(server_->memory_kib("VmHWM")) * 1024 / static_cast<double>(file.size());
    std::cout << fmt::format("{} MB: {} {}, at most {:.2f} bytes of memory for each of the file\n",
                             size, answer.status, answer.body, ratio);
    expect_goes_on();
  }
}

}  // namespace
}  // namespace netml::e2e

// Goal: a node whose map turns out to be damaged where it is mapped answers all the same: with what
// is good, with errors for what is not, never with a part for the whole; and is as it was after the
// next start (P4). Method: one bit of the newest checkpoint flipped, exports over a socket.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "admin/api/public/public_api.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using net::ask_once;
using net::RawClient;
using net::RawResponse;
using net::request;
using net::ServerEvent;

constexpr std::string_view kRoot = "urn:of-all";
constexpr std::string_view kLate = "urn:late-in-the-export";

// Exports need no token, since none can be stored any more.
struct Served : net::TestServer {
  explicit Served(Node& node) : services(node, {}, testing::kCheapPasswords) {
    register_public_api(router, services, ExportToken::dropped);
    start();
  }
  ~Served() { server->stop(std::chrono::seconds(10)); }
  RawResponse map() { return ask_once(port, request("GET", "/netml_export/")); }
  std::string status() {
    return ask_once(port, request("GET", "/status/", "Accept: application/json\r\n")).body;
  }

  Services services;
};

class DamagedStart : public ::testing::Test {
 protected:
  // Topologies of several pieces of the file each; two checkpoints.
  DamagedStart() {
    auto root = test::topology(kRoot, "o", test::institution("o"));
    for (int child = 0; child < 3; ++child) {
      auto below = test::topology(fmt::format("child{}", child), "o", test::institution("o"));
      for (int i = 0; i < 3000; ++i)
        below.add(test::node(child == 2 && i == 1500 ? std::string(kLate)
                                                     : fmt::format("urn:node:{}:{}", child, i)));
      root.add(below);
    }
    ImportRequest wanted;
    wanted.place = ImportPlace::top_level;
    EXPECT_TRUE(testing::import_job(*node_, root, wanted)->commit().has_value());
    EXPECT_TRUE(node_->checkpoint().has_value());
    EXPECT_TRUE(set("a"));
    whole_ = Served(*node_).map().body;
    node_.close();
  }

  // Opens the node with a bit of that text, which is in a record, flipped in its newest checkpoint.
  void damage(std::string_view text) {
    const fs::path file = newest_graph();
    std::string content = test::file_content(file);
    const std::size_t at = content.find(text);
    ASSERT_NE(at, std::string::npos);
    content[at + 4] ^= 1;
    std::ofstream(file, std::ios::binary) << content;
    node_.prove_behind();
    node_.open();
  }
  fs::path newest_graph() const {
    fs::path newest;
    for (const fs::directory_entry& entry : fs::directory_iterator(node_.file("checkpoints")))
      if (entry.path().extension() == ".graph") newest = std::max(newest, entry.path());
    return newest;
  }
  Status set(const std::string& value) {
    return node_->commit(
        testing::kCaller, engine::Cause::setting, [&](const engine::State& state, WallTime) {
          return Result<engine::Transaction>(plan_setting_set(state, "ANY", value));
        });
  }
  std::string_view state_when_known() {
    while (node_->start_proof().state == "proving") std::this_thread::yield();
    return node_->start_proof().state;
  }
  // Nothing is lost, and the damaged one is not used again.
  void expect_all_after_the_next_start() {
    node_.close();
    node_.open();
    EXPECT_EQ(Served(*node_).map().body, whole_);
    EXPECT_EQ(state_when_known(), "proved");
    EXPECT_TRUE(set("c"));
  }

  testing::OpenNode node_;
  std::string whole_;
};

TEST_F(DamagedStart, IsProvedWhereNothingIsDamaged) {
  node_.prove_behind();
  node_.open();
  EXPECT_EQ(Served(*node_).map().body, whole_);
  EXPECT_EQ(state_when_known(), "proved");
  EXPECT_GE(node_->start_proof().bytes_checked, node_->start_proof().bytes);
  EXPECT_GT(node_->start_proof().bytes, 0U);
  EXPECT_TRUE(set("b"));
}

TEST_F(DamagedStart, CutsAnExportThatHasBegun_P4) {
  ASSERT_NO_FATAL_FAILURE(damage(kLate));
  {
    Served served(*node_);
    RawClient client(served.port);
    client.send(request("GET", "/netml_export/"));
    const std::string all = client.receive_rest();
    EXPECT_TRUE(all.starts_with("HTTP/1.1 200")) << all.substr(0, 200);
    EXPECT_FALSE(all.ends_with("0\r\n\r\n")) << "it would be taken for the whole";
    EXPECT_EQ(served.events.count(ServerEvent::body_source_failed), 1U);
    EXPECT_EQ(state_when_known(), "damaged");
    const std::string status = served.status();
    EXPECT_NE(status.find(R"("status":"read-only")"), std::string::npos) << status;
    EXPECT_NE(status.find(R"("state":"damaged")"), std::string::npos) << status;
  }
  EXPECT_NE(node_->reason().find("is damaged"), std::string::npos) << node_->reason();
  EXPECT_EQ(set("b").error().code, Errc::unavailable);
  expect_all_after_the_next_start();
}

TEST_F(DamagedStart, AnswersWhatCannotEvenBeginWithAnError_P4) {
  ASSERT_NO_FATAL_FAILURE(damage(kRoot));
  {
    Served served(*node_);
    const RawResponse response = served.map();
    EXPECT_EQ(response.status, 500);
    EXPECT_NE(response.body.find("stored data cannot be read"), std::string::npos);
    EXPECT_EQ(served.events.count(ServerEvent::handler_failed), 1U);
    EXPECT_EQ(served.services.export_watch.now()->reason(), "stored data cannot be read");
    const std::string status = served.status();
    EXPECT_NE(status.find(R"("export":{"ok":false,)"), std::string::npos) << status;
    EXPECT_NE(status.find("UnreadableData"), std::string::npos) << status;
  }
  expect_all_after_the_next_start();
}

// Whoever stops it before the proof came there must not find it at every start again.
TEST_F(DamagedStart, IsRememberedByWhomeverMetIt_P4) {
  ASSERT_NO_FATAL_FAILURE(damage(kRoot));
  const Status planned =
      node_->commit(testing::kCaller, engine::Cause::edit,
                    [](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                      const RecordId main = state.graph.mains().front();
                      static_cast<void>(state.graph.attributes(main).id());
                      return fail(Errc::internal, "it was read");
                    });
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, Errc::unavailable) << "it is the map that is wrong";
  EXPECT_EQ(state_when_known(), "damaged");
  expect_all_after_the_next_start();
}

}  // namespace
}  // namespace netml::admin

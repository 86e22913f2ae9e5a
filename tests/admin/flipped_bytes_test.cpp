// Goal: no byte of a data directory can change without anybody noticing (A5 of what attackers
// found): what is believed has a checksum that is looked at, and `verify` covers all of it.
// Method: a directory with everything that a node may hold. One byte at a time is changed where it
// lies; then the node is opened for reading only, verified, and asked for all that it serves and
// says. With NETML_FLIPS=1 each byte is tried, else one of 97, and of small files one of seven.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <fstream>
#include <map>

#include "admin/access/sign_in_throttle.hpp"
#include "admin/imports/intake.hpp"
#include "admin/node/kept_file.hpp"
#include "engine/base/parallel.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/asked_node.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/netml_text.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::AskedNode;
using testing::kCaller;
using testing::KeptEvents;

constexpr std::size_t kShortStep = 97;
constexpr std::size_t kSmallFile = 128;
constexpr std::size_t kSmallStep = 7;

// What the documents say is read by nobody, or by people only (docs/operation.md).
constexpr std::array<std::string_view, 4> kWithoutMeaning{"LOCK", "ballast", "quarantine/", "tmp/"};

bool without_meaning(const std::string& name) {
  return std::ranges::any_of(kWithoutMeaning,
                             [&](std::string_view start) { return name.starts_with(start); });
}

void write_all(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), std::ssize(content));
}

std::string map_text(const std::string& name, int nodes) {
  test::TopologyText text = test::topology("urn:" + name, "urn:o", test::institution("urn:o"));
  for (int i = 0; i < nodes; ++i) text.add(test::node(fmt::format("urn:{}:{}", name, i)));
  return text;
}

// ---- a directory with everything ----

NodeOptions small_parts(const std::string& directory) {
  NodeOptions options{.data_directory = directory};
  options.store.journal.segment_bytes = 4096 + (8 << 10);
  options.store.ballast_bytes = 4096;
  return options;
}

class EverythingInADirectory {
 public:
  explicit EverythingInADirectory(const std::string& directory) : directory_(directory) {
    fill();
    add_behind_the_newest_checkpoint();
    write_all(directory + "/tmp/left-by-a-crash", "bytes");
    write_all(directory + "/quarantine/set-aside", "bytes");
  }
  const std::string& token() const { return token_; }

 private:
  void fill() {
    AskedNode asked(small_parts(directory_), clock_, random_, events_);
    Services& services = asked.services();
    import(asked.node(), map_text("a", 12));
    EXPECT_TRUE(asked.node().create_signing_key());
    token_ = services.tokens.create(kCaller, "peer", engine::TokenKind::polling).value_or("");
    EXPECT_TRUE(
        services.accounts.create(kCaller, {"ann", {}, engine::Role::admin, "a long enough one"}));
    SourceFields source;
    source.name = "source";
    source.hostname = "peer.example.org";
    source.token = "secret-of-the-peer";
    EXPECT_TRUE(services.sources.create(kCaller, source));
    for (const char* name : {"b", "c", "d"}) {
      import(asked.node(), map_text(name, 12));
      EXPECT_TRUE(asked.node().checkpoint());
    }
    EXPECT_TRUE(services.publisher.publish(kCaller, "first", ""));
    import(asked.node(), map_text("e", 12));
    EXPECT_TRUE(services.publisher.publish(kCaller, "second", ""));
    EXPECT_TRUE(testing::import_job(asked.node(), map_text("planned", 3))->keep_plan());
    leave_an_upload_waiting(asked.node());
    SignInThrottle(asked.node()).failed("ann", "192.0.2.1");
    EXPECT_EQ(asked.ask("/api/v1/node/log/history?element=urn:a:1").status, 200);  // makes index/
    EXPECT_TRUE(asked.node().close());
  }
  static void import(Node& node, const std::string& map) {
    EXPECT_TRUE(testing::import_job(node, map)->commit());
  }
  static void leave_an_upload_waiting(Node& node) {
    ImportQueue queue(node);
    Intake intake(node);
    intake.use(queue);
    ImportRequest request = testing::from_client();
    request.file_name = "waiting.xml";
    EXPECT_TRUE(testing::upload(intake, map_text("waiting", 3), request).has_value());
  }
  // A node that is killed after it was idle.
  void add_behind_the_newest_checkpoint() {
    const auto storage = *wal::PosixStorage::open_path(directory_);
    const auto store = *wal::Store::open(*storage, clock_, random_, small_parts(directory_).store);
    for (const char* value : {"one", "two"}) {
      engine::Transaction change = plan_setting_set(*store->next(), "NAME", value);
      change.provenance.actor = "ann";
      change.provenance.effective_time = store->next()->effective_time;
      EXPECT_TRUE(store->append(change));
      EXPECT_TRUE(store->sync());
    }
    EXPECT_TRUE(store->watermark());
    EXPECT_TRUE(store->sync());
  }

  const std::string directory_;
  std::string token_;
  netml::testing::ManualClock clock_;
  netml::testing::SeededRandom random_;
  KeptEvents events_;
};

// ---- what a node makes of it ----

// How a changed byte was noticed.
enum class Noticed : std::uint8_t { refused, told_at_opening, told_by_verify, nowhere };
constexpr std::size_t kNoticed = 4;

struct Seen {
  Noticed noticed = Noticed::nowhere;
  std::string reported;                     // the first that reported it
  std::map<std::string, std::string> said;  // by question; nothing where it was refused
};

// What `verify` lists, whatever it is called.
std::string told_by_verify(AskedNode& asked) {
  const AskedNode::Reply reply = asked.ask("/api/v1/node/verify", net::Method::post);
  if (reply.status != 200) return reply.body;
  const json::object found = json::parse(reply.body).as_object();
  for (const char* list : {"findings", "cache", "sign_ins", "receipts", "warnings", "remains"})
    for (const json::value& reported : found.at(list).as_array())
      return std::string(reported.as_string());
  return {};
}

void look_at_uploads(Node& node, std::map<std::string, std::string>& said) {
  node.version().state->catalog.imports.for_each(
      [&](std::uint64_t number, const engine::ImportRecord& record) {
        const auto file = open_kept_file(node, {{}, record.file_hash, record.file_bytes});
        said[fmt::format("upload {}", number)] = file ? "whole" : "error: " + file.error().message;
      });
}

std::map<std::string, std::string> all_that_is_said(AskedNode& asked, const std::string& token) {
  std::map<std::string, std::string> said;
  for (const char* question :
       {"/api/v1/node/export", "/api/v1/node/export?published=1", "/api/v1/node/export?at=3",
        "/api/v1/node/log", "/api/v1/node/log/history?element=urn:a:1",
        "/api/v1/node/log/show?at=4", "/api/v1/tokens", "/api/v1/accounts", "/api/v1/sources",
        "/api/v1/settings", "/api/v1/rulesets", "/api/v1/publications", "/api/v1/plans",
        "/api/v1/node/plans/1"}) {
    const AskedNode::Reply reply = asked.ask(question);
    said[question] = reply.status == 200 ? reply.body : "error: " + reply.body;
  }
  Services& services = asked.services();
  const auto identity = services.tokens.check(token, engine::TokenKind::polling);
  said["token"] = identity ? identity->client_name : "error: it opens nothing";
  const engine::StatePtr state = asked.node().version().state;
  const auto source = state->catalog.sources.find(1);
  const auto to_peer = services.sources.token(source ? *source : engine::PollingSource());
  said["token of a source"] = to_peer ? to_peer->value_or("none") : "error";
  look_at_uploads(asked.node(), said);
  return said;
}

Seen look(const std::string& directory, const std::string& token) {
  netml::testing::ManualClock clock;
  netml::testing::SeededRandom random;
  KeptEvents events;
  NodeOptions options = small_parts(directory);
  options.read_only = true;
  auto opened = Node::open(options, clock, random, events);
  if (!opened) return {Noticed::refused, opened.error().message, {}};
  Seen seen;
  for (const auto& reported : {events.errors, events.warnings})
    if (!reported.empty() && seen.reported.empty())
      seen = {Noticed::told_at_opening, reported.front(), {}};
  AskedNode asked(std::move(*opened));
  seen.said = all_that_is_said(asked, token);
  if (seen.noticed != Noticed::nowhere) return seen;
  seen.reported = told_by_verify(asked);
  if (!seen.reported.empty()) seen.noticed = Noticed::told_by_verify;
  return seen;
}

// A list says in its last line that it ended at damage; what it gave before is true.
bool ends_in_an_error(const std::string& answer, const std::string& whole) {
  if (answer.starts_with("error")) return true;
  const std::size_t last = answer.rfind("{\"error\":");
  return last != std::string::npos && whole.starts_with(answer.substr(0, last));
}

// ---- changing bytes ----

class FlippedBytes : public ::testing::Test {
 protected:
  FlippedBytes() : everything_(directory_.file("data").string()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(data()))
      if (entry.is_regular_file())
        files_[fs::relative(entry.path(), data()).string()] = test::file_content(entry.path());
  }
  std::string data() const { return directory_.file("data").string(); }
  Seen look() const { return admin::look(data(), everything_.token()); }

  void flip(const std::string& name, std::size_t at) {
    const std::string& whole = files_.at(name);
    const int flips = at % 3 == 0 ? 0xff : 1 << at % 8;
    const char changed = static_cast<char>(whole[at] ^ flips);
    {
      std::fstream file(data() + "/" + name, std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(static_cast<std::streamoff>(at)).put(changed);
    }
    expect_noticed(name, at);
    put_back(name);
  }
  // Never another answer where it was not said before that something is wrong.
  void expect_noticed(const std::string& name, std::size_t at) {
    const Seen seen = look();
    ++counts_[name][static_cast<std::size_t>(seen.noticed)];
    if (seen.noticed == Noticed::nowhere && !without_meaning(name))
      ADD_FAILURE() << name << " byte " << at << ": nothing tells of it";
    if (seen.noticed == Noticed::refused || seen.noticed == Noticed::told_at_opening) return;
    for (const auto& [question, answer] : seen.said)
      if (const std::string& whole = before_.said.at(question);
          answer != whole && !ends_in_an_error(answer, whole))
        ADD_FAILURE() << name << " byte " << at << ": " << question << " is answered with\n"
                      << answer.substr(0, 500);
  }
  // Also what was made again meanwhile.
  void put_back(const std::string& name) {
    write_all(data() + "/" + name, files_.at(name));
    for (const fs::directory_entry& entry : fs::directory_iterator(data() + "/cache"))
      if (!files_.contains("cache/" + entry.path().filename().string())) fs::remove(entry.path());
    for (const auto& [other, content] : files_)
      if (other.starts_with("cache/") && !fs::exists(data() + "/" + other))
        write_all(data() + "/" + other, content);
  }

  void report() const {
    std::array<std::size_t, kNoticed> all{};
    for (const auto& [name, counts] : counts_) {
      fmt::print(
          "{:<44} {:>6} bytes: {:>6} refused, {:>6} reported at opening, {:>6} by verify{}\n", name,
          files_.at(name).size(), counts[0], counts[1], counts[2],
          counts[3] == 0 ? "" : fmt::format(", {} without meaning", counts[3]));
      for (std::size_t i = 0; i < kNoticed; ++i) all[i] += counts[i];
    }
    fmt::print(
        "all: {} refused, {} reported at opening, {} reported by verify, {} without meaning\n",
        all[0], all[1], all[2], all[3]);
  }

  netml::test::TemporaryDirectory directory_{netml::test::memory_disk()};
  const EverythingInADirectory everything_;
  std::map<std::string, std::string> files_;
  std::map<std::string, std::array<std::size_t, kNoticed>> counts_;
  Seen before_;
};

TEST_F(FlippedBytes, OfAnyFileAreNoticed_A5_P4_L4) {
  for (const char* part :
       {"journal/", "checkpoints/", "uploads/", "cache/", "index/", "node.key", "signing.key",
        "signatures", "sign-in-throttle", "manifest-0", "manifest-1", "ballast", "LOCK"})
    EXPECT_TRUE(std::ranges::any_of(files_, [&](const auto& file) {
      return file.first.starts_with(part);
    })) << part;
  before_ = look();
  ASSERT_EQ(before_.noticed, Noticed::nowhere) << before_.reported;
  for (const auto& [question, answer] : before_.said)
    ASSERT_FALSE(answer.starts_with("error")) << question << ": " << answer;

  const bool all = std::getenv("NETML_FLIPS") != nullptr;
  std::size_t start = 0;  // other places in each file
  for (const auto& [name, content] : files_) {
    const std::size_t step = all ? 1 : content.size() < kSmallFile ? kSmallStep : kShortStep;
    for (std::size_t at = std::min(start++ % step, content.size() / 2); at < content.size();
         at += step)
      flip(name, at);
  }
  report();
}

}  // namespace
}  // namespace netml::admin

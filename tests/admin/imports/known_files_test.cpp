// What comes again is neither written nor read when nothing has changed, and nobody can tell from
// what comes of it (docs/decisions/011-known-files.md). That it is so in any order is tried by
// tests/histories/known_files_property_test.cpp.
#include "admin/imports/known_files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "admin/imports/intake.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using testing::from_client;
using ::testing::HasSubstr;
using testing::kCaller;
using testing::OpenNode;

std::string map_of(const char* name, int nodes = 3) {
  test::TopologyText map = test::topology("P", "o", test::institution("o"));
  for (int i = 0; i < nodes; ++i) map.add(test::node("n" + std::to_string(i)).named(name));
  return map;
}

class Known : public ::testing::Test {
 protected:
  ImportResult import(const std::string& file) {
    const ImportOutcome outcome = upload(file);
    EXPECT_TRUE(outcome.has_value());
    return outcome ? *outcome : ImportResult();
  }
  // As a client sends it, in pieces.
  ImportOutcome upload(std::string_view file) {
    constexpr std::size_t kPiece = 10'000;
    auto begun = intake.begin(from_client());
    EXPECT_TRUE(begun.has_value());
    for (; !file.empty(); file.remove_prefix(std::min(kPiece, file.size())))
      EXPECT_TRUE((*begun)->write(file.substr(0, kPiece)).has_value());
    return (*begun)->finish(UploadEnd::import);
  }
  // Compressed, or as it came.
  fs::path kept(const std::string& file) {
    const std::string name = to_hex(Sha256Hasher().hash(std::as_bytes(std::span(file))));
    const fs::path compressed = node.file("uploads") / (name + ".zst");
    return fs::exists(compressed) ? compressed : node.file("uploads") / name;
  }
  // A copy that is written anew is another file of the same name.
  ino_t file_number(const std::string& file) {
    struct stat found{};
    EXPECT_EQ(::stat(kept(file).c_str(), &found), 0);
    return found.st_ino;
  }
  std::string content(const std::string& file) {
    auto stored = node->open_upload(Sha256Hasher().hash(std::as_bytes(std::span(file))));
    if (!stored) return {};
    std::string text((*stored)->size().value(), '\0');
    const auto read = (*stored)->read(0, std::as_writable_bytes(std::span(text)));
    return read && *read == text.size() ? text : "";
  }
  std::string name_of(const char* id) {
    const engine::Graph& graph = node->version().state->graph;
    return std::string(graph.attributes(graph.find_newest(Kind::node, id)).name());
  }
  void rename(const char* id, const char* name) {
    Change change{.caller = kCaller};
    change.plan = [&](const engine::State& state, WallTime) {
      engine::RecordEdit edit;
      edit.name = name;
      return plan_record_update(state, state.graph.find_newest(Kind::node, id), edit);
    };
    ASSERT_TRUE(node->commit(std::move(change)).has_value());
  }
  std::size_t files_in(const char* folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(node.file(folder)), fs::directory_iterator()));
  }

  OpenNode node;
  Intake intake{*node};
};

TEST_F(Known, IsNotWrittenAgain) {
  const std::string file = map_of("a");
  import(file);
  const ino_t first = file_number(file);
  const Lsn before = node->version().state->lsn;
  const ImportResult again = import(file);
  EXPECT_EQ(file_number(file), first);
  EXPECT_EQ(files_in("tmp"), 0U);
  EXPECT_EQ(again.lsn, before.next());
  EXPECT_EQ(again.changes, engine::ChangeCounts());
  EXPECT_THAT(again.log, HasSubstr("matched by its id"));
  EXPECT_THAT(again.log, HasSubstr("Nodes: 3 parsed, 3 imported"));
  const auto record = node->version().state->catalog.imports.find(again.record);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->file_hash, Sha256Hasher().hash(std::as_bytes(std::span(file))));
  EXPECT_EQ(record->file_bytes, file.size());
}

TEST_F(Known, RenewsTheNumbers) {
  import(map_of("a"));
  const auto number = [&] {
    const engine::Graph& graph = node->version().state->graph;
    return graph.number(graph.find_newest(Kind::node, "n1"));
  };
  const RecordNumber before = number();
  import(map_of("a"));
  EXPECT_GT(number(), before);
}

TEST_F(Known, IsReadAgainAfterAnEdit) {
  import(map_of("a"));
  import(map_of("a"));
  rename("n1", "edited");
  const ImportResult again = import(map_of("a"));
  EXPECT_EQ(name_of("n1"), "a");
  EXPECT_EQ(again.changes, (engine::ChangeCounts{0, 1, 0}));
}

// The edit comes when all bytes were compared already.
TEST_F(Known, IsReadAgainAfterAnEditMeanwhile) {
  const std::string file = map_of("a");
  import(file);
  auto upload = intake.begin(from_client());
  ASSERT_TRUE(upload.has_value());
  ASSERT_TRUE((*upload)->write(file).has_value());
  rename("n1", "edited");
  const ino_t first = file_number(file);
  const ImportOutcome outcome = (*upload)->finish(UploadEnd::import);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(name_of("n1"), "a");
  EXPECT_EQ(outcome->changes, (engine::ChangeCounts{0, 1, 0}));
  EXPECT_EQ(file_number(file), first) << "it was compared, so it is sound";
}

TEST_F(Known, IsAnotherWhereItDiffersLate) {
  const std::string file = map_of("a", 5'000);
  import(file);
  std::string other = file;
  other.replace(other.rfind(">a<"), 3, ">b<");
  import(other);
  EXPECT_EQ(content(file), file);
  EXPECT_EQ(content(other), other);
  EXPECT_EQ(name_of("n4999"), "b");
  EXPECT_EQ(name_of("n4998"), "a");
}

TEST_F(Known, IsAnotherWhereItEndsEarly) {
  const std::string file = map_of("a");
  import(file);
  const std::string part = file.substr(0, file.size() - 5);
  const ImportOutcome cut = upload(part);
  ASSERT_FALSE(cut.has_value());
  EXPECT_GT(cut.error().errors.count, 0U);
  EXPECT_NE(cut.error().record, 0U);
  EXPECT_EQ(content(part), part);
}

TEST_F(Known, MendsADamagedCopy) {
  for (const int nodes : {3, 200}) {  // as it came, and compressed
    const std::string file = map_of("a", nodes);
    import(file);
    ASSERT_EQ(kept(file).extension(), nodes == 3 ? "" : ".zst");
    {
      const auto middle = static_cast<std::streamoff>(fs::file_size(kept(file)) / 2);
      std::fstream copy(kept(file), std::ios::binary | std::ios::in | std::ios::out);
      copy.seekg(middle);
      const auto flipped = static_cast<char>(copy.get() ^ 1);
      copy.seekp(middle);
      copy.put(flipped);
      ASSERT_TRUE(copy.good());
    }
    ASSERT_NE(content(file), file);
    import(file);
    EXPECT_EQ(content(file), file);
  }
}

TEST_F(Known, BringsBackACopyThatIsGone) {
  const std::string file = map_of("a");
  import(file);
  fs::remove(kept(file));
  import(file);
  EXPECT_EQ(content(file), file);
}

// What was compared cannot be read again: the disk's fault, and no want of room.
TEST_F(Known, FailsOnceWhenItsCopyIsCutMeanwhile) {
  const std::string file = map_of("a");
  import(file);
  {
    auto upload = intake.begin(from_client());
    ASSERT_TRUE(upload.has_value());
    ASSERT_TRUE((*upload)->write(file.substr(0, 100)).has_value());
    fs::resize_file(kept(file), 10);
    const Status other = (*upload)->write("else");
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().code, Errc::io_error);
    const ImportOutcome outcome = (*upload)->finish(UploadEnd::import);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.code, Errc::io_error);
    EXPECT_FALSE(outcome.error().no_room);
    EXPECT_EQ(outcome.error().record, 0U);
  }
  EXPECT_FALSE(node.events().errors.empty()) << "the operator can mend it";
  import(file);
  EXPECT_EQ(content(file), file);
}

TEST_F(Known, LeavesNothingWhenItIsGivenUp) {
  const std::string file = map_of("a");
  import(file);
  {
    auto upload = intake.begin(from_client());
    ASSERT_TRUE(upload.has_value());
    ASSERT_TRUE((*upload)->write(file.substr(0, 100)).has_value());
  }
  EXPECT_EQ(files_in("tmp"), 0U);
  EXPECT_EQ(content(file), file);
}

TEST_F(Known, IsWhatCameFromThereLast) {
  KnownFiles known(node->memory());
  EXPECT_EQ(known.find(from_client()), nullptr);
  known.note(from_client(), {.file = {{}, {}, 7},
                             .topology_name = {},
                             .owner = {},
                             .parameters = {},
                             .contents = 3,
                             .topologies = {},
                             .is_changes = false,
                             .plan = std::make_shared<engine::KnownFile>()});
  ASSERT_NE(known.find(from_client()), nullptr);
  EXPECT_EQ(known.find(from_client())->file.bytes, 7U);
  ImportRequest renamed = from_client();
  renamed.file_name = "other.xml";
  EXPECT_EQ(known.find(renamed), nullptr);
  EXPECT_EQ(known.find(from_client(0, 8)), nullptr) << "with another token";
  renamed.source = engine::ImportSource::command_line;
  EXPECT_EQ(known.find(renamed), known.find(from_client())) << "the command line may see it";
  renamed.file_name = "other.xlsx";
  EXPECT_EQ(known.find(renamed), nullptr) << "another format is read in another way";
  known.forget(from_client());
  EXPECT_EQ(known.find(from_client()), nullptr);
}

TEST_F(Known, HoldsBesideImportsThatShareNoTopologyWithIt) {
  KnownFiles known(node->memory());
  const KnownUpload upload{.file = {{}, {}, 7},
                           .topology_name = {},
                           .owner = {},
                           .parameters = {},
                           .contents = 3,
                           .topologies = {RecordId{5}, RecordId{9}},
                           .is_changes = false,
                           .plan = nullptr};
  EXPECT_TRUE(known.holds(upload, 3));
  EXPECT_FALSE(known.holds(upload, 4)) << "something else has changed";
  known.note_alone(4, {RecordId{6}, RecordId{8}});
  EXPECT_TRUE(known.holds(upload, 4));
  known.note_alone(6, {RecordId{7}});
  EXPECT_FALSE(known.holds(upload, 6)) << "something else has changed before it";
  known.note_alone(5, {RecordId{1}});
  EXPECT_TRUE(known.holds(upload, 6));
  known.note_alone(7, {RecordId{2}, RecordId{9}});
  EXPECT_FALSE(known.holds(upload, 7)) << "it is of the same topology";
}

TEST_F(Known, CountsTheChangesOfRecordsOnly) {
  const std::uint64_t before = node->contents();
  import(map_of("a"));
  EXPECT_EQ(node->contents(), before + 1);
  import(map_of("a"));
  EXPECT_EQ(node->contents(), before + 1) << "it renews numbers";
  rename("n1", "edited");
  EXPECT_EQ(node->contents(), before + 2);
}

}  // namespace
}  // namespace netml::admin

// Goal: what was signed cannot be rewritten unnoticed, by those who do not have
// the key. Method: a history with signed checkpoints on a simulated disk, and
// the lines changed.
#include "wal/checkpoint/signatures.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "engine/base/sha256.hpp"
#include "tests/support/file_content.hpp"
#include "tests/wal/history/history.hpp"
#include "wal/upkeep/backup.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Ed25519Seed a_seed() {
  Ed25519Seed seed;
  for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::byte>(i);
  return seed;
}

class Signatures : public ::testing::Test {
 protected:
  Signatures() {
    store().checkpoints().sign_with(a_seed());
    for (const char* name : {"x", "y", "z"}) {
      history_.add(testing::import_topology(*store().next(), name, 10));
      EXPECT_TRUE(store().checkpoint());
    }
  }
  Store& store() { return history_.store(); }
  Storage& root() { return history_.node().root(); }
  std::string text() { return *read_signatures(root()); }
  void write(std::string_view text) {
    ASSERT_TRUE(replace_file(root(), kSignatureFile, std::as_bytes(std::span(text))));
  }
  VerifyReport report(std::optional<Ed25519PublicKey> key = std::nullopt) {
    return *verify(root(), parallel_, {.key = key, .live = store().live_view()});
  }

  WrittenHistory history_;
  InlineParallel parallel_;
};

TEST_F(Signatures, AreMadeForEachCheckpointAndVerified_L4) {
  EXPECT_THAT(parse_signatures(text()), SizeIs(3));
  const VerifyReport found = report(ed25519_public_key(a_seed()));
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_EQ(found.signatures, 3U);
  EXPECT_EQ(found.signed_lsn, store().head_hash().lsn);
}

TEST_F(Signatures, StayWhenTheirCheckpointsAreGone) {
  const std::vector<SignatureLine> lines = parse_signatures(text());
  const Head& first = lines.front().checkpoint.head;
  EXPECT_EQ(first, history_.heads()[first.lsn.value]);
  EXPECT_LT(first.lsn, store().manifest().checkpoints.back().lsn);
}

TEST_F(Signatures, AreNotRepeatedForAnotherRole) {
  const std::string before = text();
  ASSERT_TRUE(store().checkpoint());
  EXPECT_EQ(text(), before);
}

TEST_F(Signatures, OfAnotherHistoryAreFound_L4) {
  const SignatureLine last = parse_signatures(text()).back();
  SignedCheckpoint other = last.checkpoint;
  other.head.chain[0] ^= std::byte{1};
  ASSERT_TRUE(add_signature(root(), other, a_seed()));
  EXPECT_THAT(report().findings,
              Contains(HasSubstr("than that of the checkpoint that was signed")));
}

// As they stand, with the LSN put right by somebody without the key.
TEST_F(Signatures, OfAnotherLsnAreFound_L4) {
  std::string changed = text();
  const std::string lsn = fmt::format(" {}:", store().head_hash().lsn.value);
  const std::size_t at = changed.rfind(lsn);
  ASSERT_NE(at, std::string::npos);
  changed.replace(at, lsn.size(), fmt::format(" {}:", store().head_hash().lsn.value - 1));
  write(changed);
  EXPECT_THAT(report().findings, Contains(HasSubstr("the signature is not that of its key")));
}

TEST_F(Signatures, OfAnotherNodeOrKeyAreFound_L4) {
  SignedCheckpoint other = parse_signatures(text()).front().checkpoint;
  other.node = to_string(NodeUuid{});
  write(sign(other, {}, a_seed()) + "\n");
  EXPECT_THAT(report().findings, Contains(HasSubstr("it is of node")));
  EXPECT_THAT(report(ed25519_public_key(Ed25519Seed{})).findings,
              Contains(HasSubstr("no checkpoint is signed by the key")));
}

TEST_F(Signatures, ThatAreTakenAwayAreFound_L4) {
  const std::string whole = text();
  std::vector<std::string> lines;
  for (const SignatureLine& line : parse_signatures(whole)) lines.push_back(line.text + '\n');
  const auto key = ed25519_public_key(a_seed());
  const char* const missing = "it does not follow the line before it";
  write(lines[1] + lines[2]);
  EXPECT_THAT(report(key).findings, Contains(HasSubstr(missing)));
  write(lines[0] + lines[2]);
  EXPECT_THAT(report(key).findings, Contains(HasSubstr(missing)));
  write(lines[0] + lines[1]);
  EXPECT_THAT(report(key).findings, ElementsAre(HasSubstr("is not signed by the key")));
  write("");
  EXPECT_THAT(report(key).findings, ElementsAre(HasSubstr("no checkpoint is signed")));
}

TEST_F(Signatures, ThatAreChangedInAnyPlaceAreFound_L4) {
  const std::string whole = text();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    const auto lines = parse_signatures(changed);
    const bool reported = std::ranges::any_of(
        lines, [](const SignatureLine& parsed) { return !parsed.problem.empty(); });
    EXPECT_TRUE(reported) << at;
  }
}

// The manifest is made to fit, as somebody would who means it.
TEST_F(Signatures, TellACheckpointThatWasReplaced_L4) {
  LiveView live = store().live_view();
  for (CheckpointEntry& entry : live.manifest.checkpoints) entry.graph.sha256[5] ^= std::byte{1};
  const VerifyOptions options{.live = std::move(live)};
  EXPECT_THAT(verify(root(), parallel_, options)->findings,
              Contains(HasSubstr("another than the one that was signed")));
}

TEST_F(Signatures, CutOffByACrashAreReplacedByTheNext) {
  write(text() + "netml-checkpoint-1 8c2b");
  EXPECT_THAT(report().findings, IsEmpty());
  history_.add(testing::import_topology(*store().next(), "later", 10));
  ASSERT_TRUE(store().checkpoint());
  EXPECT_THAT(parse_signatures(text()), SizeIs(4));
  EXPECT_EQ(report().signatures, 4U);
  EXPECT_THAT(report().findings, IsEmpty());
}

TEST_F(Signatures, WhoseLastEndIsDamagedAreFoundAndMended) {
  const std::string whole = text();
  std::string damaged = whole;
  for (int bit = 0; bit < 8; ++bit) {
    damaged.back() = static_cast<char>('\n' ^ 1 << bit);
    write(damaged);
    EXPECT_THAT(report().findings, Contains(HasSubstr("its end is damaged"))) << bit;
  }
  DataDirectory data = *open_data_directory(root());
  const auto backup = *Backup::start(data, store().live_view(), {});
  EXPECT_EQ(backup->next().error().code, Errc::corruption);
  ASSERT_TRUE(store().checkpoint());
  EXPECT_EQ(text(), whole) << "the same checkpoint";
  write(damaged);
  history_.add(testing::import_topology(*store().next(), "later", 10));
  ASSERT_TRUE(store().checkpoint());
  EXPECT_TRUE(text().starts_with(whole));
  EXPECT_THAT(parse_signatures(text()), SizeIs(4));
  EXPECT_THAT(report().findings, IsEmpty());
}

// The length of a file may be durable before its bytes are.
TEST_F(Signatures, WhoseLastEndIsZerosAreWhatACrashLeaves) {
  const std::string whole = text();
  for (const std::size_t zeros : {0U, 1U, 300U}) {
    const std::string cut = whole.substr(0, whole.size() - 1) + std::string(zeros, '\0');
    write(cut);
    EXPECT_THAT(parse_signatures(cut), SizeIs(2));
    EXPECT_GT(unfinished_bytes(cut), zeros);
    const auto found = verify(root(), parallel_);
    EXPECT_THAT(found->findings, IsEmpty());
    EXPECT_THAT(found->remains, Contains(HasSubstr("behind the last line")));
  }
  EXPECT_EQ(unfinished_bytes(whole), 0U);
}

TEST_F(Signatures, BeyondACutAreForgotten) {
  const std::vector<SignatureLine> lines = parse_signatures(text());
  ASSERT_TRUE(cut_signatures(root(), lines[1].checkpoint.head.lsn));
  EXPECT_EQ(text(), lines[0].text + '\n' + lines[1].text + '\n');
}

TEST_F(Signatures, ThatCannotBeWrittenFailTheCheckpoint) {
  history_.add(testing::import_topology(*store().next(), "later", 10));
  const Manifest before = store().manifest();
  history_.node().disk().inject(
      [](std::uint64_t, const std::string& operation) -> std::optional<Error> {
        if (!operation.ends_with(kSignatureFile)) return std::nullopt;
        return Error{Errc::io_error, "injected"};
      });
  EXPECT_FALSE(store().checkpoint());
  history_.node().disk().inject(nullptr);
  EXPECT_EQ(store().manifest().checkpoints, before.checkpoints);
  EXPECT_TRUE(store().checkpoint());
  EXPECT_THAT(report(ed25519_public_key(a_seed())).findings, IsEmpty());
}

TEST(SignaturesWithoutAKey, AreNone) {
  WrittenHistory history;
  ASSERT_TRUE(history.store().checkpoint());
  EXPECT_EQ(*read_signatures(history.node().root()), "");
}

TEST(SignedCheckpointLine, IsTheOneInTheDocumentation) {
  const SignedCheckpoint checkpoint{"00010203-0405-0607-0809-0a0b0c0d0e0f", {Lsn{7}, {}}, {}, {}};
  const std::string line = sign(checkpoint, {}, a_seed());
  const std::string page = netml::test::file_content(NETML_SOURCE_DIR "/docs/format/signatures.md");
  EXPECT_NE(page.find(line + '\n'), std::string::npos) << line;
}

}  // namespace
}  // namespace netml::wal::test

// The node's key and what is done with it (rules A1, A3 and A4).
#include "admin/node/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "admin/base/key_texts.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/key_findings.hpp"
#include "engine/base/sha256.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/sim_storage.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using netml::testing::SeededRandom;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Secrets with_key(std::uint64_t seed) {
  Secrets::Key key;
  SeededRandom(seed).fill(key);
  return Secrets(key);
}

Secrets::Key key_of(char each) {
  Secrets::Key key;
  key.fill(static_cast<std::byte>(each));
  return key;
}

TEST(Secrets, OpenWhatTheySealed) {
  SeededRandom random;
  const Secrets secrets = with_key(1);
  for (const std::string& text : {std::string(), std::string("value"), std::string(10'000, 'x')})
    EXPECT_EQ(secrets.open(secrets.seal(text, random)), text);
}

TEST(Secrets, SealTheSameTextDifferentlyEachTime) {
  SeededRandom random;
  const Secrets secrets = with_key(1);
  const std::string sealed = secrets.seal("value", random);
  EXPECT_NE(secrets.seal("value", random), sealed);
  EXPECT_EQ(sealed.find("value"), std::string::npos);
}

TEST(Secrets, RefuseWhatWasChangedAnywhere) {
  SeededRandom random;
  const Secrets secrets = with_key(1);
  const std::string sealed = secrets.seal("value", random);
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string changed = sealed;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(secrets.open(changed).has_value()) << "byte " << at;
    EXPECT_FALSE(secrets.open(std::string_view(sealed).substr(0, at)).has_value()) << at;
  }
  EXPECT_FALSE(with_key(2).open(sealed).has_value()) << "another node's";
}

TEST(Secrets, FindAValueByACodeThatDependsOnTheKey) {
  const Secrets secrets = with_key(1);
  EXPECT_TRUE(Secrets::equal(secrets.mac("value"), secrets.mac("value")));
  EXPECT_FALSE(Secrets::equal(secrets.mac("value"), secrets.mac("valuf")));
  EXPECT_FALSE(Secrets::equal(secrets.mac("value"), with_key(2).mac("value")));
}

TEST(Secrets, MakeTokenValuesThatReferencePeersCanStore) {
  SystemRandom random;
  std::set<std::string> values;
  for (int i = 0; i < 1000; ++i) {
    const std::string value = make_token_value(random);
    EXPECT_EQ(value.size(), 32U);
    EXPECT_EQ(value.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-_"),
              std::string::npos)
        << value;
    values.insert(value);
  }
  EXPECT_EQ(values.size(), 1000U);
}

class KeyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(directory_.file("data"));
    data_ = *wal::PosixStorage::open_path(directory_.file("data").string());
  }
  Result<Secrets> load(KeyIfMissing if_missing) {
    return Secrets::load(*data_, random_, if_missing);
  }
  std::string content() const { return test::file_content(key()); }
  void write(const std::string& text) {
    std::ofstream(key(), std::ios::binary) << text;
    fs::permissions(key(), fs::perms::owner_read | fs::perms::owner_write);
  }
  fs::path key() const { return directory_.file("data") / "node.key"; }

  test::TemporaryDirectory directory_;
  SeededRandom random_;
  std::unique_ptr<wal::PosixStorage> data_;
};

TEST_F(KeyFile, IsMadeOnceForTheOwnerAlone) {
  const auto made = load(KeyIfMissing::make);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(fs::file_size(key()), kKeyFileBytesMax);
  EXPECT_EQ(fs::status(key()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const auto again = load(KeyIfMissing::make);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->mac("value"), made->mac("value"));
}

TEST_F(KeyFile, IsNotMadeWhereItIsMissed) {
  EXPECT_EQ(load(KeyIfMissing::refuse).error().code, Errc::not_found);
  EXPECT_FALSE(fs::exists(key()));
}

TEST_F(KeyFile, IsNotUsedWhenOthersMayReadIt) {
  ASSERT_TRUE(load(KeyIfMissing::make).has_value());
  fs::permissions(key(), fs::perms::group_read, fs::perm_options::add);
  EXPECT_EQ(load(KeyIfMissing::make).error().code, Errc::denied);
}

TEST_F(KeyFile, OfAnotherSizeIsDamaged) {
  ASSERT_TRUE(load(KeyIfMissing::make).has_value());
  const std::string whole = content();
  for (const std::size_t size : {0U, 31U, 32U, 33U, 39U, 41U}) {
    write((whole + '\0').substr(0, size));
    EXPECT_EQ(load(KeyIfMissing::make).error().code, Errc::corruption) << size;
    EXPECT_EQ(content().size(), size) << "no other is made in its place";
  }
}

TEST_F(KeyFile, WithAnyBitFlippedIsDamagedAndStays) {
  ASSERT_TRUE(load(KeyIfMissing::make).has_value());
  const std::string whole = content();
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write(flipped);
    const auto loaded = load(KeyIfMissing::make);
    ASSERT_FALSE(loaded) << bit;
    EXPECT_EQ(loaded.error().code, Errc::corruption);
    EXPECT_THAT(loaded.error().message,
                AllOf(HasSubstr("node.key is damaged"), HasSubstr("put back a copy")));
    EXPECT_EQ(content(), flipped);
    EXPECT_THAT(damaged_keys(*data_), ElementsAre(HasSubstr("node.key is damaged")));
  }
}

TEST_F(KeyFile, ThatIsDamagedIsToldWithWhatItWasFor) {
  write("damaged");
  ASSERT_TRUE(data_->rename("node.key", "signing.key"));
  const auto signing = damaged_keys(*data_);
  EXPECT_THAT(signing, ElementsAre(AllOf(HasSubstr("signing.key is damaged"),
                                         HasSubstr("netml key create"), Not(HasSubstr("token")))));
  write("damaged");
  const auto both = damaged_keys(*data_);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_THAT(both[0],
              AllOf(HasSubstr("tokens, accounts and passwords"), Not(HasSubstr("checkpoint"))));
  for (const std::string& reported : both)
    EXPECT_TRUE(cli::speaks_of_damaged_key(reported)) << reported;
}

TEST_F(KeyFile, OfAnEarlierVersionIsRead) {
  const std::string earlier(Secrets::kKeyBytes, 'k');
  write(earlier);
  const auto loaded = load(KeyIfMissing::refuse);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->mac("value"), Secrets(key_of('k')).mac("value"));
  EXPECT_EQ(content(), earlier) << "the version that made it can go on with it";
  EXPECT_THAT(damaged_keys(*data_), IsEmpty());
}

// It has no checksum, so only what it fits tells.
TEST_F(KeyFile, OfAnEarlierVersionThatOpensNothingIsTold) {
  write(std::string(Secrets::kKeyBytes, 'k'));
  engine::Catalog catalog;
  EXPECT_THAT(misfit_keys(*data_, catalog), IsEmpty()) << "nothing is sealed";
  engine::Token token;
  token.ciphertext = load(KeyIfMissing::refuse)->seal("value", random_);
  catalog.tokens.set(1, std::make_shared<const engine::Token>(token));
  EXPECT_THAT(misfit_keys(*data_, catalog), IsEmpty());
  std::string flipped(Secrets::kKeyBytes, 'k');
  flipped.back() = 'j';
  write(flipped);
  EXPECT_THAT(misfit_keys(*data_, catalog), ElementsAre(HasSubstr("opens none of the 1 tokens")));
}

// T2: on a disk that crashes before every operation in every way worth trying.
TEST(KeyFileOnADiskThatCrashes, IsWholeOrNotThere_T2) {
  netml::testing::SimDisk disk;
  const auto root = disk.root();
  SeededRandom random;
  std::optional<std::string> made;
  int crashes = 0;
  const auto crash = [&] {
    for (const netml::testing::CrashPattern& pattern : disk.patterns(1)) {
      ++crashes;
      netml::testing::SimDisk image = disk.crashed(pattern);
      const auto data = image.root();
      SeededRandom another(7);
      const auto loaded = Secrets::load(*data, another, KeyIfMissing::make);
      ASSERT_TRUE(loaded) << loaded.error().message;
      if (made) {
        EXPECT_EQ(to_hex(image.content("node.key")), *made);
      }
      ASSERT_TRUE(remove_temporary_files(*data));  // as every start does
      EXPECT_EQ(image.files(), std::vector<std::string>{"node.key"});
    }
  };
  disk.observe([&](std::uint64_t, const std::string&) { crash(); });
  ASSERT_TRUE(Secrets::load(*root, random, KeyIfMissing::make));
  disk.observe(nullptr);
  made = to_hex(disk.content("node.key"));
  crash();
  EXPECT_GT(crashes, 10);
}

}  // namespace
}  // namespace netml::admin

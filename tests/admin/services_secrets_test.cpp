// The node's key and what is done with it (durability-and-security.md, A1, A3, A4).
#include "admin/services/secrets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "engine/sha256.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/sim_storage.hpp"
#include "wal/posix_storage.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using netml::testing::SeededRandom;

Secrets with_key(std::uint64_t seed) {
  Secrets::Key key;
  SeededRandom(seed).fill(key);
  return Secrets(key);
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
  fs::path key() const { return directory_.file("data") / "node.key"; }

  test::TemporaryDirectory directory_;
  SeededRandom random_;
  std::unique_ptr<wal::PosixStorage> data_;
};

TEST_F(KeyFile, IsMadeOnceForTheOwnerAlone) {
  const auto made = load(KeyIfMissing::make);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(fs::file_size(key()), Secrets::kKeyBytes);
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
  for (const std::uintmax_t size : {0U, 31U, 33U}) {
    fs::resize_file(key(), size);
    EXPECT_EQ(load(KeyIfMissing::make).error().code, Errc::corruption) << size;
  }
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

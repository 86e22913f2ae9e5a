// Goal: accounts are kept and checked as the rules on passwords say (A6, A7, A9, A18).
// Method: a node on a real directory; Argon2id at the least cost the library takes, so that a test
// stays short.
#include "admin/access/accounts.hpp"

#include <gtest/gtest.h>
#include <sodium.h>

#include "admin/api/services.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using testing::OpenNode;

using testing::kCaller;
constexpr PasswordCost kCheap = testing::kCheapPasswords;
const std::string kPassword = "Blue-Heron-in-Fog";

NewAccount someone(const std::string& name, engine::Role role = engine::Role::editor) {
  return {.name = name, .email = "", .role = role, .password = kPassword};
}

// What runs outside of tests, which ask for less by what they construct.
TEST(Passwords, CostWhatTheyShallUnlessAskedOtherwise_A6) {
  OpenNode node;
  Services services(*node);
  const std::uint64_t number = *services.accounts.create(kCaller, someone("ann"));
  const auto account = node->version().state->catalog.accounts.find(number);
  const auto hash = node->secrets().open(account->sealed_password);
  ASSERT_TRUE(hash.has_value());
  EXPECT_TRUE(hash->starts_with("$argon2id$v=19$m=65536,t=3,p=1$")) << *hash;
}

// ---- what is accepted ----

TEST(Passwords, AreLongEnoughAndNotTriedFirst_A6) {
  const auto accepted = [](const std::string& password, PasswordRule rule) {
    return check_password(password, "ann", rule).has_value();
  };
  using enum PasswordRule;
  EXPECT_TRUE(accepted(kPassword, production));
  EXPECT_TRUE(accepted("\xC3\xA9t\xC3\xA9 \xE2\x98\x83 hiver12", production)) << "any characters";
  EXPECT_FALSE(accepted("eleven char", production));
  EXPECT_TRUE(accepted("eleven char", test_mode));
  EXPECT_FALSE(accepted("seven77", test_mode));
  EXPECT_TRUE(accepted(std::string("ab") + std::string(126, 'c'), production));
  EXPECT_FALSE(accepted(std::string("ab") + std::string(127, 'c'), production));
  EXPECT_FALSE(accepted("Password1234", production)) << "common";
  EXPECT_FALSE(accepted("583920175839", production)) << "digits alone";
  EXPECT_FALSE(accepted(std::string(20, 'z'), production));
  EXPECT_FALSE(check_password("a.long.name.of.one", "A.Long.Name.Of.One", production).has_value());
}

TEST(Passwords, AreKeptWithTheirCost_A6) {
  PasswordHasher hasher(kCheap);
  const Result<std::string> hash = hasher.hash(kPassword);
  ASSERT_TRUE(hash.has_value());
  EXPECT_TRUE(hash->starts_with("$argon2id$v=19$m=8,t=1,p=1$")) << *hash;
  EXPECT_NE(*hash, *hasher.hash(kPassword)) << "salted";
  EXPECT_TRUE(hasher.matches(*hash, kPassword));
  EXPECT_FALSE(hasher.matches(*hash, kPassword + "!"));
  EXPECT_FALSE(hasher.outdated(*hash));
  EXPECT_TRUE(PasswordHasher().outdated(*hash));
  EXPECT_TRUE(PasswordHasher().decoy().starts_with("$argon2id$v=19$m=65536,t=3,p=1$"));
}

// A decoy that the library could not read would be answered at once (A7).
TEST(Passwords, DecoysCostAsMuchAndMatchNothing_A7) {
  PasswordHasher hasher(kCheap);
  EXPECT_FALSE(hasher.matches(hasher.decoy(), kPassword));
  EXPECT_EQ(
      crypto_pwhash_str_needs_rehash(hasher.decoy().c_str(), kCheap.passes, kCheap.memory_bytes), 0)
      << "well-formed, and of the cost in force";
}

// ---- accounts ----

TEST(Accounts, AreNoneInAFreshDirectory_A9) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  EXPECT_FALSE(accounts.check("admin", "admin").has_value());
  EXPECT_FALSE(accounts.check("", "").has_value());
  EXPECT_EQ(node->version().state->catalog.accounts.count(), 0U);
}

TEST(Accounts, OpenWithTheirPasswordAlsoAfterARestart) {
  OpenNode node;
  {
    Accounts accounts(*node, kCheap);
    ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
    ASSERT_TRUE(accounts.create(kCaller, someone("val", engine::Role::viewer)).has_value());
  }
  node.close();
  node.open();
  Accounts accounts(*node, kCheap);
  const auto ann = accounts.check("ann", kPassword);
  ASSERT_TRUE(ann.has_value());
  EXPECT_EQ(ann->name, "ann");
  EXPECT_TRUE(ann->staff);
  EXPECT_FALSE(accounts.check("val", kPassword)->staff);
  EXPECT_FALSE(accounts.check("ann", "another password").has_value());
  EXPECT_FALSE(accounts.check("Ann", kPassword).has_value());
  EXPECT_FALSE(accounts.check("nobody", kPassword).has_value());
}

TEST(Accounts, HaveNamesOfTheirOwn) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann@example.org")).has_value());
  EXPECT_EQ(accounts.create(kCaller, someone("ann@example.org")).error().code, Errc::conflict);
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a:b"),
                                  std::string("a\nb"), std::string(151, 'a')})
    EXPECT_EQ(accounts.create(kCaller, someone(name)).error().code, Errc::invalid_input) << name;
}

TEST(Accounts, ForgetTheOldPasswordAtOnce) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
  ASSERT_TRUE(accounts.check("ann", kPassword).has_value());  // remembered from here
  ASSERT_TRUE(accounts.set_password(kCaller, "ann", "Grey-Owl-at-Dusk").has_value());
  EXPECT_FALSE(accounts.check("ann", kPassword).has_value());
  EXPECT_TRUE(accounts.check("ann", "Grey-Owl-at-Dusk").has_value());
  EXPECT_EQ(accounts.set_password(kCaller, "ann", "short").error().code, Errc::invalid_input);
  EXPECT_EQ(accounts.set_password(kCaller, "bob", kPassword).error().code, Errc::not_found);
}

TEST(Accounts, AreGoneAtOnce) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
  ASSERT_TRUE(accounts.check("ann", kPassword).has_value());
  ASSERT_TRUE(accounts.remove(kCaller, "ann").has_value());
  EXPECT_FALSE(accounts.check("ann", kPassword).has_value());
  EXPECT_EQ(accounts.remove(kCaller, "ann").error().code, Errc::not_found);
}

TEST(Accounts, RememberASuccessForFiveMinutes_A6) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
  const std::uint64_t before = accounts.password_runs();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(accounts.check("ann", kPassword).has_value());
  EXPECT_EQ(accounts.password_runs(), before + 1);
  EXPECT_FALSE(accounts.check("ann", "Grey-Owl-at-Dusk").has_value()) << "not for others";
  EXPECT_TRUE(accounts.check("ann", kPassword).has_value());
  node.clock().advance(std::chrono::minutes(6));
  EXPECT_TRUE(accounts.check("ann", kPassword).has_value());
  EXPECT_EQ(accounts.password_runs(), before + 3) << "once more, and once for the wrong one";
}

TEST(Accounts, CostOneRunWhoeverAsks_A7) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
  for (const char* name : {"ann", "nobody", ""}) {
    const std::uint64_t before = accounts.password_runs();
    EXPECT_FALSE(accounts.check(name, "Grey-Owl-at-Dusk").has_value());
    EXPECT_EQ(accounts.password_runs(), before + 1) << name;
  }
}

TEST(Accounts, AreHashedAgainWhenTheCostWasRaised_A6) {
  OpenNode node;
  ASSERT_TRUE(Accounts(*node, kCheap).create(kCaller, someone("ann")).has_value());
  const auto stored = [&] {
    const auto account = node->version().state->catalog.accounts.find(1);
    return node->secrets().open(account->sealed_password).value_or("");
  };
  ASSERT_TRUE(stored().find("t=1,") != std::string::npos);
  Accounts dearer(*node, PasswordCost{2, crypto_pwhash_MEMLIMIT_MIN});
  EXPECT_FALSE(dearer.check("ann", "Grey-Owl-at-Dusk").has_value());
  EXPECT_TRUE(stored().find("t=1,") != std::string::npos) << "only who knows it can hash it";
  EXPECT_TRUE(dearer.check("ann", kPassword).has_value());
  EXPECT_TRUE(stored().find("t=2,") != std::string::npos);
  EXPECT_TRUE(dearer.check("ann", kPassword).has_value());
}

// A18, decision 28: nothing on the disk gives the password or something to guess against.
TEST(Accounts, LeaveNoTraceOfAPasswordOnTheDisk_A18) {
  OpenNode node;
  Accounts accounts(*node, kCheap);
  ASSERT_TRUE(accounts.create(kCaller, someone("ann")).has_value());
  ASSERT_TRUE(node->checkpoint().has_value());
  node.close();
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(node.file(""))) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string content = test::file_content(entry.path());
    EXPECT_EQ(content.find(kPassword), std::string::npos) << entry.path();
    EXPECT_EQ(content.find("argon2"), std::string::npos) << entry.path();
  }
  EXPECT_GT(files, 3);
}

}  // namespace
}  // namespace netml::admin

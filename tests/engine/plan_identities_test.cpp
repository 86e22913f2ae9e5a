// Goal: who comes in through a web server in front gets the account that
// docs/requirements/administration.md, section 1, says. Method: the planning alone, its
// transactions applied to a state in memory.
#include "engine/edit/plan_identities.hpp"

#include <gtest/gtest.h>

#include "engine/edit/plan_access.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::engine {
namespace {

class Identities : public ::testing::Test {
 protected:
  void commit(const Transaction& transaction) {
    auto next = apply(state, transaction, Lsn{state.lsn.value + 1});
    ASSERT_TRUE(next.has_value()) << next.error().message;
    state = *std::move(next);
  }
  void sign_in(ExternalIdentity identity, bool listed = false) {
    commit(plan_identity_sign_in(state, std::move(identity), listed, Instant{100}));
  }
  void add_account(const std::string& name, Role role = Role::editor) {
    Account account;
    account.name = name;
    account.role = role;
    const auto planned = plan_account_create(state, account);
    ASSERT_TRUE(planned.has_value());
    commit(*planned);
  }
  std::shared_ptr<const ExternalIdentity> identity(std::string_view eppn) {
    return state.catalog.identities.find(find_identity(state.catalog, eppn));
  }
  std::shared_ptr<const Account> account_of(std::string_view eppn) {
    const auto found = identity(eppn);
    return found ? state.catalog.accounts.find(found->account) : nullptr;
  }

  State state;
};

// Examples of docs/requirements/administration.md, section 1.
TEST_F(Identities, NameTheirAccountsLikeTheEppn) {
  EXPECT_EQ(account_name_of("testuser2#user11#!33@example.org"),
            "testuser2_user11__33@example.org");
  for (const char* eppn : {"testuser_2@x", "testuser#2@x", "testuser*2@x"}) sign_in({.eppn = eppn});
  EXPECT_EQ(account_of("testuser_2@x")->name, "testuser_2@x");
  EXPECT_EQ(account_of("testuser#2@x")->name, "testuser_2@x2");
  EXPECT_EQ(account_of("testuser*2@x")->name, "testuser_2@x3");
  EXPECT_EQ(account_name_of("zo\xC3\xAB@x"), "zo_@x") << "a character, however many bytes";
  const std::string longest(150, 'n');
  sign_in({.eppn = longest});
  sign_in({.eppn = longest.substr(1) + "#"});
  EXPECT_EQ(account_of(longest)->name, longest);
  sign_in({.eppn = "#" + longest.substr(1)});
  sign_in({.eppn = "*" + longest.substr(1)});
  EXPECT_EQ(account_of("*" + longest.substr(1))->name, "_" + longest.substr(2) + "2");
}

TEST_F(Identities, HaveNoRightsUnlessListed_A23) {
  sign_in({.eppn = "new@x"});
  EXPECT_FALSE(account_of("new@x")->enabled);
  EXPECT_EQ(account_of("new@x")->role, Role::viewer);
  sign_in({.eppn = "boss@x"}, true);
  EXPECT_TRUE(account_of("boss@x")->enabled);
  EXPECT_EQ(account_of("boss@x")->role, Role::admin);
}

TEST_F(Identities, AreLookedUpAgainInTheListWithEverySignIn) {
  sign_in({.eppn = "ada@x"});
  WebSession session;
  session.account = identity("ada@x")->account;
  commit(plan_session_begin(state, session, Instant{}));
  sign_in({.eppn = "ADA@x"}, true);
  EXPECT_EQ(state.catalog.accounts.count(), 1U);
  EXPECT_EQ(account_of("ada@x")->role, Role::admin);
  EXPECT_NE(state.catalog.sessions.find(1)->ended, Instant()) << "its rights changed (A10)";
  sign_in({.eppn = "ada@x"}, false);
  EXPECT_EQ(account_of("ada@x")->role, Role::admin) << "never taken away silently";
}

TEST_F(Identities, TakeTheAccountThatWasMadeForThem) {
  add_account("Ada@x", Role::editor);
  sign_in({.eppn = "ada@X", .email = "ada@x.example"});
  EXPECT_EQ(state.catalog.accounts.count(), 1U);
  EXPECT_EQ(account_of("ada@x")->role, Role::editor);
  EXPECT_EQ(account_of("ada@x")->email, "ada@x.example");
  EXPECT_EQ(identity("ada@x")->eppn, "ada@X") << "as it was first spelled";
}

TEST_F(Identities, DoNotTakeAnAccountThatIsSomebodyElses) {
  sign_in({.eppn = "ada#1@x"});
  sign_in({.eppn = "ada_1@x"});
  EXPECT_EQ(account_of("ada#1@x")->name, "ada_1@x");
  EXPECT_EQ(account_of("ada_1@x")->name, "ada_1@x2");
}

TEST_F(Identities, GetAnotherAccountWhenTheirsWasDeleted) {
  sign_in({.eppn = "ada@x"});
  const auto gone = plan_account_delete(state, "ada@x");
  ASSERT_TRUE(gone.has_value());
  commit(*gone);
  EXPECT_EQ(account_of("ada@x"), nullptr);
  sign_in({.eppn = "ada@x"});
  ASSERT_NE(account_of("ada@x"), nullptr);
  EXPECT_EQ(identity("ada@x")->account, 2U) << "not the number of the former";
  EXPECT_FALSE(account_of("ada@x")->enabled);
}

TEST_F(Identities, AreRefreshedWithEverySignInAndFillWhatTheAccountLacks) {
  sign_in({.eppn = "ada@x", .email = "a@x", .display_name = "Ada L.", .given_name = "Ada"});
  sign_in({.eppn = "ada@x", .email = "b@x", .family_name = "Lovelace"});
  EXPECT_EQ(identity("ada@x")->email, "b@x");
  EXPECT_EQ(identity("ada@x")->display_name, "");
  EXPECT_EQ(identity("ada@x")->family_name, "Lovelace");
  EXPECT_EQ(account_of("ada@x")->email, "a@x") << "never overwritten";
  EXPECT_TRUE(
      plan_identity_sign_in(state, {"ada@x", "b@x", "", "", "Lovelace"}, false, Instant{200})
          .empty());
}

TEST_F(Identities, AreMadeChangedAndDeletedByHand) {
  const auto made = plan_identity_create(state, {.eppn = "ada@x"}, false, Instant{1});
  ASSERT_TRUE(made.has_value());
  commit(*made);
  const auto twice = plan_identity_create(state, {.eppn = "Ada@X"}, false, Instant{1});
  EXPECT_EQ(twice.error().code, Errc::conflict);
  sign_in({.eppn = "bob@x"});
  const auto taken = plan_identity_update(state, 1, {.eppn = "BOB@x"});
  EXPECT_EQ(taken.error().code, Errc::conflict);
  const auto changed = plan_identity_update(state, 1, {.eppn = "ada@y", .account = 99});
  ASSERT_TRUE(changed.has_value());
  commit(*changed);
  EXPECT_EQ(account_of("ada@y")->name, "ada@x") << "it keeps its account";
  EXPECT_EQ(plan_identity_update(state, 7, {.eppn = "x"}).error().code, Errc::not_found);
  const auto deleted = plan_identity_delete(state, 1);
  ASSERT_TRUE(deleted.has_value());
  commit(*deleted);
  EXPECT_EQ(identity("ada@y"), nullptr);
  EXPECT_EQ(state.catalog.accounts.count(), 2U) << "accounts stay";
  EXPECT_EQ(plan_identity_delete(state, 1).error().code, Errc::not_found);
}

}  // namespace
}  // namespace netml::engine

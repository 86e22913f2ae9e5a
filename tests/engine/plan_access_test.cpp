#include "engine/edit/plan_access.hpp"
#include "engine/edit/plan_entries.hpp"

#include <gtest/gtest.h>

#include "engine/edit/plan_edit.hpp"

namespace netml::engine {
namespace {

class PlanAccess : public testing::Test {
 protected:
  void commit(const Result<Transaction>& transaction) {
    ASSERT_TRUE(transaction.has_value());
    Result<State> next = apply(state_, *transaction, state_.lsn.next());
    ASSERT_TRUE(next.has_value());
    state_ = *std::move(next);
  }
  void begin(std::uint64_t account, std::int64_t at, std::int64_t forgotten_before = 0) {
    WebSession session;
    session.account = account;
    session.created = Instant{at};
    commit(plan_session_begin(state_, session, Instant{forgotten_before}));
  }
  void end(std::uint64_t number, std::int64_t at) {
    commit(plan_sessions_end(state_, Instant{at}, [&](std::uint64_t each, const WebSession&) {
      return each == number;
    }));
  }
  bool has(std::uint64_t number) const { return state_.catalog.sessions.find(number) != nullptr; }

  State state_;
};

TEST_F(PlanAccess, KeepsTheLastSessionOfEachAccountWhenItIsOver) {
  begin(1, 100);
  begin(2, 110);
  begin(1, 120);
  end(3, 130);
  begin(2, 140, 115);
  EXPECT_FALSE(has(1)) << "it began too long ago, and the account was here since";
  EXPECT_FALSE(has(2)) << "the same account signs in again";
  ASSERT_TRUE(has(3)) << "when the account was here last";
  EXPECT_EQ(state_.catalog.sessions.find(3)->ended, Instant{130});
  EXPECT_TRUE(has(4));
}

TEST_F(PlanAccess, EndsASessionOnceOnly) {
  begin(1, 100);
  end(1, 130);
  Transaction again = plan_sessions_end(state_, Instant{140},
                                        [](std::uint64_t, const WebSession&) { return true; });
  EXPECT_TRUE(again.empty());
  end_sessions_of(again, state_, 1, Instant{140});
  EXPECT_TRUE(again.empty());
}

TEST_F(PlanAccess, EndsTheSessionsOfOneAccount) {
  begin(1, 100);
  begin(2, 100);
  Transaction transaction = empty_transaction(state_);
  end_sessions_of(transaction, state_, 2, Instant{110});
  commit(transaction);
  EXPECT_EQ(state_.catalog.sessions.find(1)->ended, Instant());
  EXPECT_EQ(state_.catalog.sessions.find(2)->ended, Instant{110});
}

TEST_F(PlanAccess, KeepsNamesAndOriginsApart) {
  commit(plan_entry_create(state_, AllowedOrigin{"one", "https://one.example.org", true}));
  commit(plan_entry_create(state_, AllowedOrigin{"two", "https://two.example.org", false}));
  EXPECT_EQ(plan_entry_create(state_, AllowedOrigin{"one", "https://three.example.org", true})
                .error()
                .code,
            Errc::conflict);
  EXPECT_EQ(plan_entry_update(state_, 2, AllowedOrigin{"two", "https://one.example.org", true})
                .error()
                .code,
            Errc::conflict);
  EXPECT_EQ(
      plan_entry_update(state_, 3, AllowedOrigin{"x", "https://x.example.org", true}).error().code,
      Errc::not_found);
  EXPECT_TRUE(is_allowed_origin(state_.catalog, "https://one.example.org"));
  EXPECT_FALSE(is_allowed_origin(state_.catalog, "https://one.example.org:443"));
  EXPECT_FALSE(is_allowed_origin(state_.catalog, "https://two.example.org")) << "not active";
  commit(plan_entry_update(state_, 2, AllowedOrigin{"two", "https://two.example.org", true}));
  EXPECT_TRUE(is_allowed_origin(state_.catalog, "https://two.example.org"));
  commit(plan_entry_delete<AllowedOrigin>(state_, 2));
  EXPECT_FALSE(is_allowed_origin(state_.catalog, "https://two.example.org"));
}

TEST_F(PlanAccess, RenamesATokenUnlessTheNameIsTaken) {
  Token token;
  token.client_name = "one";
  commit(plan_token_create(state_, token));
  token.client_name = "two";
  commit(plan_token_create(state_, token));
  token.client_name = "one";
  EXPECT_EQ(plan_token_update(state_, 2, token).error().code, Errc::conflict);
  token.client_name = "three";
  commit(plan_token_update(state_, 2, token));
  EXPECT_EQ(state_.catalog.tokens.find(2)->client_name, "three");
  EXPECT_EQ(plan_token_update(state_, 5, token).error().code, Errc::not_found);
}

}  // namespace
}  // namespace netml::engine

// Goal: the module opens logs for a program of its own version, and for no other.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "tests/wal/postgres/postgres_log_of_test.hpp"
#include "wal/shared/load_engine.hpp"

namespace netml::wal::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kModule = NETML_POSTGRES_MODULE;
constexpr const char* kVersion = NETML_POSTGRES_MODULE_VERSION;

SharedEngineSettings no_server() {
  return {.connection = "host=127.0.0.1 port=1", .clock = &steady_clock()};
}

TEST(ModuleOfPostgres, GivesAnEngineToItsOwnVersion) {
  const auto engine = load_engine(kModule, kVersion, no_server());
  ASSERT_TRUE(engine) << engine.error().message;
  const auto log = engine->open();
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, Errc::unavailable);
}

TEST(ModuleOfPostgres, RefusesAnotherVersion) {
  const auto engine = load_engine(kModule, "0.0.0", no_server());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, Errc::conflict);
  EXPECT_THAT(engine.error().message, HasSubstr(kVersion));
}

// What is C++ may look otherwise there.
TEST(ModuleOfPostgres, TouchesNothingOfAnotherVersion) {
  void* const module = ::dlopen(kModule, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr);
  auto* const make =
      reinterpret_cast<SharedEngineFunction*>(::dlsym(module, kSharedEngineFunction));
  ASSERT_NE(make, nullptr);
  EXPECT_STREQ(make("0.0.0", nullptr, nullptr), kVersion);
}

TEST(ModuleOfPostgres, IsNotAnyFile) {
  const auto missing = load_engine("/nonexistent/netml-postgres.so", kVersion, no_server());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  const auto another = load_engine("libm.so.6", kVersion, no_server());
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().code, Errc::invalid_input);
}

class ModuleWithServer : public PostgresTest {};

TEST_F(ModuleWithServer, OpensALog) {
  const auto engine = load_engine(kModule, kVersion, tested_->settings());
  ASSERT_TRUE(engine) << engine.error().message;
  const auto log = engine->open();
  ASSERT_TRUE(log) << log.error().message;
  const OwnedAppend frames(contract_start(), some_head(42), Epoch{}, {"frames"});
  EXPECT_EQ((*log)->append_if(frames.append()).outcome, Outcome::done);
  EXPECT_EQ(head(), some_head(42));
}

}  // namespace
}  // namespace netml::wal::test

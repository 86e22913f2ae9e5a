// Goal: nobody keeps the server busy with what everybody may ask for (docs/site.md, "The map").
#include <gtest/gtest.h>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin::web {
namespace {

using testing::Browser;
using testing::OpenSite;
using testing::Reply;

using Text = std::shared_ptr<const std::string>;

// While as many as may be look at the past, others come back later.
TEST(OpenQuestions, AreRefusedWithATimeToComeBack) {
  OpenSite site;
  site.add_account("ada", engine::Role::admin);
  std::size_t made = 0;
  Result<Text> inner = fail(Errc::internal, "not asked");
  Reply refused;
  const auto busy = site.site().outages.get("a", [&]() -> Result<Text> {
    inner = site.site().outages.get("b", [&]() -> Result<Text> {
      ++made;
      refused = Browser(site).post("map/what-if");
      return std::make_shared<const std::string>("b");
    });
    return std::make_shared<const std::string>("a");
  });
  EXPECT_EQ(made, 1U);
  EXPECT_TRUE(busy.has_value() && inner.has_value());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "unavailable");
  EXPECT_EQ(refused.headers.get("Retry-After"), "2");
  EXPECT_EQ(Browser(site).post("map/what-if").status, 200);
}

}  // namespace
}  // namespace netml::admin::web

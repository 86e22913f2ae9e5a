// docs/quality.md repeats the table of checks, and so does the site.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/quality/checks.hpp"
#include "engine/quality/deliveries.hpp"
#include "tests/support/file_content.hpp"

namespace netml::engine {
namespace {

std::string kinds_of(const CheckDescription& check) {
  if (check.kinds == kAllKinds) return "all";
  std::string text;
  const auto add = [&](Kind kind, const char* name) {
    if ((check.kinds & set_of(kind)) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(Kind::topology, "topologies");
  add(Kind::institution, "institutions");
  add(Kind::node, "nodes");
  add(Kind::link, "links");
  return text;
}

TEST(QualityPage, HasEachCheck) {
  const std::string page = netml::test::file_content(NETML_SOURCE_DIR "/docs/quality.md");
  std::string table;
  for (const CheckDescription& check : kChecks)
    table += fmt::format("| `{}` | {} | {} | {} |\n", check.name, kinds_of(check), check.points,
                         check.text);
  EXPECT_NE(page.find("|---|---|---:|---|\n" + table + "\n"), page.npos) << table;
}

TEST(QualityPage, OfTheSiteHasATextForEachCheck) {
  const std::string site =
      netml::test::file_content(NETML_SOURCE_DIR "/admin/web/src/sections/quality_checks.ts");
  for (const CheckDescription& check : kChecks)
    EXPECT_NE(site.find(fmt::format("  '{}': '", check.name)), site.npos) << check.name;
}

std::string points_of(const DeliveryCheckDescription& check) {
  return check.points == check.points_max
             ? fmt::to_string(check.points)
             : fmt::format("{}, at most {}", check.points, check.points_max);
}

TEST(QualityPage, HasEachCheckOfDeliveries) {
  const std::string page = netml::test::file_content(NETML_SOURCE_DIR "/docs/quality.md");
  std::string table;
  for (const DeliveryCheckDescription& check : kDeliveryChecks)
    table += fmt::format("| `{}` | {} | {} |\n", check.name, points_of(check), check.text);
  EXPECT_NE(page.find("|---|---:|---|\n" + table + "\n"), page.npos) << table;
}

TEST(QualityPage, OfTheSiteHasATextForEachCheckOfDeliveries) {
  const std::string site =
      netml::test::file_content(NETML_SOURCE_DIR "/admin/web/src/sections/quality_checks.ts");
  for (const DeliveryCheckDescription& check : kDeliveryChecks)
    EXPECT_NE(site.find(fmt::format("  '{}': '", check.name)), site.npos) << check.name;
}

}  // namespace
}  // namespace netml::engine

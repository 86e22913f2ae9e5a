// How a source delivers, on planted cases (docs/quality.md, section "How a source delivers").
#include "engine/quality/deliveries.hpp"

#include <gtest/gtest.h>

#include "engine/base/duration_text.hpp"
#include "engine/catalog/import_log.hpp"

namespace netml::engine {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

DeliveredImport import_of(std::uint64_t updated, std::uint64_t rule_hits = 0,
                          std::uint64_t parsed = 100) {
  DeliveredImport import;
  import.updated = updated;
  import.parsed = parsed;
  import.rule_hits = rule_hits;
  return import;
}

// The newest first.
Deliveries with_updates(std::vector<std::uint64_t> updated) {
  Deliveries deliveries;
  for (const std::uint64_t each : updated) deliveries.imports.push_back(import_of(each));
  return deliveries;
}

bool jumped(const std::vector<std::uint64_t>& updated) {
  return compared_changes(with_updates(updated))->jumped;
}

TEST(Deliveries, AreOverdueBeyondWhatTheScheduleAllowsAndLoseMoreWithEachTimeOfIt) {
  const auto lost_at = [](seconds age) {
    Deliveries deliveries;
    deliveries.age = age;
    deliveries.allowed = hours(8);
    const auto found = findings_of(deliveries);
    return found.empty() ? 0 : found.front().lost;
  };
  EXPECT_EQ(lost_at(hours(8)), 0);
  EXPECT_EQ(lost_at(hours(8) + seconds(1)), 5);
  EXPECT_EQ(lost_at(hours(16)), 10);
  EXPECT_EQ(lost_at(hours(32)), 20);
  EXPECT_EQ(lost_at(hours(3200)), 20) << "at most";
}

TEST(Deliveries, SayByHowMuchTheyAreOverdue) {
  Deliveries deliveries;
  deliveries.age = hours(76);
  deliveries.allowed = hours(9);
  const auto found = findings_of(deliveries);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].check, DeliveryCheck::overdue);
  EXPECT_EQ(
      found[0].text,
      "its newest success is 3 d 4 h old, 2 d 19 h more than the 9 h that its schedule allows");
}

TEST(Deliveries, AreNotOverdueWhereNothingIsExpectedOrNothingEverCame) {
  Deliveries deliveries;
  deliveries.age = hours(1000);
  EXPECT_TRUE(findings_of(deliveries).empty());
  deliveries = {};
  deliveries.allowed = hours(1);
  EXPECT_TRUE(findings_of(deliveries).empty());
}

TEST(Deliveries, JumpWhereTheNewestImportChangedFarMoreThanIsUsual) {
  EXPECT_TRUE(jumped({60, 2, 3, 2, 1}));
  EXPECT_FALSE(jumped({2, 2, 3, 2, 60})) << "only the newest counts";
  EXPECT_FALSE(jumped({60, 30, 30, 30, 30})) << "not three times the usual";
  EXPECT_TRUE(jumped({60, 20, 20, 20, 20}));
  EXPECT_TRUE(jumped({13, 3, 3, 3, 3}));
  EXPECT_FALSE(jumped({12, 4, 4, 4, 4})) << "three times, but not ten percent above";
}

TEST(Deliveries, HoldNothingAgainstAPastThatIsTooShort) {
  EXPECT_FALSE(jumped({90, 1, 1, 1}));
  EXPECT_FALSE(compared_changes(with_updates({90, 1, 1, 1}))->usual.has_value());
  EXPECT_FALSE(compared_changes(Deliveries{}).has_value());
}

TEST(Deliveries, CompareWithAPastOfNoChanges) {
  EXPECT_TRUE(jumped({10, 0, 0, 0, 0}));
  EXPECT_FALSE(jumped({9, 0, 0, 0, 0})) << "too few records";
  EXPECT_FALSE(jumped({0, 0, 0, 0, 0}));
  EXPECT_EQ(compared_changes(with_updates({10, 0, 0, 0, 0}))->usual, 0.0);
}

TEST(Deliveries, TakeTheMedianSoThatTheFirstImportWhichMadeAllCountsLittle) {
  EXPECT_DOUBLE_EQ(*compared_changes(with_updates({50, 1, 3, 2, 100}))->usual, 0.025);
  EXPECT_DOUBLE_EQ(*compared_changes(with_updates({50, 1, 3, 2, 4, 100}))->usual, 0.03);
}

TEST(Deliveries, CompareWithTwentyBeforeAtMost) {
  std::vector<std::uint64_t> updated{50};
  updated.resize(1 + kEarlierImportsMax, 1);
  updated.resize(100, 90);
  EXPECT_DOUBLE_EQ(*compared_changes(with_updates(updated))->usual, 0.01);
}

TEST(Deliveries, ShareCountsWhatIsGoneAmongTheElementsAndIsNoMoreThanAll) {
  DeliveredImport import = import_of(0, 0, 20);
  import.deleted = 80;
  EXPECT_DOUBLE_EQ(import.share(import.changes()), 0.8);
  import.updated = 100;
  EXPECT_DOUBLE_EQ(import.share(import.changes()), 1.0);
  EXPECT_DOUBLE_EQ(import_of(5, 0, 0).share(5), 1.0) << "of an empty file";
  EXPECT_DOUBLE_EQ(import_of(0, 0, 0).share(0), 0.0);
}

TEST(Deliveries, JumpWhereRulesChangedFarMoreThanIsUsual) {
  Deliveries deliveries;
  deliveries.imports = {import_of(1, 40), import_of(1, 1), import_of(1, 1), import_of(1, 2),
                        import_of(1, 1)};
  const auto found = findings_of(deliveries);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].check, DeliveryCheck::rule_hits_jump);
  EXPECT_EQ(found[0].lost, 5);
  EXPECT_EQ(found[0].text,
            "rules changed 40.0% of the elements of its newest import; 1.0% is usual");
}

TEST(DurationText, HasTheTwoLargestUnits) {
  EXPECT_EQ(duration_text(seconds(0)), "0 s");
  EXPECT_EQ(duration_text(seconds(59)), "59 s");
  EXPECT_EQ(duration_text(seconds(60)), "1 min");
  EXPECT_EQ(duration_text(seconds(3'725)), "1 h 2 min");
  EXPECT_EQ(duration_text(hours(24)), "1 d");
  EXPECT_EQ(duration_text(hours(24) + seconds(59)), "1 d");
  EXPECT_EQ(duration_text(hours(24 * 400 + 5)), "400 d 5 h");
}

// ---- rule hits in the log of an import ----

TEST(RuleHits, AreReadFromTheLogThatTheyWereWrittenTo) {
  const std::vector<RuleHits> hits{
      {"Default \"A\": 3 matched, 1 changed", 7, 5, 2}, {"", 1, 0, 0}, {"B", 1'000'000, 9, 0}};
  ImportLog log;
  log.parsed(Kind::node, 12);
  log.information(Kind::topology, "moved");
  for (const RuleHits& each : hits) log.information(Kind::node, rule_hits_line(each));
  log.warning(Kind::link, "rule \"B\" skipped: it has no action");
  EXPECT_EQ(rule_hits_in(log.text()), hits);
}

TEST(RuleHits, AreNotReadFromOtherLines) {
  EXPECT_TRUE(rule_hits_in("").empty());
  const std::string line = rule_hits_line({"A", 3, 2, 1});
  EXPECT_EQ(line, "rule \"A\": 3 matched, 2 changed, 1 more changed with them");
  EXPECT_TRUE(rule_hits_in(line).empty()) << "not as a log has it";
  EXPECT_EQ(rule_hits_in("...." + line).size(), 1U) << "the last line may have no end";
  EXPECT_TRUE(rule_hits_in("....WARNING: " + line).empty());
  for (const char* other :
       {"....rule \"A\":  matched, 2 changed, 1 more changed with them",
        "....rule \"A\": 3 matched, 2 changed",
        "....rule A: 3 matched, 2 changed, 1 more changed with them",
        "....rule \"A\": 99999999999999999999 matched, 2 changed, 1 more changed with them"})
    EXPECT_TRUE(rule_hits_in(other).empty()) << other;
}

}  // namespace
}  // namespace netml::engine

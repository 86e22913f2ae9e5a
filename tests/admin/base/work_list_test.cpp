// Goal: how far work is can be asked for under its name, while it is done and no longer.
#include "admin/base/work_list.hpp"

#include <gtest/gtest.h>

namespace netml::admin {
namespace {

TEST(WorkListTest, TellsWhatWasReportedLastUnderItsName) {
  WorkList list;
  const WorkList::Work work = list.begin("a");
  EXPECT_EQ(list.find("a"), std::nullopt) << "nothing was reported yet";
  const ReportWork report = work.report();
  report({.unit = WorkUnit::sources, .done = 1, .total = 3});
  const WorkNow now{.part = "journal", .unit = WorkUnit::bytes, .done = 2, .total = 9};
  report(now);
  EXPECT_EQ(list.find("a"), now);
  EXPECT_EQ(list.find("b"), std::nullopt);
}

TEST(WorkListTest, ForgetsWorkThatHasEndedThoughSomebodyStillReports) {
  WorkList list;
  ReportWork report;
  {
    const WorkList::Work work = list.begin("a");
    report = work.report();
    report({.done = 1});
    EXPECT_NE(list.find("a"), std::nullopt);
  }
  report({.done = 2});
  EXPECT_EQ(list.find("a"), std::nullopt);
  const WorkList::Work next = list.begin("a");
  EXPECT_EQ(list.find("a"), std::nullopt) << "another one";
}

TEST(WorkListTest, CountsNothingThatNobodyCanAskFor) {
  WorkList list;
  const WorkList::Work first = list.begin("a");
  first.report()({.done = 1});
  const std::string long_name(kWorkNameCharactersMax + 1, 'x');
  for (const std::string_view name :
       {std::string_view(), std::string_view("a"), std::string_view(long_name)}) {
    const WorkList::Work work = list.begin(name);
    EXPECT_FALSE(work.report()) << name;
  }
  ASSERT_NE(list.find("a"), std::nullopt) << "which the second of its name did not end";
  EXPECT_EQ(list.find("a")->done, 1U);
}

TEST(WorkListTest, KnowsUnitsByTheirNames) {
  for (const WorkUnit unit :
       {WorkUnit::bytes, WorkUnit::files, WorkUnit::transactions, WorkUnit::sources})
    EXPECT_EQ(find_work_unit(work_unit_name(unit)), unit);
  EXPECT_EQ(work_unit_name(WorkUnit::sources), "sources");
  EXPECT_EQ(find_work_unit("parsecs"), std::nullopt);
}

}  // namespace
}  // namespace netml::admin

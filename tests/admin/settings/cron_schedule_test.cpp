// Goal: a schedule runs exactly when its text says, whatever becomes of the clock (N10;
// docs/requirements/polling-and-publishing.md, section 7; decision 31). Method: simulated time
// alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <random>

#include "admin/settings/cron_schedule.hpp"

namespace netml::admin {
namespace {

class SeededRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine_() & 0xff);
  }

 private:
  std::mt19937 engine_{20260329};
};

Instant at(std::string_view text) {
  return parse_instant(text).value();
}
WallTime wall(Instant instant, std::int64_t plus_seconds = 0) {
  return WallTime{(instant.seconds + plus_seconds) * 1'000'000};
}

// The runs from `from` on (itself included) and before `until`.
std::vector<Instant> runs(std::string_view text, Instant from, Instant until) {
  SeededRandom random;
  const CronSchedule schedule = CronSchedule::parse(text).value();
  std::vector<Instant> found;
  auto next = schedule.next_run(Instant{from.seconds - 1}, random);
  while (next && *next < until) {
    found.push_back(*next);
    next = schedule.next_run(*next, random);
  }
  return found;
}

std::string next_after(std::string_view text, std::string_view after) {
  SeededRandom random;
  const auto next = CronSchedule::parse(text).value().next_run(at(after), random);
  return next ? format_instant(*next) : "never";
}

struct DayRow {
  const char* text;
  std::size_t runs;   // on Sunday 2026-03-29, when clocks in Europe skip an hour
  const char* first;  // empty = random
  const char* last;
};
constexpr DayRow kDay[] = {
    {"* * * * *", 1440, "00:00:00", "23:59:00"},
    {"* * * * * *", 86400, "00:00:00", "23:59:59"},
    {"5 * * * * *", 1440, "00:05:00", "23:05:59"},
    {"R */4 * * *", 6, "", ""},
    {"R R * * *", 1, "", ""},
    {"R(0-29) * * * *", 24, "", ""},
    {"@hourly", 24, "00:00:00", "23:00:00"},
    {"@daily", 1, "00:00:00", "00:00:00"},
    {"@weekly", 1, "00:00:00", "00:00:00"},
    {"@monthly", 0, "", ""},
    {"*/5 * * * 7", 288, "00:00:00", "23:55:00"},
    {"0 0 L * *", 0, "", ""},
    {"0 0 31 2 *", 0, "", ""},
    {"30 1-3 * * *", 3, "01:30:00", "03:30:00"},
    {"15,45 2 * mar sun", 2, "02:15:00", "02:45:00"},
    {"0 12 * * mon-fri", 0, "", ""},
    {"0 12 * * fri-sun", 1, "12:00:00", "12:00:00"},
    {"0 6 * * SUN#5", 1, "06:00:00", "06:00:00"},
    {"  10-50/20  */6 29 * *  ", 12, "00:10:00", "18:50:00"},
    {"0 9 1 * sun", 1, "09:00:00", "09:00:00"},
    {"7/20 23 * * * 30", 3, "23:07:30", "23:47:30"},
    {"0 3 * 4-12 *", 0, "", ""},
};

void expect_day(const DayRow& row) {
  const auto found = runs(row.text, at("2026-03-29T00:00:00Z"), at("2026-03-30T00:00:00Z"));
  ASSERT_EQ(found.size(), row.runs) << row.text;
  if (*row.first == '\0') return;
  EXPECT_EQ(format_instant(found.front()).substr(11, 8), row.first) << row.text;
  EXPECT_EQ(format_instant(found.back()).substr(11, 8), row.last) << row.text;
}

TEST(CronSchedule, RunsThroughADayAsItsTextSays) {
  for (const DayRow& row : kDay) expect_day(row);
}

TEST(CronSchedule, KnowsNoDaylightSaving_N10) {
  for (const char* zone : {"Europe/Rome", "America/St_Johns", "Australia/Lord_Howe"}) {
    ASSERT_EQ(::setenv("TZ", zone, 1), 0);
    ::tzset();
    for (const DayRow& row : kDay) expect_day(row);
    EXPECT_EQ(runs("30 * * * *", at("2026-10-25T00:00:00Z"), at("2026-10-26T00:00:00Z")).size(),
              24U);
  }
  ::unsetenv("TZ");
  ::tzset();
}

TEST(CronSchedule, FindsDaysByTheCalendar) {
  struct Row {
    const char* text;
    const char* after;
    const char* next;
  };
  for (const Row& row :
       {Row{"0 0 L * *", "2028-02-01T00:00:00Z", "2028-02-29T00:00:00+00:00"},
        Row{"0 0 L * *", "2100-02-01T00:00:00Z", "2100-02-28T00:00:00+00:00"},
        Row{"0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00+00:00"},
        Row{"0 0 31 2 *", "2026-01-01T00:00:00Z", "never"},
        Row{"0 0 * * sun#1", "2026-11-21T00:00:00Z", "2026-12-06T00:00:00+00:00"},
        Row{"0 0 13 * fri", "2026-11-21T00:00:00Z", "2026-11-27T00:00:00+00:00"},
        Row{"59 23 31 12 * 59", "2026-12-31T23:59:58Z", "2026-12-31T23:59:59+00:00"},
        Row{"59 23 31 12 * 59", "2026-12-31T23:59:59Z", "2027-12-31T23:59:59+00:00"}})
    EXPECT_EQ(next_after(row.text, row.after), row.next) << row.text;
}

TEST(CronSchedule, RefusesWhatIsNoSchedule) {
  for (const std::string& text : {std::string(),
                                  std::string("  "),
                                  std::string("bad"),
                                  std::string("a a a b b *"),
                                  std::string("@every 4h"),
                                  std::string("@every 7z"),
                                  std::string("@reboot"),
                                  std::string("60 * * * *"),
                                  std::string("H * * * *"),
                                  std::string("* * * * * * *"),
                                  std::string("* * * *"),
                                  std::string("* 24 * * *"),
                                  std::string("* * 0 * *"),
                                  std::string("* * 32 * *"),
                                  std::string("* * * 13 *"),
                                  std::string("* * * * 8"),
                                  std::string("* * * * * 60"),
                                  std::string("*/0 * * * *"),
                                  std::string("*/60 * * * *"),
                                  std::string("5-1 * * * *"),
                                  std::string("1,,2 * * * *"),
                                  std::string("-1 * * * *"),
                                  std::string("1- * * * *"),
                                  std::string("R( * * * *"),
                                  std::string("R() * * * *"),
                                  std::string("R(50-10) * * * *"),
                                  std::string("R,5 * * * *"),
                                  std::string("L * * * *"),
                                  std::string("* * * * sun#0"),
                                  std::string("* * * * sun#6"),
                                  std::string("* * * * #1"),
                                  std::string("+1 * * * *"),
                                  std::string("1.5 * * * *"),
                                  std::string("99999999999 * * * *"),
                                  "* * * * *" + std::string(300, ' ')})
    EXPECT_EQ(CronSchedule::parse(text).has_value(), false) << text;
}

TEST(CronSchedule, DrawsTheRandomMinuteAnewForEachRun) {
  std::map<std::int64_t, int> minutes;
  for (const Instant run :
       runs("R * * * *", at("2026-01-01T00:00:00Z"), at("2026-02-01T00:00:00Z")))
    ++minutes[run.seconds / 60 % 60];
  EXPECT_EQ(minutes.size(), 60U);  // 744 draws
  for (const Instant run :
       runs("R(10-12) * * * *", at("2026-01-01T00:00:00Z"), at("2026-01-09T00:00:00Z"))) {
    EXPECT_GE(run.seconds / 60 % 60, 10);
    EXPECT_LE(run.seconds / 60 % 60, 12);
  }
}

TEST(CronSchedule, RunsOnceInEachSpanThatTheRandomColumnsCover) {
  const Instant from = at("2026-01-01T00:00:00Z");
  const Instant until = at("2028-01-01T00:00:00Z");
  EXPECT_EQ(runs("R R * * *", from, until).size(), 730U);
  EXPECT_EQ(runs("R R R * *", from, until).size(), 24U);
  EXPECT_EQ(runs("R R R R *", from, until).size(), 2U);
  EXPECT_NEAR(static_cast<double>(runs("R R * * R", from, until).size()), 104.0, 1.0);
}

// Asked once a second, as the server asks.
TEST(RunPlan, KeepsTheDefaultScheduleForTenYears_N10) {
  SeededRandom random;
  const Instant start = at("2026-01-01T00:00:00Z");
  RunPlan plan(CronSchedule::parse(kDefaultSchedule).value(), wall(start, -1), random);
  std::int64_t count = 0;
  std::int64_t last = 0;
  const std::int64_t end = at("2036-01-01T00:00:00Z").seconds;
  while (plan.next()->seconds < end) {
    const Instant next = *plan.next();
    EXPECT_FALSE(plan.take_due(wall(next, -1)));
    ASSERT_TRUE(plan.take_due(wall(next)));
    EXPECT_EQ(next.seconds / 3600 % 4, 0);
    EXPECT_GE(next.seconds - last, 60);
    last = next.seconds;
    ++count;
  }
  EXPECT_EQ(count, (365 * 10 + 2) * 6);
}

TEST(RunPlan, HoldsSchedulesWithSecondsToOneRunAMinute_N10) {
  SeededRandom random;
  const Instant start = at("2026-01-01T00:00:00Z");
  RunPlan plan(CronSchedule::parse("* * * * * *").value(), wall(start), random);
  int count = 0;
  for (int second = 1; second <= 3600; ++second)
    count += plan.take_due(wall(start, second)) ? 1 : 0;
  EXPECT_EQ(count, 60);
}

TEST(RunPlan, MakesOneRunForAllThatAForwardJumpMissed_N10) {
  SeededRandom random;
  const Instant start = at("2026-01-01T00:30:00Z");
  RunPlan plan(CronSchedule::parse("@hourly").value(), wall(start), random);
  const Instant later = at("2026-01-03T07:20:00Z");
  EXPECT_TRUE(plan.take_due(wall(later)));
  EXPECT_FALSE(plan.take_due(wall(later, 1)));
  EXPECT_EQ(plan.next(), at("2026-01-03T08:00:00Z"));
}

TEST(RunPlan, RepeatsNothingWhenTheClockIsSetBack_N10) {
  SeededRandom random;
  RunPlan plan(CronSchedule::parse("@hourly").value(), wall(at("2026-01-01T09:59:59Z")), random);
  EXPECT_TRUE(plan.take_due(wall(at("2026-01-01T10:00:00Z"))));
  const Instant back = at("2026-01-01T08:00:00Z");
  for (int second = 0; second < 3 * 3600; ++second)
    ASSERT_FALSE(plan.take_due(wall(back, second))) << second;
  EXPECT_TRUE(plan.take_due(wall(at("2026-01-01T11:00:00Z"))));
}

TEST(RunPlan, StartsAnewWhenTheClockWasWrongByYears_N10) {
  SeededRandom random;
  RunPlan plan(CronSchedule::parse("@hourly").value(), wall(at("2036-01-01T09:59:59Z")), random);
  EXPECT_FALSE(plan.take_due(wall(at("2026-01-01T09:30:00Z"))));
  EXPECT_EQ(plan.next(), at("2026-01-01T10:00:00Z"));
  EXPECT_TRUE(plan.take_due(wall(at("2026-01-01T10:00:00Z"))));
}

}  // namespace
}  // namespace netml::admin

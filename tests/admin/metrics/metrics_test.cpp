// Goal: what is counted comes out as it was counted, in both formats, and with bounded labels.
// Method: the texts as the formats say them, written manually.
#include "admin/metrics/metrics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "admin/metrics/metrics_text.hpp"

namespace netml::admin {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string text_of(MetricsFormat format) {
  Metrics metrics;
  metrics.answered("/status/", 200, milliseconds(5));
  metrics.answered("/status/", 503, milliseconds(6));
  MetricsText text(format);
  text.begin(families::kRequests);
  text.sample({{"route", "/status/"}, {"status", "200"}},
              metrics.requests[route_of("/status/")][status_of(200)].value());
  text.begin(families::kSent);
  text.sample(std::uint64_t{9'007'199'254'740'993});
  text.begin(families::kJournalAge);
  text.sample({}, 0.5);
  text.begin(families::kRequestSeconds);
  text.sample({{"route", "/status/"}}, metrics.request_seconds[route_of("/status/")]);
  return std::move(text).take();
}

constexpr const char* kSamples[] = {
    "netml_requests_total{route=\"/status/\",status=\"200\"} 1\n",
    "netml_sent_bytes_total 9007199254740993\n",
    "# TYPE netml_journal_age_seconds gauge\n"
    "# UNIT netml_journal_age_seconds seconds\n"
    "# HELP netml_journal_age_seconds Since the last change, or since the start.\n"
    "netml_journal_age_seconds 0.5\n",
    "# TYPE netml_request_duration_seconds histogram\n"
    "# UNIT netml_request_duration_seconds seconds\n"
    "# HELP netml_request_duration_seconds From the first byte of a request to the last byte of "
    "its "
    "answer.\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"0.005\"} 1\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"0.025\"} 2\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"0.1\"} 2\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"0.5\"} 2\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"2.5\"} 2\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"10.0\"} 2\n"
    "netml_request_duration_seconds_bucket{route=\"/status/\",le=\"+Inf\"} 2\n"
    "netml_request_duration_seconds_sum{route=\"/status/\"} 0.011\n"
    "netml_request_duration_seconds_count{route=\"/status/\"} 2\n"
    "# EOF\n"};

TEST(MetricsText, IsOpenMetrics) {
  const std::string text = text_of(MetricsFormat::open_metrics);
  for (const char* sample : kSamples) EXPECT_NE(text.find(sample), std::string::npos) << text;
  EXPECT_TRUE(
      text.starts_with("# TYPE netml_requests counter\n"
                       "# HELP netml_requests Requests that were answered, by route and "
                       "status.\n"))
      << text;
}

// A counter is called by the name of its samples there.
TEST(MetricsText, IsTheFormerFormatOfPrometheus) {
  const std::string text = text_of(MetricsFormat::prometheus);
  for (const char* sample : kSamples) EXPECT_NE(text.find(sample), std::string::npos) << text;
  EXPECT_TRUE(
      text.starts_with("# TYPE netml_requests_total counter\n"
                       "# HELP netml_requests_total Requests"))
      << text;
}

TEST(MetricsText, EscapesWhatLabelsSay) {
  MetricsText text(MetricsFormat::open_metrics);
  text.begin(families::kSourceFailures);
  text.sample({{"source", "a\"b\\c\nd"}}, std::uint64_t{3});
  EXPECT_NE(std::move(text).take().find("netml_source_failures{source=\"a\\\"b\\\\c\\nd\"} 3\n"),
            std::string::npos);
}

TEST(Histogram, CountsAValueInTheFirstBoundThatHoldsIt) {
  ScaledHistogram<kRequestScale> histogram;
  histogram.observe(milliseconds(5));
  histogram.observe(milliseconds(5) + std::chrono::nanoseconds(1));
  histogram.observe(seconds(11));
  histogram.observe(seconds(-1));  // a clock that was put back
  const Histogram::Reading reading = histogram.read();
  EXPECT_EQ(reading.up_to[0], 2U);
  EXPECT_EQ(reading.up_to[1], 3U);
  EXPECT_EQ(reading.up_to[5], 3U);
  EXPECT_EQ(reading.up_to[6], 4U);
  EXPECT_EQ(reading.sum, 11'010'000'001U);
}

TEST(Routes, AreOfAFixedList) {
  const auto route = [](std::string_view path) { return kRoutes.at(route_of(path)); };
  EXPECT_EQ(route("/netml_export/"), "/netml_export/");
  EXPECT_EQ(route("/grenml_export/"), "/netml_export/");
  EXPECT_EQ(route("/grenml_import/upload/"), "/netml_import/");
  EXPECT_EQ(route("/api/v1/map/difference"), "/api/v1/map");
  EXPECT_EQ(route("/api/v1/node/status"), "/api/v1/node/");
  EXPECT_EQ(route("/api/v1/nodes/7"), "/api/v1/");
  for (const char* path : {"", "/", "*", "/no/such/path", "/status", "/health/live"})
    EXPECT_EQ(route(path), "other") << path;
}

TEST(Statuses, AreOfAFixedList) {
  const auto status = [](int code) { return kStatuses.at(status_of(code)); };
  EXPECT_EQ(status(200), "200");
  EXPECT_EQ(status(503), "503");
  EXPECT_EQ(status(418), "other");
  EXPECT_EQ(status(-1), "other");
  EXPECT_EQ(status(0), "left");
}

TEST(Metrics, CountLimitsThatTheyKnow) {
  Metrics metrics({"uploads_at_once_max", "connections_max"});
  metrics.refused("connections_max");
  metrics.refused("connections_max");
  metrics.refused("something a client made up");
  metrics.refused("");
  ASSERT_EQ(metrics.limits().size(), 2U);
  EXPECT_EQ(metrics.limits()[0], "connections_max");
  EXPECT_EQ(metrics.refused_by(0), 2U);
  EXPECT_EQ(metrics.refused_by(1), 0U);
}

}  // namespace
}  // namespace netml::admin

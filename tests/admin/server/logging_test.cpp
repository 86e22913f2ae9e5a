// Goal: a line for each event, with the fields that programs read, nothing that was not asked for,
// and nothing that a client could write into it. Method: a log into a file, read back.
#include "admin/server/logging.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "admin/base/work_list.hpp"
#include "admin/server/life_signs.hpp"
#include "admin/server/metered_events.hpp"
#include "net/http/unique_fd.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

const net::AccessRecord kRequest{.request_id = "0123456789abcdef",
                                 .client_address = "192.0.2.7",
                                 .client = "garr",
                                 .method = "POST",
                                 .path = "/netml_import/upload/",
                                 .status = 413,
                                 .bytes_received = 7,
                                 .bytes_sent = 9,
                                 .duration = std::chrono::microseconds(1500),
                                 .limit = "upload_bytes_max"};

class LogLines : public ::testing::Test {
 protected:
  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  // Of the one line.
  boost::json::object object() const {
    const std::vector<std::string> all = lines();
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? boost::json::object() : boost::json::parse(all.front()).as_object();
  }

  netml::test::TemporaryDirectory directory_;
  const std::string path_ = directory_.file("log").string();
  const net::UniqueFd file_{::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
};

TEST_F(LogLines, AreTextWithFieldsBehindIt) {
  Log log(LogFormat::text, LogLevel::information, file_.get());
  log.warning("disk", "nearly full");
  log.record(EventLevel::information, "import", "map.xml: imported",
             {.request_id = "r1",
              .actor = "A. Admin lsn=9",
              .import_number = 5,
              .lsn = Lsn{7},
              .duration = std::chrono::microseconds(1250)});
  log.answered(kRequest);
  EXPECT_THAT(
      lines(),
      ElementsAre(MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z "
                               "warning disk: nearly full"),
                  EndsWith(" info import: map.xml: imported request_id=r1 actor=\"A. Admin "
                           "lsn=9\" import=5 lsn=7 duration_ms=1.250"),
                  EndsWith(" info request: 0123456789abcdef POST /netml_import/upload/ 413 from "
                           "192.0.2.7 as garr in 1 ms, 7 bytes in, 9 out")));
}

TEST_F(LogLines, AreObjectsWithTheFieldsOfThePage) {
  Log log(LogFormat::json, LogLevel::information, file_.get());
  log.record(EventLevel::error, "import", "a \"map\"\n",
             {.request_id = "r1",
              .actor = "ada",
              .import_number = 5,
              .lsn = Lsn{7},
              .duration = std::chrono::microseconds(1250)});
  const boost::json::object line = object();
  EXPECT_EQ(line.at("level"), "error");
  EXPECT_EQ(line.at("event"), "import");
  EXPECT_EQ(line.at("text"), "a \"map\"\n");
  EXPECT_EQ(line.at("request_id"), "r1");
  EXPECT_EQ(line.at("actor"), "ada");
  EXPECT_EQ(line.at("import"), 5);
  EXPECT_EQ(line.at("lsn"), 7);
  EXPECT_EQ(line.at("duration_ms"), 1.25);
  EXPECT_THAT(std::string(line.at("time").as_string()), EndsWith("Z"));
}

TEST_F(LogLines, OfRequestsAreObjectsToo) {
  Log log(LogFormat::json, LogLevel::information, file_.get());
  log.answered(kRequest);
  const boost::json::object line = object();
  EXPECT_EQ(line.at("event"), "request");
  EXPECT_EQ(line.at("request_id"), "0123456789abcdef");
  EXPECT_EQ(line.at("actor"), "garr");
  EXPECT_EQ(line.at("method"), "POST");
  EXPECT_EQ(line.at("path"), "/netml_import/upload/");
  EXPECT_EQ(line.at("status"), 413);
  EXPECT_EQ(line.at("client_address"), "192.0.2.7");
  EXPECT_EQ(line.at("bytes_received"), 7);
  EXPECT_EQ(line.at("bytes_sent"), 9);
  EXPECT_EQ(line.at("duration_ms"), 1.5);
  EXPECT_EQ(line.at("limit"), "upload_bytes_max");
}

TEST_F(LogLines, LeaveOutWhatIsEmpty) {
  Log log(LogFormat::json, LogLevel::debug, file_.get());
  log.record(EventLevel::debug, "change", "edit", {.lsn = Lsn{3}});
  const boost::json::object line = object();
  EXPECT_EQ(line.size(), 5U);
  EXPECT_EQ(line.at("level"), "debug");
  EXPECT_EQ(line.at("lsn"), 3);
}

TEST_F(LogLines, AreOfTheLevelThatIsSetAndAbove) {
  Log log(LogFormat::text, LogLevel::information, file_.get());
  log.record(EventLevel::debug, "change", "edit", {});
  EXPECT_THAT(lines(), IsEmpty());
  log.set_level(LogLevel::error);
  log.information("a", "b");
  log.warning("a", "b");
  log.answered(kRequest);
  EXPECT_THAT(lines(), IsEmpty());
  log.error("disk", "full");
  log.set_level(LogLevel::debug);
  log.set_format(LogFormat::json);
  log.record(EventLevel::debug, "change", "edit", {});
  EXPECT_THAT(lines(),
              ElementsAre(HasSubstr(" error disk: full"), HasSubstr(R"("event":"change")")));
}

TEST(LogOptions, AreReadByName) {
  EXPECT_EQ(log_format("json"), LogFormat::json);
  EXPECT_EQ(log_format("text"), LogFormat::text);
  EXPECT_EQ(log_format("xml"), std::nullopt);
  EXPECT_EQ(log_level("debug"), LogLevel::debug);
  EXPECT_EQ(log_level("error"), LogLevel::error);
  EXPECT_EQ(log_level(""), std::nullopt);
}

const net::EventRecord kTimeOut{.what = net::ServerEvent::connection_timed_out,
                                .client_address = "192.0.2.7",
                                .detail = "sending",
                                .request_id = "0123456789abcdef",
                                .client = "garr",
                                .duration = std::chrono::microseconds(1500)};

TEST_F(LogLines, OfAServerAreTextWithFieldsBehindIt) {
  Log log(LogFormat::text, LogLevel::information, file_.get());
  log.event(kTimeOut);
  log.event({.what = net::ServerEvent::control_peer_refused, .detail = "uid 7"});
  EXPECT_THAT(lines(), ElementsAre(EndsWith(" info connection_timed_out: 192.0.2.7: sending "
                                            "request_id=0123456789abcdef actor=garr "
                                            "duration_ms=1.500"),
                                   EndsWith(" warning control_peer_refused: uid 7")));
}

TEST_F(LogLines, OfAServerAreObjectsWithTheFieldsThatThereAre) {
  Log log(LogFormat::json, LogLevel::information, file_.get());
  log.event(kTimeOut);
  const boost::json::object line = object();
  EXPECT_EQ(line.at("event"), "connection_timed_out");
  EXPECT_EQ(line.at("text"), "192.0.2.7: sending");
  EXPECT_EQ(line.at("request_id"), "0123456789abcdef");
  EXPECT_EQ(line.at("actor"), "garr");
  EXPECT_EQ(line.at("client_address"), "192.0.2.7");
  EXPECT_EQ(line.at("duration_ms"), 1.5);
  EXPECT_FALSE(line.contains("limit"));
}

TEST_F(LogLines, OfARefusalNameTheLimit) {
  Log log(LogFormat::json, LogLevel::warning, file_.get());
  log.event(kTimeOut);
  EXPECT_THAT(lines(), IsEmpty()) << "it is of a lower level";
  log.event({.what = net::ServerEvent::connection_refused,
             .client_address = "192.0.2.7",
             .detail = "connections_max"});
  const boost::json::object line = object();
  EXPECT_EQ(line.at("limit"), "connections_max");
  EXPECT_EQ(line.at("client_address"), "192.0.2.7");
  EXPECT_FALSE(line.contains("duration_ms"));
  EXPECT_FALSE(line.contains("actor"));
}

// What a server tells is counted, and logged all the same.
TEST_F(LogLines, OfAServerAreCountedOnTheirWay) {
  Log log(LogFormat::text, LogLevel::information, file_.get());
  Metrics metrics({"connections_max", "upload_bytes_max"});
  MeteredEvents events(metrics, log);
  events.answered(kRequest);
  events.event({.what = net::ServerEvent::connection_refused,
                .client_address = "192.0.2.7",
                .detail = "connections_max"});
  events.event({.what = net::ServerEvent::connection_timed_out,
                .client_address = "192.0.2.7",
                .detail = "connections_max"});
  EXPECT_EQ(metrics.requests[route_of(kRequest.path)][status_of(413)].value(), 1U);
  EXPECT_EQ(metrics.received_bytes.value(), 7U);
  EXPECT_EQ(metrics.sent_bytes.value(), 9U);
  EXPECT_EQ(metrics.refused_by(0), 1U);
  EXPECT_EQ(metrics.refused_by(1), 1U);
  EXPECT_EQ(lines().size(), 3U);
}

// The node asks itself, for the service manager; commands that wait ask how far the work is.
TEST_F(LogLines, AndCountsLeaveOutWhatIsAskedAgainAndAgain) {
  Log log(LogFormat::text, LogLevel::information, file_.get());
  Metrics metrics;
  MeteredEvents events(metrics, log);
  net::AccessRecord sign = kRequest;
  sign.client_address = "";
  sign.limit = "";
  for (const std::string_view path : {kSignOfLife, kWorkPath}) {
    sign.path = path;
    events.answered(sign);
  }
  EXPECT_EQ(metrics.received_bytes.value(), 0U);
  EXPECT_THAT(lines(), IsEmpty());
  sign.client_address = "192.0.2.7";
  for (const std::string_view path : {kSignOfLife, kWorkPath}) {
    sign.path = path;
    events.answered(sign);
  }
  EXPECT_EQ(metrics.received_bytes.value(), 14U) << "who asks for it from elsewhere is counted";
  EXPECT_EQ(lines().size(), 2U);
}

}  // namespace
}  // namespace netml::admin

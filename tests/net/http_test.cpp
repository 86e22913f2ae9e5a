// The vocabulary of requests and answers: header look-up, refusals, dates, escaping.
#include "net/http/http.hpp"

#include <gtest/gtest.h>

namespace netml::net {
namespace {

std::string text_of(const Response& response) {
  return std::get<std::string>(response.body);
}

TEST(Headers, AreFoundWithoutRegardToCase) {
  Headers headers;
  headers.add("Content-Type", "a");
  headers.add("content-type", "b");
  EXPECT_EQ(headers.get("CONTENT-TYPE"), "a");
  EXPECT_EQ(headers.count("Content-Type"), 2u);
  headers.set("Content-type", "c");
  EXPECT_EQ(headers.count("Content-Type"), 1u);
  headers.set_default("Content-Type", "d");
  EXPECT_EQ(headers.get("Content-Type"), "c");
}

TEST(Refusal, IsAtMostOneKibibyteHoweverMuchIsEscaped) {
  for (const std::string& detail :
       {std::string(5000, 'x'), std::string(5000, '\x01'), std::string(5000, '\xff')}) {
    const std::string body = text_of(refusal(400, detail));
    EXPECT_LE(body.size(), 1024u);
    EXPECT_GT(body.size(), 500u);
    EXPECT_TRUE(body.starts_with(R"({"detail":")") && body.ends_with("\"}"));
  }
}

TEST(Refusal, TellsNothingOfOurOwnDisk) {
  for (const Errc code : {Errc::io_error, Errc::corruption, Errc::internal}) {
    const Response response = refusal(Error{code, "/secret/path: EIO"});
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(text_of(response).find("secret"), std::string::npos);
  }
  const auto says = [](Errc code, std::string_view what) {
    return text_of(refusal(Error{code, "/secret/path: EIO"})).find(what) != std::string::npos;
  };
  EXPECT_TRUE(says(Errc::corruption, "stored data cannot be read;"));
  EXPECT_TRUE(says(Errc::io_error, "cannot be read or written;")) << "a sync may have failed";
  EXPECT_TRUE(says(Errc::internal, "internal error;"));
}

TEST(Refusal, HasTheStatusOfTheErrorsCode) {
  EXPECT_EQ(http_status(Errc::invalid_input), 400);
  EXPECT_EQ(http_status(Errc::denied), 403);
  EXPECT_EQ(http_status(Errc::not_found), 404);
  EXPECT_EQ(http_status(Errc::conflict), 409);
  EXPECT_EQ(http_status(Errc::too_large), 413);
  EXPECT_EQ(http_status(Errc::no_space), 503);
  EXPECT_EQ(refusal(Error{Errc::unavailable, "later"}).headers.get("Retry-After"), "5");
  // Sent again by itself, a change of which nobody knows might be made twice.
  const Response unknown = refusal(Error{Errc::outcome_unknown, "unknown"});
  EXPECT_EQ(unknown.status, 503);
  EXPECT_EQ(unknown.headers.get("Retry-After"), "");
  EXPECT_NE(text_of(unknown).find("outcome-unknown"), std::string::npos);
}

TEST(Excerpt, ShowsSixtyFourEscapedCharacters) {
  EXPECT_EQ(excerpt("a\r\n\x1b[0m'\xff"), R"('a\x0d\x0a\x1b[0m\x27\xff')");
  const std::string shown = excerpt(std::string(100, 'x'));
  EXPECT_EQ(shown, "'" + std::string(64, 'x') + "'...");
}

TEST(HttpDate, IsInTheFixedFormat) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(QueryParameter, IsDecodedOnce) {
  EXPECT_EQ(query_parameter("a=1&b=x%2520+y&b=2", "b"), "x%20 y");
  EXPECT_EQ(query_parameter("a&b=", "a"), "");
  EXPECT_EQ(query_parameter("a=%zz", "a"), std::nullopt);
  EXPECT_EQ(query_parameter("", "a"), std::nullopt);
}

}  // namespace
}  // namespace netml::net

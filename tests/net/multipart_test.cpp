// The multipart reader: the parts do not depend on how the bytes are cut; limits and malformed
// bodies of the hostile-input table (docs/requirements/durability-and-security.md, section 3).
#include "net/http/multipart.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace netml::net {
namespace {

using namespace std::string_literals;

struct Part {
  std::string name;
  std::optional<std::string> file_name;
  std::string data;
  bool ended = false;
  bool operator==(const Part&) const = default;
};

class Collector : public MultipartHandler {
 public:
  Status part_begin(const PartHead& head) override {
    parts.push_back({head.name, head.file_name, "", false});
    return {};
  }
  Status part_data(std::string_view piece) override {
    parts.back().data += piece;
    return {};
  }
  Status part_end() override {
    parts.back().ended = true;
    return {};
  }
  std::vector<Part> parts;
};

std::string part_text(std::string_view disposition, std::string_view data) {
  return fmt::format("--b\r\nContent-Disposition: form-data; {}\r\n\r\n{}\r\n", disposition, data);
}

Result<std::vector<Part>> read(std::string_view body, const std::vector<std::size_t>& cuts = {}) {
  Collector collector;
  const Limits limits;
  MultipartParser parser("b", limits, collector);
  for (std::size_t i = 0; !body.empty(); ++i) {
    const std::size_t size = cuts.empty() ? body.size() : 1 + cuts[i % cuts.size()];
    NETML_TRY_VOID(parser.push(body.substr(0, size)));
    body.remove_prefix(std::min(size, body.size()));
  }
  NETML_TRY_VOID(parser.finish());
  return collector.parts;
}

RC_GTEST_PROP(Multipart, GivesTheSamePartsHoweverTheBytesAreCut, ()) {
  // Bytes that boundaries are made of, so that near misses are common.
  const auto data = rc::gen::container<std::string>(rc::gen::element('\r', '\n', '-', 'b', 'x'));
  const auto contents =
      *rc::gen::resize(10, rc::gen::container<std::vector<std::string>>(
                               rc::gen::suchThat(data, [](const std::string& s) {
                                 return ("\r\n" + s).find("\r\n--b") == std::string::npos;
                               })));
  const auto cuts = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(0, 7));
  std::string body;
  std::vector<Part> expected;
  for (const std::string& content : contents) {
    body += part_text("name=\"n\"", content);
    expected.push_back({"n", std::nullopt, content, true});
  }
  body += "--b--\r\nepilogue --b";
  const auto parts = read(body, cuts);
  RC_ASSERT(parts.has_value());
  RC_ASSERT(*parts == expected);
}

TEST(Multipart, ReadsNamesAndFileNames) {
  const auto parts =
      read("preamble\r\n" + part_text(R"(name="file"; filename="a \"b\".xml")", "<x/>") +
           part_text(R"(filename*=utf-8''na%C3%AFve.xml; name=file)", "") +
           part_text(R"(NAME="t"; filename="")", "v") + "--b--");
  ASSERT_TRUE(parts.has_value()) << parts.error().message;
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ((*parts)[0].file_name, "a \"b\".xml");
  EXPECT_EQ((*parts)[0].data, "<x/>");
  EXPECT_EQ((*parts)[1].file_name, "na\xc3\xafve.xml");
  EXPECT_EQ((*parts)[2].file_name, "");
}

TEST(Multipart, RefusesMalformedBodies) {
  const std::string good = part_text("name=\"n\"", "v");
  const std::vector<std::string> bad{
      "",
      "no boundary at all",
      good,                                        // never closed
      good + "--b",                                // cut in the last boundary
      good + "--bx\r\n",                           // not our boundary line
      "--b\r\n\r\nv\r\n--b--",                     // no header
      "--b\r\nX: y\r\n\r\nv\r\n--b--",             // no disposition
      part_text("filename=\"x\"", "v") + "--b--",  // no name
      part_text("name=\"a\"; name=\"b\"", "v") + "--b--",
      part_text("name=\"a", "v") + "--b--",  // quote not closed
      part_text("name=\"a\x01\"", "v") + "--b--",
      part_text("name=\"a\"; filename=\"x\0.xml\""s, "v") + "--b--",
      part_text("name=\"a\"; filename=\"../x.xml\"", "v") + "--b--",
      part_text("name=\"a\"; filename=\"C:\\x.xml\"", "v") + "--b--",
      part_text("name=\"a\"; filename=\"" + std::string(300, 'x') + "\"", "v") + "--b--",
      part_text("name=\"a\"; filename=\"\xff.xml\"", "v") + "--b--",
      part_text("name=\"a\"; filename*=latin1''x", "v") + "--b--",
      "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64"
      "\r\n\r\nv\r\n--b--",
      "--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nv\r\n--b--",
      "--b\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\nv\r\n--b--",  // folded
  };
  for (const std::string& body : bad) {
    const auto parts = read(body);
    ASSERT_FALSE(parts.has_value()) << body;
    EXPECT_EQ(parts.error().code, Errc::invalid_input) << body;
  }
}

TEST(Multipart, StopsAtTheSeventeenthPart) {
  std::string body;
  for (int i = 0; i < 16; ++i) body += part_text("name=\"n\"", "");
  EXPECT_TRUE(read(body + "--b--").has_value());
  const auto parts = read(body + part_text("name=\"n\"", "") + "--b--");
  ASSERT_FALSE(parts.has_value());
  EXPECT_EQ(parts.error().code, Errc::too_large);
}

TEST(Multipart, BoundsAPartsHeader) {
  const auto header = [](std::size_t bytes) { return "--b\r\nX: " + std::string(bytes, 'x'); };
  const std::string rest = "\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n\r\n--b--";
  EXPECT_TRUE(read(header(8000) + rest).has_value());
  for (const std::string& body : {header(9000) + rest, header(9000)}) {
    const auto parts = read(body);
    ASSERT_FALSE(parts.has_value());
    EXPECT_EQ(parts.error().code, Errc::invalid_input);
    EXPECT_NE(parts.error().message.find("bytes of a part's header"), std::string::npos)
        << parts.error().message;
  }
}

TEST(MultipartBoundary, IsTakenFromTheContentType) {
  EXPECT_EQ(multipart_boundary("multipart/form-data; boundary=abc").value(), "abc");
  EXPECT_EQ(multipart_boundary("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a b\"").value(),
            "a b");
  for (const std::string& bad :
       {std::string("multipart/form-data"), std::string("multipart/form-data; boundary="),
        std::string("text/plain; boundary=a"), std::string(""),
        "multipart/form-data; boundary=" + std::string(71, 'x'),
        std::string("multipart/form-data; boundary=a; boundary=b")}) {
    EXPECT_FALSE(multipart_boundary(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace netml::net

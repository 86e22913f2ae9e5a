// Files that want to hurt: limits, forbidden parts of XML and broken text
// (docs/requirements/durability-and-security.md, section 3, table of hostile input).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <random>

#include "codecs/netml/netml_reader.hpp"
#include "tests/codecs/netml_text.hpp"

namespace netml::codecs {
namespace {

using engine::InputError;
using test::codes_of;
using test::errors_of;
using test::link;
using test::nested;
using test::node;
using test::root;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Feeds `piece` up to `times` times, as long as the reader wants it.
class Flood {
 public:
  explicit Flood(bool bulk) : reader_({}, {bulk ? replay() : nullptr, 2}) {}

  void feed(std::string_view piece, std::uint64_t times = 1) {
    pieces_.push_back({std::string(piece), 0});
    for (std::uint64_t i = 0; i < times && !reader_.stopped(); ++i) {
      reader_.feed(std::as_bytes(std::span(piece)));
      ++pieces_.back().times;
      fed_ += piece.size();
    }
  }
  std::uint64_t fed() const { return fed_; }
  bool stopped() const { return reader_.stopped(); }
  std::string code() {
    const ReadResult result = reader_.finish();
    return result ? "accepted" : result.error().first.front().code;
  }

 private:
  struct Piece {
    std::string text;
    std::uint64_t times;
  };

  ReplaySource replay() {
    return [this](const ByteSink& sink) {
      for (const Piece& piece : pieces_)
        for (std::uint64_t i = 0; i < piece.times; ++i)
          if (!sink(std::as_bytes(std::span(piece.text)))) return Status();
      return Status();
    };
  }

  std::vector<Piece> pieces_;
  NetmlReader reader_;
  std::uint64_t fed_ = 0;
};

// Floods on the strict path only, or on the bulk path at first.
class Floods : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(OnBothPaths, Floods, testing::Values(false, true),
                         [](const auto& path) { return path.param ? "Bulk" : "Strict"; });

std::string open_root() {
  const std::string whole = root("");
  return whole.substr(0, whole.size() - std::string_view("</grenml:Topology>").size());
}

// ---- document type declarations ----

class Doctypes : public testing::TestWithParam<const char*> {};
TEST_P(Doctypes, AreForbidden) {
  const std::vector<InputError> errors = errors_of(GetParam() + root(""));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].code, "dtd-forbidden");
  EXPECT_EQ(errors[0].message, "Error: document type declarations are not accepted");
  EXPECT_EQ(errors[0].line, 1U);
}
INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, Doctypes,
    testing::Values("<!DOCTYPE Topology>", "<!DOCTYPE t SYSTEM 'file:///etc/passwd'>",
                    "<!DOCTYPE t PUBLIC 'a' 'http://192.0.2.1/t.dtd'>",
                    "<!DOCTYPE t [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>",
                    "<!DOCTYPE t [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>",
                    "<!DOCTYPE t [<!ENTITY % p SYSTEM 'http://192.0.2.1/'> %p;]>"));

// ---- limits ----

TEST_P(Floods, StopMillionsOfNestedElements) {
  Flood flood(GetParam());
  flood.feed(open_root());
  flood.feed("<grenml:Topology id='x'>", 5'000'000);
  EXPECT_TRUE(flood.stopped());
  EXPECT_LT(flood.fed(), 1U << 20);
}

TEST(ReadLimits, AllowExactlyTheDepthThatIsSet) {
  ReadLimits limits;
  limits.depth = 3;  // the root, a sub-topology, its name
  EXPECT_THAT(codes_of(root(nested("a")), limits), ElementsAre("too-deep"));
  limits.depth = 4;
  EXPECT_TRUE(test::read_every_way(root(nested("a")), limits).has_value());
}

TEST(ReadLimits, CountElementsInSkippedPartsToo) {
  ReadLimits limits;
  limits.elements = 10;
  EXPECT_THAT(codes_of(root("<nml:Topology><nml:a/><nml:a/><nml:a/></nml:Topology>"), limits),
              testing::IsEmpty());
  EXPECT_THAT(codes_of(root("<nml:Topology><nml:a><nml:b/><nml:b/><nml:b/><nml:b/></nml:a>"
                            "</nml:Topology>"),
                       limits),
              ElementsAre("too-large"));
  limits.depth = 4;
  EXPECT_THAT(
      codes_of(root("<nml:Topology><nml:a><nml:b><nml:c/></nml:b></nml:a></nml:Topology>"), limits),
      ElementsAre("too-deep"));
}

TEST_P(Floods, StopAMillionAttributes) {
  std::string attributes;
  for (int i = 0; i < 1'000'000; ++i) attributes += fmt::format(" a{}=''", i);
  Flood flood(GetParam());
  flood.feed(root("<:Node id='n'" + attributes + "/>"));
  EXPECT_EQ(flood.code(), "too-large");
}

TEST(ReadLimits, AllowExactlyTheAttributesThatAreSet) {
  std::string attributes;
  for (int i = 0; i < 255; ++i) attributes += fmt::format(" xsi:a{}=''", i);
  const std::string id = " id='n'";
  const std::string rest = "><:name>N</:name></:Node>";
  EXPECT_TRUE(test::read_every_way(root("<:Node" + id + attributes + rest)).has_value());
  EXPECT_THAT(codes_of(root("<:Node" + id + attributes + " xsi:z=''" + rest)),
              ElementsAre("too-large"));
}

TEST(ReadLimits, StopALongAttribute) {
  const std::string value(4 << 20, 'x');
  EXPECT_THAT(codes_of(root("<:Node id='" + value + "'/>")), ElementsAre("too-large"));
  EXPECT_THAT(codes_of(root("<:Node id='" + value.substr(0, (1 << 20) + 1) + "'/>")),
              ElementsAre("too-large"));
}

// Also when it comes a kilobyte at a time, and without keeping what cannot be used.
TEST_P(Floods, StopAnAttributeWithoutEnd) {
  Flood flood(GetParam());
  flood.feed(open_root() + "<grenml:Node id='");
  flood.feed(std::string(1 << 10, 'x'), 1 << 20);
  EXPECT_TRUE(flood.stopped());
  EXPECT_LT(flood.fed(), 8U << 20);
  EXPECT_EQ(flood.code(), "too-large");
}

TEST_P(Floods, StopACommentWithoutEnd) {
  Flood flood(GetParam());
  flood.feed("<!-- ");
  flood.feed(std::string(1 << 16, 'x'), 1 << 14);
  EXPECT_LT(flood.fed(), 8U << 20);
  EXPECT_EQ(flood.code(), "too-large");
}

TEST(ReadLimits, LetManySmallCommentsPass) {
  std::string comments;
  for (int i = 0; i < 1'000'000; ++i) comments += "<!--x-->";
  EXPECT_TRUE(test::read_every_way(root(comments)).has_value());
}

TEST_P(Floods, StopALongText) {
  Flood flood(GetParam());
  flood.feed(open_root() + "<grenml:Node id='n'><grenml:name>");
  flood.feed(std::string(1 << 16, 'x'), 1 << 14);
  EXPECT_LT(flood.fed(), 2U << 20);
  EXPECT_EQ(flood.code(), "too-large");
}

TEST(ReadLimits, StopLongNames) {
  const std::string name(1025, 'x');
  EXPECT_THAT(codes_of(root("<:" + name + "/>")), ElementsAre("too-large"));
  EXPECT_THAT(codes_of(root("<:Node id='n' " + name + "=''/>")), ElementsAre("too-large"));
}

TEST_P(Floods, StopARecordOfTooManyProperties) {
  Flood flood(GetParam());
  flood.feed(open_root() + "<grenml:Node id='n'><grenml:name>N</grenml:name>");
  flood.feed("<grenml:Property name=''></grenml:Property>", 1 << 20);
  EXPECT_EQ(flood.code(), "too-large");
}

TEST(ReadLimits, SayTheirNameTheirValueAndHowTheyAreRaised) {
  const auto message = [](const ReadLimits& limits) {
    const std::vector<InputError> errors = errors_of(root(nested("a")), limits);
    return errors.size() == 1 ? errors[0].message : fmt::format("{} errors", errors.size());
  };
  EXPECT_EQ(message({.depth = 2}),
            "Error: elements are nested too deeply: above xml_depth_max (2); raise it with --limit "
            "xml_depth_max=N");
  EXPECT_EQ(message({.elements = 3}),
            "Error: there are too many elements: above xml_elements_max (3); raise it with --limit "
            "xml_elements_max=N");
}

TEST(ReadLimits, AllowAChainOfTopologiesWhenRaised) {
  constexpr int kDepth = 100'000;
  std::string inner;
  std::string text = open_root();
  for (int i = 0; i < kDepth; ++i) {
    const std::string one = test::with_prefix(nested(fmt::format("s{}", i)));
    text.append(one, 0, one.size() - std::string_view("</grenml:Topology>").size());
  }
  for (int i = 0; i <= kDepth; ++i) text += "</grenml:Topology>";
  ReadLimits limits;
  limits.depth = kDepth + 10;
  const ReadResult result = test::read_every_way(text, limits);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->topologies.size(), kDepth + 1U);
}

// ---- memory ----

std::size_t bytes_in_use() {
  return mallinfo2().uordblks + mallinfo2().hblkhd;
}

// Memory follows what the document says, not what it takes to say it.
TEST_P(Floods, KeepsNothingOfTextWithoutMeaning) {
  Flood flood(GetParam());
  flood.feed(open_root());
  const std::size_t before = bytes_in_use();
  flood.feed("<nml:Topology><nml:Node>" + std::string(1 << 16, 'x') + "</nml:Node></nml:Topology>",
             1000);
  flood.feed("\n  <!-- c -->\n  ", 100'000);
  EXPECT_FALSE(flood.stopped());
  EXPECT_LT(bytes_in_use(), before + (4U << 20));
}

TEST_P(Floods, KeepsNoMoreErrorsThanItsLimit) {
  const std::size_t before = bytes_in_use();
  Flood flood(GetParam());
  flood.feed(open_root());
  flood.feed("<grenml:Node id='" + std::string(1000, 'x') + "'/>", 100'000);
  EXPECT_FALSE(flood.stopped()) << "the others are counted";
  EXPECT_LT(bytes_in_use(), before + (8U << 20));
}

// ---- texts that are no XML ----

class BrokenXml : public testing::TestWithParam<std::string> {};
TEST_P(BrokenXml, IsNotWellFormed) {
  const std::vector<InputError> errors = errors_of(GetParam());
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors.back().code, "not-well-formed");
  EXPECT_THAT(errors.back().message, StartsWith("Error: the file is not well-formed XML: "));
  EXPECT_GT(errors.back().line, 0U);
}
INSTANTIATE_TEST_SUITE_P(
    Forms, BrokenXml,
    testing::Values("", " ", "garbage", "{\"json\": true}", std::string("PK\x03\x04", 4),
                    std::string(5, '\0'), "<?xml version='1.0' encoding='utf-7'?>" + root(""),
                    "<?xml version='1.0' encoding='x-unknown'?>" + root(""), root("") + root(""),
                    root("") + "text", root("<:Node></:Link>"), root("<:Node id='a' id='b'/>"),
                    root("<:Node nml:a='1' m:a='2' xmlns:m='http://schemas.ogf.org/nml/2013/05/"
                         "base#'/>"),
                    root("<:Node id=a/>"), root("<undeclared:Node/>"), root("&undeclared;"),
                    root("&#0;"), root("&#xD800;"), root("&#xFFFF;"), root("\xef\xbf\xbf"),
                    root("\x01"), root("\xff"), root("\xc0\x80"), root("\xed\xa0\x80"),
                    root("\xf4\x90\x80\x80"), root("\xe9"), root("a ]]> b"), root("<!-- -- -->"),
                    root("<?xml version='1.0'?>"), root("<:Node id='<'/>")));

TEST(BrokenXml, SaysWhatAForeignFileIs) {
  const auto message_of = [](std::string_view start) {
    const std::vector<InputError> errors = errors_of(std::string(start) + " and more bytes");
    EXPECT_EQ(errors.size(), 1U);
    return errors.at(0).text();
  };
  EXPECT_THAT(message_of("PK\3\4"),
              StartsWith("line 1, column 1: Error: the file is not well-formed XML: it is a zip "
                         "archive; if it is a spreadsheet, give it a name that ends in .xlsx"));
  EXPECT_THAT(message_of("\x1f\x8b"), HasSubstr("gzip"));
  EXPECT_THAT(message_of("\xd0\xcf\x11\xe0"), HasSubstr("Office"));
  EXPECT_THAT(message_of("%PDF-1.7"), HasSubstr("PDF"));
}

// The places of the file before the damage are reported as well.
TEST(BrokenXml, DoesNotHideEarlierErrors) {
  const std::string text = root(node("n") + node("n") + "<:Node");
  EXPECT_THAT(codes_of(text), ElementsAre("duplicate-id", "not-well-formed"));
}

// Cut at every byte, a file is refused as such, without wrong claims about what was not read.
TEST(BrokenXml, IsAnyFileThatIsCutShort) {
  const std::string text = root(link("l", "a", "b", "<:owner>j</:owner>") + node("a") +
                                node("b", "<:Lifetime/>") + nested("s", node("a")));
  ASSERT_FALSE(
      test::read_every_way(text).has_value());  // the owner is unknown, which is known at the end
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::vector<InputError> errors = errors_of(std::string_view(text).substr(0, length));
    ASSERT_FALSE(errors.empty()) << length;
    EXPECT_TRUE(std::ranges::count(errors, "not-well-formed", &InputError::code) == 1) << length;
    for (const InputError& error : errors)
      EXPECT_TRUE(error.code == "not-well-formed" || error.code == "owner-unknown") << length;
  }
}

// Any damage gives a result, never a crash; under the sanitizers this is the point of the test.
TEST(BrokenXml, NeverHarmsTheReader) {
  const std::string text = root(link("l", "a", "b") + node("a") + node("b") + nested("s"));
  std::mt19937 random(1);
  for (int round = 0; round < 5'000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, random() % 20);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 40));
      }
    }
    const ReadResult result = test::read_every_way(damaged);
    if (result.has_value()) {
      EXPECT_FALSE(result->topologies.empty());
    } else {
      EXPECT_GT(result.error().count, 0U);
    }
  }
}

TEST(NetmlReader, KeepsMarkupInTextsAsData) {
  const ReadResult result = test::read_every_way(
      root("<:Node id='n'><:name>&lt;script>=cmd()&#13;\u202e</:name></:Node>"));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->nodes(result->topologies[0])[0].attributes->name(), "<script>=cmd()\r\u202e");
}

}  // namespace
}  // namespace netml::codecs

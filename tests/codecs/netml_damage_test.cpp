// Both paths of reading give the same for any file: random files of every form and encoding that
// the bulk path takes, whole and damaged, in pieces of any size, on one and two threads.
#include <gtest/gtest.h>
// After GoogleTest, which it extends.
#include <rapidcheck/gtest.h>

#include <random>
#include <string>

#include "tests/codecs/netml_text.hpp"

namespace netml::codecs {
namespace {

using test::link;
using test::nested;
using test::node;
using test::read_in;
using test::Reading;
using test::root;
using test::same;

// Makes files as the bulk path takes them, and damages them.
class Workshop {
 public:
  explicit Workshop(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool one_in(std::size_t chances) { return below(chances) == 0; }

  std::string file() {
    std::string text = root(content() + (one_in(2) ? nested("s", content() + nested("u")) : ""));
    if (one_in(2)) text = remarked(text);
    if (one_in(2)) text = with_other_line_ends(text);
    return encoded(text);
  }

  // One change; most give files that must be refused.
  void damage(std::string& text) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(one_in(3) ? 80 : 3));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(200)));
        break;
      case 3:
        text.insert(place(text), test::with_prefix(fragment()));
        break;
      case 4:
        swap_elements(text);
        break;
      default:
        text.insert(at, test::with_prefix(fragment()));
    }
    if (text.empty()) text = "<";
  }

 private:
  const std::string& fragment() {
    static const std::string kFragments[] = {"&",
                                             "&amp;",
                                             "&#10;",
                                             "&#x20;",
                                             "&amp",
                                             "<",
                                             ">",
                                             "]]>",
                                             "\r",
                                             "\n",
                                             " ",
                                             "\"",
                                             "'",
                                             "/",
                                             "<!-- c -->",
                                             "<![CDATA[x]]>",
                                             "<?p?>",
                                             "\r\n",
                                             "<!--",
                                             "--",
                                             "-->",
                                             "<?",
                                             "?>",
                                             "<![CDATA[",
                                             "<![CDATA[\r\n<&\r]]>",
                                             "\xc3",
                                             "\xc3\xa9",
                                             "\xef\xbf\xbf",
                                             "\x7f",
                                             "\x1f",
                                             "=",
                                             ":",
                                             " id='x'",
                                             " version=''",
                                             " name='q'",
                                             " xmlns:p='urn:p'",
                                             " xsi:a='b'",
                                             "</",
                                             "/>",
                                             "xml",
                                             "<:name>n</:name>",
                                             "<:owner>i</:owner>",
                                             "<:owner/>",
                                             "<nml:Topology/>",
                                             std::string(130, 'x'),
                                             std::string(1, '\0'),
                                             "\xef\xbb\xbf",
                                             "-",
                                             "1",
                                             "NaN"};
    return kFragments[below(std::size(kFragments))];
  }

  // Remarks before and behind some tags, so also in texts.
  std::string remarked(const std::string& text) {
    static const std::string kRemarks[] = {"<!-- c -->",
                                           "<!---->",
                                           "<?p?>",
                                           "<?p \n ?i? > ?>",
                                           "<?xml-s \u20ac?>",
                                           "<!-- - <grenml:Node> ]] > &x; \u00e9 -->",
                                           "<!--\n</grenml:Node>-->",
                                           "<!-- </grenml:Topology> --><?p </grenml:Link>?>"};
    const std::size_t chances = 2 + below(40);
    std::string all;
    for (const char c : text) {
      if (c == '<' && one_in(chances)) all += kRemarks[below(std::size(kRemarks))];
      all += c;
    }
    return one_in(2) ? all : all + kRemarks[below(std::size(kRemarks))];
  }

  // Each line end as one of the three that there are.
  std::string with_other_line_ends(const std::string& text) {
    static const std::string kLineEnds[] = {"\n", "\r\n", "\r"};
    const bool same = one_in(2);
    std::string all;
    for (const char c : text) {
      if (c == '\n')
        all += kLineEnds[same ? 1 : below(std::size(kLineEnds))];
      else
        all += c;
    }
    return all;
  }

  std::string encoded(const std::string& text) {
    const bool big = one_in(2);
    switch (below(8)) {
      case 0:
        return test::in_utf16(std::string(test::kMark) + text, big);
      case 1:
        return test::in_utf16("<?xml version='1.0' encoding='utf-16'?>" + text, big);
      case 2:  // each byte of a character is another character then
        return "<?xml version='1.0' encoding='iso-8859-1'?>\r\n" + text;
      case 3:
        return std::string(test::kMark) + text;
      case 4:
        return text;
      default:
        return "<?xml version='1.0' encoding='utf-8'?>\n" + text;
    }
  }

  std::string content() {
    const std::size_t nodes = 2 + below(4);
    std::string all;
    if (one_in(2))
      all += "<:Institution id='j'><:name>J</:name>" + properties() + "</:Institution>";
    for (std::size_t i = below(4); i > 0; --i) {
      const std::size_t a = below(nodes);
      all += link(fmt::format("l{}", i), fmt::format("n{}", a),
                  fmt::format("n{}", (a + 1 + below(nodes - 1)) % nodes), details() + properties());
    }
    for (std::size_t i = 0; i < nodes; ++i)
      all += node(fmt::format("n{}", i), details() + (one_in(8) ? "" : location()) + properties());
    return all;
  }

  std::string details() {
    std::string all;
    if (one_in(4)) all += "<:short-name>" + text() + "</:short-name>";
    if (one_in(3)) all += "<:owner>i</:owner>\n";
    if (one_in(4)) all += "<:Lifetime> <nml:start>2020-02-29T01:02:03Z</nml:start></:Lifetime>";
    return all;
  }

  std::string location() {
    const std::string altitude = one_in(3) ? fmt::format("<:alt>{}</:alt>", below(20'000)) : "";
    const std::string address = one_in(3) ? "<:address>" + text() + "</:address>" : "";
    return fmt::format("<:Location><:long>{}.5</:long><:lat>-{}</:lat>{}{}</:Location>", below(180),
                       below(91), altitude, address);
  }

  std::string properties() {
    std::string all;
    for (std::size_t i = below(3); i > 0; --i)
      all += fmt::format("<:Property name='P{}'>{}</:Property>", i, text());
    return all;
  }

  std::string text() {
    static const std::string kPieces[] = {"a",
                                          " ",
                                          "&amp;",
                                          "&lt;",
                                          "&#13;",
                                          "]",
                                          ">",
                                          "\"",
                                          "\n",
                                          "\u00e9",
                                          "\u20ac",
                                          "\U0001f600",
                                          std::string(40, 'y')};
    static const std::string kSections[] = {"<![CDATA[]]>", "<![CDATA[<&\n]] >]]>",
                                            "<![CDATA[\n\n]]]]><![CDATA[>]]>"};
    std::string all;
    for (std::size_t i = below(6); i > 0; --i) all += kPieces[below(std::size(kPieces))];
    if (all.find("]]>") != std::string::npos) all.clear();
    return one_in(4) ? all + kSections[below(std::size(kSections))] + all : all;
  }

  // Behind a tag or before one, where damage is more interesting than in the middle of a word.
  std::size_t place(const std::string& text) {
    const std::size_t found = text.find(one_in(2) ? '<' : '>', below(text.size()));
    return found == std::string::npos ? text.size() : found + below(2);
  }

  // Exchanges two neighbours that end with the same kind of tag.
  void swap_elements(std::string& text) {
    const std::size_t first = text.find('<', below(text.size()));
    const std::size_t second = text.find("><", first == std::string::npos ? 0 : first);
    const std::size_t third = text.find("><", second == std::string::npos ? 0 : second + 2);
    if (third == std::string::npos || first == std::string::npos) return;
    const std::string moved = text.substr(first, second + 1 - first);
    text.insert(third + 1, moved);
    text.erase(first, moved.size());
  }

  std::mt19937 random_;
};

RC_GTEST_PROP(BulkPath, ServesAnyFileWithoutFaults, ()) {
  Workshop workshop(*rc::gen::arbitrary<std::uint32_t>());
  const std::string text = workshop.file();
  const ReadResult strict = read_in({.bulk = false}, text).result;
  RC_ASSERT(strict.has_value());
  const Reading bulk = read_in({.piece_bytes = 1 + workshop.below(300)}, text);
  RC_ASSERT(bulk.in_bulk);
  RC_ASSERT(same(bulk.result, strict));
}

RC_GTEST_PROP(BulkPath, AgreesWithTheStrictPathAboutDamage, ()) {
  Workshop workshop(*rc::gen::arbitrary<std::uint32_t>());
  const std::string whole = workshop.file();
  for (int round = 0; round < 40; ++round) {
    std::string text = whole;
    for (std::size_t i = 1 + workshop.below(3); i > 0; --i) workshop.damage(text);
    const ReadResult strict = read_in({.bulk = false}, text).result;
    const Reading other = read_in({.piece_bytes = 1 + workshop.below(500)}, text);
    if (!same(other.result, strict)) RC_FAIL("differs: " + text);
  }
}

// The damage lies anywhere in many slices, which two threads read.
TEST(BulkPath, AgreesAboutDamageInLargeFiles) {
  std::string members;
  for (int i = 0; i < 4'000; ++i) members += node(fmt::format("n{}", i));
  const std::string whole = root(members + nested("s", members) + nested("u", members));
  const std::string wide = test::in_utf16(std::string(test::kMark) + whole, false);
  Workshop workshop(1);
  for (int round = 0; round < 25; ++round) {
    std::string text = round % 5 == 0 ? wide : whole;
    workshop.damage(text);
    const ReadResult strict = read_in({.bulk = false}, text).result;
    const Reading other = read_in({.threads = 2, .piece_bytes = 100'000}, text);
    EXPECT_TRUE(same(other.result, strict)) << "round " << round;
  }
}

}  // namespace
}  // namespace netml::codecs

// The bulk path of reading: that it stays on for files as programs write them, that it leaves
// everything else to the strict path, and that nobody can tell from the result which it was.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "codecs/netml/netml_writer.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/codecs/netml_text.hpp"

namespace netml::codecs {
namespace {

using test::in_utf16;
using test::kMark;
using test::link;
using test::nested;
using test::node;
using test::read_in;
using test::Reading;
using test::root;
using test::same;

// One pass: the files here are long, and each test program start makes them.
std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    result.append(text.substr(0, at)).append(by);
    text.remove_prefix(at + what.size());
  }
  return result.append(text);
}

// A map with a bit of everything, on one line.
std::string map() {
  return root(link("l", "a", "b",
                   "<:short-name>s</:short-name><:owner>i</:owner><:Lifetime>"
                   "<nml:start>2020-02-29T01:02:03-05:30</nml:start></:Lifetime>"
                   "<:Property name='Tag'>\u00e9&lt;&amp;&quot;&#10;\U0001f600</:Property>") +
              node("a",
                   "<:Location><:long>1.5</:long><:lat>2</:lat><:alt>3</:alt>"
                   "<:unlocode>CAHAL</:unlocode><:address> a > b </:address></:Location>") +
              node("b") + nested("s", node("a")) + nested("u", nested("v", node("a"))));
}

// As an editor lays it out.
std::string pretty(const std::string& text) {
  return replaced(replaced(replaced(text, "><grenml:", ">\n\t <grenml:"), "></", "\n>\n </"),
                  " id=", "\n  id = ");
}

// With remarks between elements and inside those that hold text.
std::string remarked(const std::string& text) {
  return replaced(replaced(text, "><", "><!-- a - </grenml:Node> ]]> -->\n<?p <i> ?? ?><"),
                  "</grenml:name>", "<!----><?p?><!-- r -->e<?p ?></grenml:name>");
}

std::string named(std::string_view name) {
  return root(fmt::format("<:Node id='y'><:name>{}</:name></:Node>", name));
}

std::string many_nodes(std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += node(fmt::format("n{}", i));
  return all;
}

// Some megabytes: many slices, with topologies that begin and end in different ones.
std::string large_map() {
  std::string links;
  for (int i = 0; i < 3'000; ++i)
    links += link(fmt::format("l{}", i), "n0", fmt::format("n{}", i + 1));
  std::string chain;
  for (int i = 0; i < 40; ++i) chain = nested(fmt::format("c{}", i), many_nodes(100) + chain);
  return root(links + many_nodes(8'000) + chain + nested("d", many_nodes(4'000)) + nested("e"));
}

void expect_bulk(const std::string& text, std::size_t piece_bytes = std::string::npos) {
  const ReadResult strict = read_in({.bulk = false}, text).result;
  EXPECT_TRUE(strict.has_value());
  for (const unsigned threads : {1U, 2U, 3U}) {
    const Reading reading = read_in({.threads = threads, .piece_bytes = piece_bytes}, text);
    EXPECT_TRUE(reading.in_bulk) << text.substr(0, 4'000);
    EXPECT_TRUE(same(reading.result, strict)) << text.substr(0, 4'000);
  }
}

class PlainFiles : public testing::TestWithParam<std::string> {};
TEST_P(PlainFiles, StayOnTheBulkPath) {
  expect_bulk(GetParam());
}
const std::string kDeclaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
INSTANTIATE_TEST_SUITE_P(
    Forms, PlainFiles,
    testing::Values(
        map(), kDeclaration + map(), "<?xml version='1.0'?>" + map(),
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n\n" + map() + "\n",
        "\xef\xbb\xbf" + kDeclaration + map(), pretty(map()), kDeclaration + pretty(map()),
        replaced(replaced(map(), "grenml:", "n:"), "xmlns:grenml", "xmlns:n"),
        replaced(replaced(map(), "grenml:", ""), "xmlns:grenml", "xmlns"),
        replaced(map(), "xmlns:xsi",
                 "xsi:schemaLocation='a b' version='2020-01-01T00:00:00Z' xmlns:xsi"),
        root(node("n", "<:short-name/>" + std::string(test::kPlace))), root(node("n", "")),
        root(node(std::string(128, 'x'))),
        root("<:Node id='n'><:name>" + std::string(600, 'x') + "</:name></:Node>"),
        root(node("n", "<:Location><:long>1</:long><:lat>2</:lat><:alt>9e9</:alt></:Location>")),
        root("<:Institution id='urn:ogf:networking:global'><:name>x</:name></:Institution>"),
        root("<:Institution id='a'><:name>" + std::string(200, 'x') +
             "</:name></:Institution>"
             "<:Institution id='urn:ogf:networking:global'><:name>x</:name></:Institution>"),
        root(nested("s") + nested("u")), remarked(map()), remarked(pretty(map())),
        map() + "\n<!-- c --><?p i?>\n", replaced(pretty(map()), "\n", "\r\n"),
        replaced(pretty(map()), "\n", "\r"), replaced(pretty(map()), "\n", "\r\n\r"),
        replaced(remarked(pretty(map())), "\n", "\r\n"), named("a\r\nb\rc\n\rd\r\n\r\ne\r&#10;"),
        named("N<![CDATA[]]>"), named("a<![CDATA[<&]]>]]<![CDATA[]]]]><![CDATA[>&amp;]]>b"),
        named("a<![CDATA[b\r\nc\rd\r\r\n]]>\n<![CDATA[\n]]>\r<![CDATA[\r]]>"),
        named("]]<!-- c -->>"), named("<!--&-->&#13;<![CDATA[<!--]]>"), named("N<?xml-s ?a><<?p?>"),
        named(
            "&#65;&#x41;&#xe9;&#233;&#000065;&#x0000041;&#xFFFd;&#x10FFFF;&#xD7ff;&#xE000;&#127;"),
        named("]]&#62;&#38;&#60;b/>&#xd;&#xA;"),
        root("<:Node id='&#x41;&#x20ac;&#9;&#x20;&#62;'><:name>N</:name></:Node>"),
        root("<:Node id='y\r\n\t \n\r&#10;z'><:name>N</:name></:Node>"),
        root("<:Node\rid=\r'y'\r\n><:name\r>N</:name\r></:Node\r\n>")));

// ---- beginnings and encodings ----

// Also when they come byte by byte.
TEST(BulkPath, KnowsEveryBeginningThatHasNoDoctype) {
  const std::string text = map();
  for (const std::string& whole :
       {"<!-- c -->" + text, "\r\n <?p?>\n<!-- > <a> --><!----><?xml-q <b>?>\r" + text,
        replaced(kDeclaration, "\n", "\r\n\r<!-- a\r\n</grenml:Node> -->\n") + text,
        std::string(kMark) + "<!-- c -->" + text,
        replaced(text, "id=\"t\"", "\r\nid=\r'\r\nt\n'\r\n version='2020-01-01T00:00:00Z'")}) {
    expect_bulk(whole);
    expect_bulk(whole, 1);
  }
}

std::string declared(std::string_view encoding, const std::string& text) {
  return fmt::format("<?xml version='1.0' encoding='{}'?>{}", encoding, text);
}

TEST(BulkPath, KnowsTheEncodingsThatTheStrictPathKnows) {
  // What are two characters in UTF-8 are four in ISO-8859-1.
  const std::string text = replaced(remarked(pretty(map())), "\n", "\r\n");
  const std::string mark(kMark);
  const std::string latin_text = replaced(text, "\u00e9", "\xe9\x80\xff\xa0");
  const std::string ascii =
      replaced(replaced(text, "\u00e9", "e"), "\U0001f600", std::string(300, 'x'));
  for (const std::string& whole :
       {declared("iso-8859-1", text), declared("ISO-8859-1", latin_text),
        declared("us-ascii", ascii), declared("US-ASCII", ascii), in_utf16(mark + text, false),
        in_utf16(mark + text, true), in_utf16(mark + declared("utf-16", text), false),
        in_utf16(mark + declared("UTF-16", text), true),
        in_utf16(declared("UTF-16LE", text), false), in_utf16(declared("UTF-16BE", text), true),
        in_utf16(text, false), in_utf16(text, true)}) {
    expect_bulk(whole);
    expect_bulk(whole, 1);
    expect_bulk(whole, 7);
  }
}

TEST(BulkPath, LeavesDoubtfulEncodingsToTheStrictPath) {
  const std::string text = map();
  const std::string mark(kMark);
  const auto with_unit = [&](const char* bytes) {
    std::string whole = in_utf16(mark + text, false);
    const std::string at = in_utf16("<grenml:unlocode>", false);
    return whole.insert(whole.find(at) + at.size(), bytes, 2);
  };
  const std::string wide = in_utf16(mark + text, false);
  for (const std::string& whole : {declared("us-ascii", text),
                                   mark + declared("iso-8859-1", text),
                                   mark + declared("us-ascii", text),
                                   declared("utf-16", text),
                                   declared("utf-7", text),
                                   declared("windows-1252", text),
                                   in_utf16(mark + declared("utf-8", text), false),
                                   in_utf16(mark + declared("iso-8859-1", text), true),
                                   in_utf16(mark + declared("utf-16be", text), false),
                                   in_utf16(mark + mark + text, false),
                                   in_utf16("\n" + text, false),
                                   wide + "\n",
                                   wide.substr(0, wide.size() - 1),
                                   with_unit("\x00\xdc"),
                                   with_unit("\xff\xdf"),
                                   with_unit("\x00\xd8"),
                                   with_unit("\xff\xff"),
                                   with_unit("\xfe\xff"),
                                   with_unit("\x00\x00"),
                                   with_unit("\x1f\x00"),
                                   declared("iso-8859-1", replaced(text, "CAHAL", "\x1f"))}) {
    for (const std::size_t piece_bytes : {std::string::npos, std::size_t{3}}) {
      const Reading reading = read_in({.threads = 2, .piece_bytes = piece_bytes}, whole);
      EXPECT_FALSE(reading.in_bulk) << whole.substr(0, 300);
      EXPECT_TRUE(same(reading.result, read_in({.bulk = false}, whole).result));
    }
  }
}

// Nearly every byte becomes two, nearly every unit three: slices do not grow with that.
TEST(BulkPath, KeepsToItsSlicesInEncodingsThatGrow) {
  std::string latin;
  std::string wide;
  for (int i = 0; i < 600; ++i) {
    latin += node(fmt::format("n{}", i),
                  fmt::format("<:Property name='p'>{}</:Property>", std::string(1'000, '\xe9')));
    wide += node(
        fmt::format("n{}", i),
        "<:Property name='p'>" + replaced(std::string(300, 'x'), "x", "\u20ac") + "</:Property>");
  }
  expect_bulk(declared("iso-8859-1", root(latin)));
  expect_bulk(declared("iso-8859-1", root(latin)), 99'999);
  expect_bulk(in_utf16(kMark, true) + in_utf16(root(wide), true), 99'999);
}

// ---- where slices end ----

// The only end tag in the first slice is none.
TEST(BulkPath, CutsNothingOfThePrologue) {
  std::string properties;
  for (int i = 0; i < 3'000; ++i)
    properties +=
        fmt::format("<grenml:Property name='p{}'>{}</grenml:Property>", i, std::string(100, 'x'));
  const std::string header =
      replaced(root(""), "<grenml:Institution", properties + "<grenml:Institution");
  expect_bulk("<?p </grenml:Node>?><!-- </grenml:Node> -->" + header);
}

TEST(BulkPath, EndsNoSliceInsideAComment) {
  std::string members;
  for (int i = 0; i < 3'000; ++i) {
    const std::string one = node(fmt::format("n{}", i));
    members += fmt::format("{}\n<!-- {}{} -->\n", one, one, one);
  }
  expect_bulk(root(members));
}

// No parameters: those are made in every process, whichever test it runs.
TEST(LargePlainFiles, StayOnTheBulkPathWhenLarge) {
  expect_bulk(large_map());
}
TEST(LargePlainFiles, StayOnTheBulkPathWhenLargeAndPretty) {
  expect_bulk(pretty(large_map()));
}

// What the node writes itself, for a graph that was imported.
TEST(BulkPath, ServesExports) {
  const auto plan = engine::plan_import({}, test::read_well(large_map()), {});
  ASSERT_TRUE(plan.has_value());
  const auto state = engine::apply({}, plan->transaction, Lsn{1});
  ASSERT_TRUE(state.has_value());
  const engine::Graph& graph = state->graph;
  NetmlWriter writer(graph, *engine::export_tree(graph, *engine::export_root(graph)));
  std::string whole;
  while (const auto piece = writer.next()) writer.write_part(*piece, whole, std::string::npos);
  expect_bulk(whole);
}

TEST(BulkPath, DoesNotDependOnWhereItsSlicesEnd) {
  const std::string text = large_map();
  const ReadResult whole = read_in({.bulk = false}, text).result;
  for (std::size_t padding = 0; padding < 400; padding += 29) {
    const std::string moved = std::string(padding, '\n') + text;
    const Reading reading =
        read_in({.threads = padding % 2 == 0 ? 1U : 2U, .piece_bytes = 65'000}, moved);
    EXPECT_TRUE(reading.in_bulk) << padding;
    EXPECT_TRUE(same(reading.result, whole)) << padding;
  }
}

// One thing in a file that the bulk path does not know, at its end so that much was read before.
class Rarities : public testing::TestWithParam<std::string> {};
TEST_P(Rarities, AreLeftToTheStrictPath) {
  for (const std::string& before : {std::string(), many_nodes(3'000)}) {
    const std::string text = root(before + GetParam());
    const ReadResult strict = read_in({.bulk = false}, text).result;
    for (const unsigned threads : {1U, 2U}) {
      const Reading reading = read_in({.threads = threads, .piece_bytes = 10'000}, text);
      EXPECT_FALSE(reading.in_bulk);
      EXPECT_TRUE(same(reading.result, strict));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    Forms, Rarities,
    testing::Values(
        "<![CDATA[ ]]>", "<!-- a -- b -->", "<!-- a --->", "<!-- c", "<!--->", "<!-> -->",
        "<!ELEMENT n ANY>", "<!-- \x01 -->", "<!-- \xc3 -->", "<?xml version='1.0'?>", "<?XML p?>",
        "<?a:b c?>", "<? p?>", "<?p", "<?p?x?>", "<?p/?>", "<?p \xef\xbf\xbf?>", "&#32;", "x",
        "\xc3", "\x01", "\xef\xbf\xbe", "\xed\xa0\x80", std::string(1, '\0'), node("x") + node("x"),
        "<:Node/>", "<:Node id=''/>", "<:Node id='y'><:name>a ]]> b</:name></:Node>",
        "<:Node id='y'><:name>\xed\xa0\x80</:name></:Node>",
        "<:Node id='y'><:name>\xc0\x80</:name></:Node>",
        "<:Node id='y'><:name>\xe0\x9f\xbf</:name></:Node>",
        "<:Node id='y'><:name>\xf0\x8f\xbf\xbf</:name></:Node>",
        "<:Node id='y'><:name>\xf4\x90\x80\x80</:name></:Node>",
        "<:Node id='y'><:name>\xef\xbf\xbe</:name></:Node>",
        "<:Node id='y'><:name>\xc3</:name></:Node>", "<:Node id='y'><:name>\x01</:name></:Node>",
        "<:Node id='y'><:name></:name></:Node>", "<:Node id='y'><:name>N&#0;</:name></:Node>",
        "<:Node id='y'><:name>N&#31;</:name></:Node>",
        "<:Node id='y'><:name>&#xd800;</:name></:Node>",
        "<:Node id='y'><:name>&#xdfff;</:name></:Node>",
        "<:Node id='y'><:name>&#xfffe;</:name></:Node>",
        "<:Node id='y'><:name>&#65535;</:name></:Node>",
        "<:Node id='y'><:name>&#x110000;</:name></:Node>",
        "<:Node id='y'><:name>&#4294967361;</:name></:Node>",
        "<:Node id='y'><:name>&#;</:name></:Node>", "<:Node id='y'><:name>&#x;</:name></:Node>",
        "<:Node id='y'><:name>&#X41;</:name></:Node>",
        "<:Node id='y'><:name>&#+65;</:name></:Node>",
        "<:Node id='y'><:name>&#-65;</:name></:Node>",
        "<:Node id='y'><:name>&# 65;</:name></:Node>",
        "<:Node id='y'><:name>&#x0x41;</:name></:Node>",
        "<:Node id='y'><:name>&#65</:name></:Node>", "<:Node id='y'><:name>&#4a;</:name></:Node>",
        "<:Node id='y'><:name>&#65</:name></:Node>", "<:Node id='&#0;'><:name>N</:name></:Node>",
        "<:Node id='y'><:name>&x;</:name></:Node>",
        "<:Node id='y'><:name>N</:name><:name>N</:name></:Node>",
        "<:Node id='y'><:name>N</:name>" + std::string(test::kPlace) + "<:owner>i</:owner></:Node>",
        "<:Node id='y' id='y'><:name>N</:name></:Node>",
        "<:Node id='y' other=''><:name>N</:name></:Node>",
        "<:Node id='y'version='2020-01-01T00:00:00Z'><:name>N</:name></:Node>",
        "<:Node id='y' version='today'><:name>N</:name></:Node>",
        "<:Node id='y'><:name><![CDATA[x</:name></:Node>",
        "<:Node id='y'><:name><![CDATA[<!-- c --></:name></:Node>",
        "<:Node id='y'><:name><![cdata[x]]></:name></:Node>",
        "<:Node id='y'><:name><![CDATA[\x01]]></:name></:Node>",
        "<:Node id='y'><:name>a<!-- b</:name></:Node>",
        "<:Node id='y'><:name>a ]]]]> b</:name></:Node>",
        "<:Node id='y'><:name>a<!-- c -->]]> b</:name></:Node>",
        "<:Node id='y' <!-- c -->><:name>N</:name></:Node>",
        "<:Node id='<'><:name>N</:name></:Node>",
        "<:Node id='y' xml:lang='en'><:name>N</:name></:Node>",
        "<:Node id='y' xmlns:z='urn:z'><:name>N</:name></:Node>",
        "<Node id='y' xmlns='http://schemas.ogf.org/nml/2020/01/grenml'><name>N</name></Node>",
        "<:Node id='y'><:name>N</:name></:Link>", "<:Node id='" + std::string(129, 'y') + "'/>",
        "<:Node id='y'><:name><:b/></:name></:Node>", "<:Node id='y'>t<:name>N</:name></:Node>",
        node("y", "<:owner>nobody</:owner>"),
        node("y", "<:Lifetime><nml:end>2020-01-01T00:00:00Z</nml:end></:Lifetime>"),
        node("y", "<:Location><:long>181</:long><:lat>0</:lat></:Location>"),
        node("y", "<:Location><:long>x</:long><:lat>0</:lat></:Location>"),
        node("y", "<:Location><:lat>0</:lat></:Location>"),
        node("q") + "<:Institution id='z'><:name>Z</:name></:Institution>",
        node("y") + link("l", "y", "nowhere"), nested("s") + node("y"), nested("t"),
        nested("s") + "<:name>late</:name>", "<nml:Topology/>", "<:Topology id='s'/>",
        nested("s", "<:Institution id='i'><:name>again</:name></:Institution>"),
        "<:Node id='y'><:name>N</:name>" + std::string(1 << 20, ' ') + "</:Node>",
        "</:Topology><:Topology id='second'>"));

TEST(BulkPath, LeavesOtherBeginningsAndEndsToTheStrictPath) {
  const std::string text = map();
  for (const std::string& whole :
       {std::string(),
        std::string("garbage"),
        text + text,
        text + "<![CDATA[]]>",
        text + "x",
        " " + kDeclaration + text,
        "<!-- c -- -->" + text,
        "<!-- c --> x" + text,
        "<?xml version='1.1'?>" + text,
        "<!DOCTYPE t>" + text,
        "<!-- c --><!DOCTYPE t>" + text,
        "<?xml encoding='utf-8'?>" + text,
        text + std::string(1 << 20, ' '),
        std::string(9'000, ' ') + text,
        replaced(text, " xmlns:grenml", " xmlns:o"),
        replaced(text, " xmlns:grenml", " xmlns:xmlo='urn:o' xmlns:grenml"),
        replaced(text, " xmlns:grenml", " xmlns:o='' xmlns:grenml"),
        replaced(text, " xmlns:grenml", " o:a='' xmlns:grenml"),
        replaced(text, " xmlns:grenml", " xmlns:grenml='urn:o' xmlns:grenml"),
        replaced(text, "xmlns:xsi", "xsi:a='' xsi:a='' xmlns:xsi")}) {
    const Reading reading = read_in({.threads = 2}, whole);
    EXPECT_FALSE(reading.in_bulk) << whole.substr(0, 300);
    EXPECT_TRUE(same(reading.result, read_in({.bulk = false}, whole).result));
  }
}

// The first slice ends behind the nodes, so that none sees both sides of the wrong order.
TEST(BulkPath, ChecksTheOrderOfMembersAcrossSlices) {
  constexpr std::size_t kSliceBytes = 256 << 10;
  std::string members;
  for (int i = 0; root("").size() + members.size() < kSliceBytes - 1'000; ++i)
    members += test::with_prefix(node(fmt::format("n{}", i)));
  members += "<:Institution id='z'>" + std::string(4'000, ' ') + "<:name>Z</:name></:Institution>";
  const std::string text = root(members);
  for (const unsigned threads : {1U, 2U}) {
    const Reading reading = read_in({.threads = threads}, text);
    EXPECT_FALSE(reading.in_bulk);
    EXPECT_TRUE(same(reading.result, read_in({.bulk = false}, text).result));
  }
}

// Its end comes in a later slice, where nothing of the header is known.
TEST(BulkPath, ChecksWhatAHeaderLacksAcrossSlices) {
  const std::string whole = root(many_nodes(8'000));
  for (const char* part : {"<grenml:name>T</grenml:name>", "<grenml:owner>i</grenml:owner>"}) {
    const std::string text = replaced(whole, part, "");
    const ReadResult strict = read_in({.bulk = false}, text).result;
    EXPECT_FALSE(strict.has_value());
    for (const unsigned threads : {1U, 2U}) {
      const Reading reading = read_in({.threads = threads}, text);
      EXPECT_FALSE(reading.in_bulk) << part;
      EXPECT_TRUE(same(reading.result, strict)) << part;
    }
  }
}

TEST(BulkPath, KeepsWithinEveryLimit) {
  const std::string texts[] = {map(), named("12<![CDATA[34\r\n5]]>6<!-- c -->78\r\n9")};
  const auto expect_same = [&texts](const ReadLimits& limits) {
    for (const std::string& text : texts) {
      const ReadResult strict = read_in({.bulk = false}, text, limits).result;
      EXPECT_TRUE(same(read_in({}, text, limits).result, strict));
    }
  };
  for (std::uint32_t limit = 0; limit < 150; ++limit) {
    expect_same({.depth = limit});
    expect_same({.elements = limit});
    expect_same({.attributes = limit});
    expect_same({.name_bytes = limit});
    expect_same({.text_bytes = limit});
    expect_same({.record_bytes = limit});
  }
}

// ---- reading again ----

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(Replay, IsAskedOnceAndOnlyForWhatWasFedBefore) {
  const std::string good = large_map().substr(0, 2'000'000);
  int replays = 0;
  std::size_t taken = 0;
  NetmlReader reader({}, {.replay = [&](const ByteSink& sink) {
                       ++replays;
                       while (taken < good.size() && sink(bytes_of(good).subspan(taken++, 1))) {
                       }
                       return Status();
                     }});
  reader.feed(bytes_of(good));
  EXPECT_TRUE(reader.in_bulk());
  reader.feed(bytes_of("<!-- c -->" + std::string(3 << 20, 'x')));
  EXPECT_FALSE(reader.in_bulk());
  EXPECT_FALSE(reader.finish().has_value());
  EXPECT_EQ(replays, 1);
  EXPECT_EQ(taken, good.size());
}

TEST(Replay, ThatFailsIsAnError) {
  const std::string text = root("<![CDATA[ ]]>" + many_nodes(10));
  const Error broken{Errc::io_error, "disk on fire"};
  const ReplaySource sources[] = {
      [&](const ByteSink&) -> Status { return tl::make_unexpected(broken); },
      [&](const ByteSink& sink) {
        sink(bytes_of(text).first(100));
        return Status();
      }};
  for (const ReplaySource& source : sources) {
    NetmlReader reader({}, {.replay = source});
    reader.feed(bytes_of(text));
    const ReadResult result = reader.finish();
    ASSERT_FALSE(result.has_value());
    ASSERT_EQ(result.error().first.size(), 1U);
    EXPECT_EQ(result.error().first[0].code, "replay-failed");
  }
}

TEST(Replay, LetsGarbageBeRecognisedAtOnce) {
  const std::string text = "{\"json\": true}" + std::string(1 << 20, 'x');
  NetmlReader reader({}, {.replay = [&](const ByteSink&) { return Status(); }});
  reader.feed(bytes_of(text));
  EXPECT_FALSE(reader.in_bulk());
  EXPECT_TRUE(reader.stopped());
}

TEST(Replay, MayBeLackingForTheStrictPath) {
  EXPECT_FALSE(NetmlReader().in_bulk());
  EXPECT_TRUE(read_in({.bulk = false}, map()).result.has_value());
}

// A client says how long its file is, and may be wrong.
TEST(BulkPath, ReadsTheSameHoweverLongTheFileIsSaidToBe) {
  const std::string text = large_map();
  const ReadResult expected = read_in({.bulk = false}, text).result;
  ASSERT_TRUE(expected.has_value());
  for (const std::uint64_t said : {1UL, 300'000UL, text.size(), 50 * text.size()}) {
    NetmlReader reader({}, {.replay = [](const ByteSink&) { return Status(); }, .bytes = said});
    reader.feed(bytes_of(text));
    EXPECT_TRUE(reader.in_bulk()) << said;
    EXPECT_TRUE(same(reader.finish(), expected)) << said;
  }
}

TEST(BulkPath, CanBeLeftAtAnyMoment) {
  const std::string text = large_map();
  for (const std::size_t length : {0UL, 100UL, 300'000UL, 2'000'000UL}) {
    NetmlReader reader({}, {.replay = [](const ByteSink&) { return Status(); }});
    reader.feed(bytes_of(text).first(length));
    EXPECT_FALSE(reader.stopped());
  }
}

}  // namespace
}  // namespace netml::codecs

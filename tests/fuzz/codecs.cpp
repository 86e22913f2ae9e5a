// Files that are imported: NetML, workbooks, rulesets. Other formats are in formats.cpp.
#include "codecs/formats/rules_json.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/codecs/workbook_text.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace netml::codecs::test {
namespace {

using fuzz::between_bars;
using fuzz::in_pieces;
using fuzz::promise;
using fuzz::Target;

std::string a_map() {
  return "<?xml version='1.0' encoding='UTF-8'?>\n" +
         root(node("a") + node("b") + link("l", "a", "b") + nested("s", node("c")));
}

std::string another_form() {
  return "\r\n<!-- c --><?p i?>\r\n" + root(node("a") + "\r\n<!-- d -->\r\n" + node("b") +
                                            "<:Node id='c\r\n'><:name>N<![CDATA[<\r\n]]>"
                                            "<!-- e --></:name></:Node>");
}

// In pieces on the strict path, or on the bulk path with as many threads.
ReadResult read_in_pieces(std::string_view input, const ReadOptions& options) {
  NetmlReader reader({}, options);
  for (const std::string_view piece : in_pieces(input)) {
    if (reader.stopped()) break;
    reader.feed(std::as_bytes(std::span(piece)));
  }
  return reader.finish();
}

void check_refusal(const ReadResult& result) {
  promise(result || (result.error().count > 0 && !result.error().first.empty()),
          "what is refused has an error");
}

void read_strictly(std::string_view input) {
  const ReadResult whole = read_in({.bulk = false}, input).result;
  promise(same(whole, read_in_pieces(input, {})), "a map does not depend on how it arrives");
  check_refusal(whole);
}

// Now and then with the second thread, which takes long to begin.
void read_in_bulk(std::string_view input) {
  const ReadResult strict = read_in({.bulk = false}, input).result;
  const ReplaySource replay = [&](const ByteSink& take) -> Status {
    take(std::as_bytes(std::span(input)));
    return {};
  };
  const unsigned threads = input.size() % 16 == 0 ? 2 : 1;
  promise(same(strict, read_in_pieces(input, {.replay = replay, .threads = threads})),
          "both readers read the same");
}

// That of the nodes, as it is accepted.
std::string nodes_sheet() {
  std::string rows;
  std::size_t number = 0;
  for (const Row& cells : {kNodeHeaders, {"A", "", "a", "#1", "#2"}, {"B", "l", "b", "#3", "#4"}}) {
    rows += fmt::format("<row r=\"{}\">", ++number);
    for (std::size_t i = 0; i < cells.size(); ++i)
      rows += cell_xml(fmt::format("{}{}", engine::column_letters(i + 1), number), cells[i]);
    rows += "</row>";
  }
  return fmt::format("<worksheet xmlns=\"{}\"><sheetData>{}</sheetData></worksheet>", kMainSpace,
                     rows);
}

void read_sheet(std::string_view input) {
  WorkbookText workbook = small_workbook();
  workbook.part("xl/worksheets/sheet2.xml", std::string(input));
  const std::string bytes = workbook.build();
  const ReadResult result = read(bytes);
  check_refusal(result);
  promise(same(result, read(bytes)), "a workbook reads the same each time");
}

void read_ruleset(std::string_view input) {
  const auto read = read_rules(input);
  if (!read) return promise(!read.error().message.empty(), "a refusal says why");
  const std::string written = write_rules(read->rulesets);
  const auto again = read_rules(written);
  promise(again && again->invalid.empty(), "rulesets that are written can be read");
  promise(write_rules(again->rulesets) == written, "rulesets written again read the same");
}

std::vector<Target> targets() {
  const std::string sheet =
      R"(<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>)"
      R"(<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="s"><v>0</v></c>)"
      R"(</row><row r="2"><c r="A2"><v>1.5</v></c><c r="D2"><f>A1</f><v>2</v></c></row>)"
      R"(</sheetData></worksheet>)";
  const std::string rules =
      R"([{"name": "r", "enabled": true, "rules": [{"name": "x", "priority": 1, "enabled": "true",)"
      R"("matchtype": "A", "matchcriteria": [{"type": "MatchID", "info": ["a"]}], "actions": []}]}])";
  return {
      {"strict_xml",
       {a_map(), root("")},
       {"&amp;", "&#0;", "&lt", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<!DOCTYPE x [", "]>",
        "</", "/>", "xmlns:x='y'", "encoding='UTF-16'", "encoding='ISO-8859-1'", "\xff\xfe", "\xc3",
        "<grenml:"},
       read_strictly},
      // With words that a plain file may have: it gives up at most others.
      {"bulk_xml",
       {a_map(), root(""), in_utf16(std::string(kMark) + another_form(), true), another_form()},
       between_bars(
           R"(&amp;|&lt;|&#65;|&#x10ffff;|"|'| |é|</grenml:Node>|<grenml:Node id="d">)"
           R"(|<grenml:name>|</grenml:name>|<grenml:node>a</grenml:node>|</grenml:Topology>|/>)"
           R"(|<grenml:property name="p">v</grenml:property>|<grenml:owner>i</grenml:owner>)"
           R"(|<grenml:Link id="m">|1e5|"a"|"b"|>a<|>b<|>i<|>N<|1|2|Node|Link)"
           R"(|<!-- c -->|<!--|-->|--|<?p?>|<?|?>|<![CDATA[x]]>|<![CDATA[|]]>|iso-8859-1|utf-16)"
           "|\r|\n|\r\n|\xff\xfe|\xfe\xff"),
       read_in_bulk},
      {"xlsx",
       {small_workbook().build()},
       {"PK\x01\x02", "PK\x03\x04", "PK\x05\x06"},
       [](std::string_view input) { static_cast<void>(read_xlsx(input, {}).has_value()); }},
      {"sheet",
       {sheet, nodes_sheet()},
       {"<row>", "<c r=\"XFD1048576\">", "t=\"s\"", "<v>", "</v>", "&#1;", "r=\"A1\"", "1e308",
        "-0", "<is><t>", "<f>A1</f>", "t=\"e\"", "t=\"b\"", "<row r=\"1048577\">"},
       read_sheet},
      {"ruleset_json",
       {rules},
       {"{",     "}",        "[",        "]",       "null", "1e999", "\"\\ud800\"", ",",
        "true",  "false",    "\"1\"",    "1",       "-0",   "\"x\"", "\"r\"",       "\"A\"",
        "\"B\"", "\"name\"", "\"info\"", "[\"a\"]", "[]",   "{}"},
       read_ruleset},
  };
}

}  // namespace
}  // namespace netml::codecs::test

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::codecs::test::targets());
}

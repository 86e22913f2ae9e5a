// Files that are imported: NetML, workbooks, rulesets.
#include <cstdlib>

#include "codecs/netml_writer.hpp"
#include "codecs/rules_json.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/codecs/workbook_text.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace netml::codecs::test {
namespace {

using fuzz::Target;

std::string a_map() {
  return "<?xml version='1.0' encoding='UTF-8'?>\n" +
         root(node("a") + node("b") + link("l", "a", "b") + nested("s", node("c")));
}

// In pieces, on both paths: they must agree on whether there is a document.
void read_map(std::string_view input) {
  const auto read = [&](ReadOptions options) {
    NetmlReader reader({}, std::move(options));
    for (std::string_view rest = input; !rest.empty() && !reader.stopped();) {
      const std::size_t size = std::min<std::size_t>(rest.size(), 1 + rest.size() / 3);
      reader.feed(std::as_bytes(std::span(rest.substr(0, size))));
      rest.remove_prefix(size);
    }
    return reader.finish();
  };
  const ReadResult strict = read({});
  const ReadResult bulk = read({.replay = [&](const ByteSink& take) -> Status {
                                  take(std::as_bytes(std::span(input)));
                                  return {};
                                },
                                .threads = 1});
  if (strict.has_value() != bulk.has_value()) std::abort();
}

void read_sheet(std::string_view input) {
  WorkbookText workbook = small_workbook();
  workbook.part("xl/worksheets/sheet2.xml", std::string(input));
  static_cast<void>(read(workbook).has_value());
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
      {"xml",
       {a_map(), root("")},
       {"&amp;", "&#0;", "&lt", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<!DOCTYPE x [", "]>",
        "</", "/>", "xmlns:x='y'", "encoding='UTF-16'", "\xff\xfe", "\xc3", "<grenml:"},
       read_map},
      {"xlsx",
       {small_workbook().build()},
       {"PK\x01\x02", "PK\x03\x04", "PK\x05\x06"},
       [](std::string_view input) { static_cast<void>(read_xlsx(input, {}).has_value()); }},
      {"sheet",
       {sheet},
       {"<row>", "<c r=\"XFD1048576\">", "t=\"s\"", "<v>", "</v>", "&#1;"},
       read_sheet},
      {"rules",
       {rules},
       {"{", "}", "[", "]", "null", "1e999", "\"\\ud800\"", ","},
       [](std::string_view input) {
         const auto read = read_rules(input);
         if (read) static_cast<void>(write_rules(read->rulesets).size());
       }},
  };
}

}  // namespace
}  // namespace netml::codecs::test

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::codecs::test::targets());
}

// What is written as a spreadsheet, and that reading it gives the same cells again (decision 35).
#include "codecs/xlsx/xlsx_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
// After GoogleTest, which it extends.
#include <rapidcheck/gtest.h>

#include "codecs/document/zip_archive.hpp"
#include "codecs/xlsx/detail/xlsx_sheet_writer.hpp"
#include "engine/export/export_order.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/codecs/workbook_text.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::codecs {
namespace {

using engine::State;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

State import(const ReadResult& document) {
  const State empty;
  EXPECT_TRUE(document.has_value()) << document.error().first.front().text();
  if (!document) return empty;
  const auto plan = engine::plan_import(empty, *document, {});
  EXPECT_TRUE(plan.has_value());
  return *engine::apply(empty, plan->transaction, empty.lsn.next());
}

XlsxExport exported(const State& state) {
  auto written = write_xlsx(state.graph, *engine::export_root(state.graph));
  EXPECT_TRUE(written.has_value());
  return *std::move(written);
}
XlsxExport exported(std::string_view content) {
  return exported(import(read_netml(test::root(content))));
}

std::string part_of(const std::string& bytes, std::string_view name) {
  MemoryFile file(bytes);
  ZipArchive archive(file, {}, XlsxLimits().of_archive());
  EXPECT_TRUE(archive.open().has_value());
  std::string content;
  EXPECT_TRUE(archive.expand(name, [&](std::span<const std::byte> piece) {
    content.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return true;
  }));
  return content;
}

constexpr std::string_view kHeld =
    "<:Institution id='j'><:name>J</:name><:Location><:long>1.5</:long><:lat>-2</:lat>"
    "<:alt>7</:alt><:address>1 &amp; 2 St</:address></:Location>"
    "<:Property name='url'>http://j</:Property><:Property name='tag'>nren</:Property>"
    "<:Property name='tag'>=sum(1)</:Property></:Institution>"
    "<:Institution id='k'><:name>J</:name></:Institution>"
    "<:Link id='l'><:name>L_x0041_</:name><:short-name>LL</:short-name><:owner>j</:owner>"
    "<:owner>k</:owner><:Property name='throughput'>100.0</:Property>"
    "<:node>a</:node><:node>b</:node></:Link>"
    "<:Node id='a'><:name>A</:name><:owner>k</:owner>"
    "<:Location><:long>0.000001</:long><:lat>90</:lat></:Location>"
    "<:Property name='description'>d\n\u20ac</:Property></:Node>"
    "<:Node id='b'><:name>A</:name><:Location><:long>0</:long><:lat>0</:lat></:Location></:Node>";

TEST(XlsxWriter, WritesWhatTheReaderReadsAgain) {
  const XlsxExport first = exported(kHeld);
  // Only the identifier of the topology, which is named by whoever imports.
  EXPECT_THAT(first.losses, ElementsAre("1 identifier of the topology"));
  const State again = import(read_xlsx(first.bytes, {.topology_name = "T"}));
  const XlsxExport second = exported(again);
  EXPECT_THAT(second.losses, IsEmpty());
  for (std::size_t sheet = 2; sheet <= 4; ++sheet)
    EXPECT_EQ(part_of(second.bytes, sheet_part(sheet)), part_of(first.bytes, sheet_part(sheet)));
  const XlsxExport third = exported(import(read_xlsx(second.bytes, {.topology_name = "T"})));
  EXPECT_EQ(third.bytes, second.bytes);
}

TEST(XlsxWriter, KeepsEveryValueThatTheLayoutHolds) {
  const ReadResult before = read_netml(test::root(kHeld));
  const ReadResult after = read_xlsx(exported(kHeld).bytes, {.topology_name = "T"});
  ASSERT_TRUE(after.has_value());
  const auto by_id = [](const engine::Document& document) {
    std::map<std::pair<Kind, std::string>, engine::AttributesPtr> records;
    for (const engine::DocumentElement& element : document.elements)
      records[{element.attributes->kind(), std::string(element.attributes->id())}] =
          element.attributes;
    return records;
  };
  const auto expected = by_id(*before);
  const auto got = by_id(*after);
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [key, attributes] : expected)
    EXPECT_TRUE(*got.at(key) == *attributes) << key.second;
}

TEST(XlsxWriter, MarksTextsThatLookLikeFormulas) {
  const std::string nodes = part_of(
      exported("<:Node id='=1+1'><:name>=cmd()</:name><:Location><:long>1</:long><:lat>2</:lat>"
               "</:Location></:Node>")
          .bytes,
      sheet_part(3));
  EXPECT_THAT(nodes, HasSubstr("<c r=\"A6\" s=\"2\" t=\"inlineStr\"><is><t "
                               "xml:space=\"preserve\">=cmd()</t></is></c>"));
  EXPECT_THAT(nodes, Not(HasSubstr("<f>")));
}

TEST(XlsxWriter, CountsWhatTheLayoutCannotHold) {
  const XlsxExport written = exported(
      "<:Institution id='j' version='2024-01-01T00:00:00Z'><:name>J</:name>"
      "<:short-name>S</:short-name><:Location><:long>1</:long><:lat>2</:lat>"
      "<:unlocode>CAHAL</:unlocode></:Location><:Property name='url'>a</:Property>"
      "<:Property name='url'>b</:Property><:Property name='colour'>red</:Property>"
      "</:Institution>"
      "<:Node id='n'><:name> N </:name><:Lifetime><nml:start>2024-01-01T00:00:00Z</nml:start>"
      "</:Lifetime><:Property name='tag'>a;b</:Property></:Node>" +
      test::nested("s"));
  const std::vector<std::string> expected{
      "1 sub-topology",
      "1 identifier of the topology",
      "1 version",
      "1 lifetime",
      "1 UN/LOCODE",
      "1 short name of an institution",
      "1 property without a column",
      "1 further or empty value of a property",
      "1 tag that a list cannot hold",
      "1 unknown position, written as 0, 0",
      "1 text with blanks at its ends",
  };
  EXPECT_EQ(written.losses, expected);
  const std::string directions = part_of(written.bytes, sheet_part(1));
  for (const std::string& loss : expected) EXPECT_THAT(directions, HasSubstr(loss));
}

TEST(XlsxWriter, RefusesIdentifiersThatWouldMeanSomethingElse) {
  const State state = import(
      read_netml(test::root("<:Institution id='j;k'><:name>J</:name></:Institution>"
                            "<:Institution id='h'><:name>H</:name></:Institution>"
                            "<:Node id='n'><:name>N</:name><:owner>h</:owner><:owner>j;k</:owner>"
                            "<:Location><:long>1</:long><:lat>2</:lat></:Location></:Node>")));
  const auto written = write_xlsx(state.graph, *engine::export_root(state.graph));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Errc::conflict) << "the map is to blame, not the request";
  EXPECT_THAT(written.error().message, HasSubstr("j;k"));
}

TEST(XlsxWriter, LetsTheGlobalInstitutionOwnATopology) {
  const std::string text = test::with_prefix(fmt::format(
      "<:Topology id='t' {}><:name>T</:name><:owner>{}</:owner>"
      "<:Node id='n'><:name>N</:name><:Location><:long>1</:long><:lat>2</:lat></:Location></:Node>"
      "</:Topology>",
      test::kNamespaces, engine::kGlobalInstitutionId));
  const XlsxExport written = exported(import(read_netml(text)));
  const ReadResult again = read_xlsx(written.bytes, {.topology_name = "T"});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->elements[again->topologies[0].owner].attributes->id(),
            engine::kGlobalInstitutionId);
}

// ---- what no reader would take (decision 45) ----

TEST(XlsxWriter, OmitsAndCountsALinkWhoseEndsCarryTheSameIdentifier) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  builder.link("loop", {t}, {i}, builder.node("n", {t}, {i}), builder.node("n", {t}, {i}));
  const XlsxExport written = exported(builder.state());
  EXPECT_THAT(written.losses, Contains("1 link whose ends carry the same identifier"));
  EXPECT_TRUE(read_xlsx(written.bytes, {.topology_name = "T"}).has_value());
}

TEST(XlsxWriter, WritesTheGlobalInstitutionAsDefinedAlsoAsTheOwner) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId stored = builder.institution(engine::kGlobalInstitutionId, {t});
  builder.mark_as_copy(stored, "U");  // the builder names it by its identifier, too
  const std::string sheet = part_of(exported(builder.state()).bytes, sheet_part(2));
  EXPECT_THAT(sheet, HasSubstr(">GREN<"));
  EXPECT_THAT(sheet, Not(HasSubstr("<c r=\"A8\"")));
}

TEST(XlsxWriter, ListsAnOwnerOnceThatTwoRecordsStandFor) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  builder.institution("i", {t});
  builder.institution("i", {t});
  EXPECT_TRUE(read_xlsx(exported(builder.state()).bytes, {.topology_name = "T"}).has_value());
}

TEST(XlsxWriter, WritesTheEndsOfALinkByIdentifier) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId z = builder.node("z", {t}, {i});
  builder.link("l", {t}, {i}, z, builder.node("a", {t}, {i}));
  const std::string sheet = part_of(exported(builder.state()).bytes, sheet_part(4));
  EXPECT_LT(sheet.find(">a<"), sheet.find(">z<"));
}

// ---- laws ----

// A text that the layout holds: without blanks at its ends and semicolons.
std::string held_text() {
  std::string text = "x";
  for (const auto& piece : *rc::gen::container<std::vector<std::string>>(
           rc::gen::element<std::string>(" ", "=", "_x0041_", "&amp;", "&lt;", "\n", "&#13;", "1.0",
                                         "TRUE", "\u00e9", "\U0001f600")))
    text += piece;
  return text + *rc::gen::element<std::string>("x", "0", "-");
}
std::string place() {
  return fmt::format("<:Location><:long>{}</:long><:lat>{}</:lat><:alt>{}</:alt></:Location>",
                     *rc::gen::inRange(-180'000'000, 180'000'001) / 1e6,
                     *rc::gen::inRange(-90'000'000, 90'000'001) / 1e6,
                     *rc::gen::inRange(-11'000, 9'001));
}
std::string property(std::string_view name) {
  return fmt::format("<:Property name='{}'>{}</:Property>", name, held_text());
}
std::string owner() {
  return fmt::format("<:owner>i{}</:owner>", *rc::gen::inRange(0, 3));
}

std::string held_map() {
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += fmt::format("<:Institution id='i{}'><:name>{}</:name>{}{}{}{}</:Institution>", i,
                        held_text(), place(), property("url"), property("description"),
                        property("tag"));
  const int nodes = *rc::gen::inRange(2, 6);
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    const int a = *rc::gen::inRange(0, nodes);
    text += fmt::format(
        "<:Link id='l{}'><:name>{}</:name>{}{}{}{}<:node>n{}</:node><:node>n{}</:node></:Link>", i,
        held_text(), owner(), owner(), property("tag"), property("throughput"), a, (a + 1) % nodes);
  }
  for (int i = 0; i < nodes; ++i)
    text +=
        fmt::format("<:Node id='n{}'><:name>{}</:name><:short-name>{}</:short-name>{}{}{}</:Node>",
                    i, held_text(), held_text(), owner(), place(), property("tag"));
  return text;
}

RC_GTEST_PROP(XlsxProperty, WhatTheLayoutHoldsIsExportedImportedAndExportedTheSame, ()) {
  const XlsxExport first = exported(held_map());
  RC_ASSERT(first.losses == std::vector<std::string>{"1 identifier of the topology"});
  const XlsxExport second = exported(import(read_xlsx(first.bytes, {.topology_name = "T"})));
  RC_ASSERT(second.losses.empty());
  for (std::size_t sheet = 2; sheet <= 4; ++sheet)
    RC_ASSERT(part_of(second.bytes, sheet_part(sheet)) == part_of(first.bytes, sheet_part(sheet)));
}

RC_GTEST_PROP(XlsxProperty, TextsSurviveTheirEscapes, ()) {
  std::string text;
  for (const auto& piece : *rc::gen::container<std::vector<std::string>>(
           rc::gen::element<std::string>("_", "x", "_x", "0041", "_x000D_", "_x005F_", "A", "&",
                                         "<", "\r", "\n", "\u00e9", "\u20ac", "\U0001f600")))
    text += piece;
  std::string escaped;
  append_workbook_text(escaped, text);
  const ReadResult result = test::read(test::small_workbook().sheet(
      "Institutions", {test::kInstitutionHeaders, {"Uni", "", "", "", "|" + escaped + "|"}}));
  RC_ASSERT(result.has_value());
  const std::string expected = "|" + text + "|";
  RC_ASSERT(std::string(result->institutions(result->topologies[0])[1].attributes->address()) ==
            engine::cut_text(expected, engine::kAddressCharactersMax).value_or(expected));
}

}  // namespace
}  // namespace netml::codecs

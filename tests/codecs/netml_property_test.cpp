// Laws that hold for every file and every number.
#include <gtest/gtest.h>
// After GoogleTest, which it extends.
#include <rapidcheck/gtest.h>

#include <cmath>

#include "codecs/netml/netml_writer.hpp"
#include "engine/import/plan_import.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::codecs {
namespace {

using test::link;
using test::nested;
using test::node;
using test::root;
using test::same;

// Texts with all that XML treats specially, and characters of one to four bytes.
rc::Gen<std::string> text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "a", "B", " ", "&amp;", "&lt;", "&gt;", "\"", "&#13;", "\n", "&#9;",
                          "\u00e9", "\u20ac", "\U0001f600", "<!-- c -->", "<![CDATA[<&]]>")),
                      [](const std::vector<std::string>& pieces) {
                        std::string joined;
                        for (const std::string& piece : pieces) joined += piece;
                        return joined;
                      });
}

std::string degrees(int limit) {
  return fmt::format("{}", *rc::gen::inRange(-limit * 1000, limit * 1000 + 1) / 1000.0);
}

std::string properties() {
  std::string all;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    all += fmt::format("<:Property name='p{}'>{}</:Property>", *rc::gen::inRange(0, 3), *text());
  return all;
}

std::string random_node(const std::string& id) {
  std::string content;
  if (*rc::gen::arbitrary<bool>()) content += "<:short-name>" + *text() + "</:short-name>";
  if (*rc::gen::arbitrary<bool>()) content += "<:owner>j</:owner>";
  if (*rc::gen::arbitrary<bool>())
    content += "<:Lifetime><nml:start>2020-02-29T01:02:03-05:30</nml:start></:Lifetime>";
  content += fmt::format("<:Location><:long>{}</:long><:lat>{}</:lat>", degrees(180), degrees(90));
  if (*rc::gen::arbitrary<bool>()) content += fmt::format("<:alt>{}</:alt>", degrees(20000));
  if (*rc::gen::arbitrary<bool>()) content += "<:address>" + *text() + "</:address>";
  return node(id, content + "</:Location>" + properties());
}

// A topology's content: two institutions, two to five nodes and links between them.
std::string random_content(const std::string& prefix) {
  const int nodes = *rc::gen::inRange(2, 6);
  std::string content = "<:Institution id='j'><:name>J</:name>" + properties() + "</:Institution>";
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    const int a = *rc::gen::inRange(0, nodes);
    const int b = (a + *rc::gen::inRange(1, nodes)) % nodes;
    content += link(fmt::format("{}l{}", prefix, i), fmt::format("{}n{}", prefix, a),
                    fmt::format("{}n{}", prefix, b), properties());
  }
  for (int i = 0; i < nodes; ++i) content += random_node(fmt::format("{}n{}", prefix, i));
  return content;
}

std::string random_file() {
  return root(random_content("") + nested("s", random_content("s") + nested("u")) + nested("v"));
}

std::string imported_and_exported(std::string_view file) {
  const ReadResult document = read_netml(file);
  RC_ASSERT(document.has_value());
  const auto plan = engine::plan_import({}, *document, {});
  RC_ASSERT(plan.has_value());
  const auto state = engine::apply({}, plan->transaction, Lsn{1});
  RC_ASSERT(state.has_value());
  const engine::Graph& graph = state->graph;
  NetmlWriter writer(graph, *engine::export_tree(graph, *engine::export_root(graph)));
  std::string whole;
  while (const auto piece = writer.next()) writer.write_part(*piece, whole, std::string::npos);
  return whole;
}

RC_GTEST_PROP(NetmlReader, GivesTheSameForAnyChunks, ()) {
  const std::string file = random_file();
  const auto piece_bytes = *rc::gen::inRange<std::size_t>(1, 200);
  const ReadResult whole = test::read_in({.bulk = false}, file).result;
  RC_ASSERT(whole.has_value());
  for (const bool bulk : {false, true})
    RC_ASSERT(same(test::read_in({bulk, 2, piece_bytes}, file).result, whole));
}

RC_GTEST_PROP(RoundTrip, IsTheIdentityOnExports, ()) {
  const std::string first = imported_and_exported(random_file());
  RC_ASSERT(imported_and_exported(first) == first);
}

// Six decimals, correctly rounded from the double: what "%.6f" prints.
RC_GTEST_PROP(Longitudes, AreRoundedAsPrintfDoes, ()) {
  const double value = *rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange<std::int64_t>(-180'000'000'000, 180'000'000'001),
                   [](std::int64_t nano) { return static_cast<double>(nano) / 1e9; }),
      // Ties in binary: odd multiples of 2^-7, whose seventh decimal is a last 5.
      rc::gen::map(rc::gen::inRange(-23'040, 23'041), [](int part) { return part / 128.0; }),
      rc::gen::map(rc::gen::inRange(1, 400),
                   [](int exponent) { return std::ldexp(1.0, -exponent); }));
  const std::string file = root(
      node("n", fmt::format("<:Location><:long>{:.17g}</:long><:lat>0</:lat></:Location>", value)));
  const ReadResult document = read_netml(file);
  RC_ASSERT(document.has_value());
  const auto coordinates = document->nodes(document->topologies[0])[0].attributes->coordinates();
  const std::string expected = fmt::format("{:.6f}", value);
  const double read_back = static_cast<double>(coordinates->longitude.value) / 1e6;
  RC_ASSERT(fmt::format("{:.6f}", read_back + 0.0) ==
            (expected == "-0.000000" ? "0.000000" : expected));
}

}  // namespace
}  // namespace netml::codecs

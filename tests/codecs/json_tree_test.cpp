// JSON as a flat list of values: what is in it, what values are called, and what is refused where.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "codecs/document/json_tree.hpp"

namespace netml::codecs {
namespace {

JsonTree parsed(std::string_view text) {
  auto tree = JsonTree::parse(text, {});
  EXPECT_TRUE(tree.has_value()) << tree.error().text();
  return *std::move(tree);
}

engine::InputError refused(std::string_view text, const ReadLimits& limits = {}) {
  const auto tree = JsonTree::parse(text, limits);
  EXPECT_FALSE(tree.has_value()) << text;
  return tree ? engine::InputError() : tree.error();
}

// "path=text" for each leaf.
std::vector<std::string> leaves_of(JsonValue value) {
  std::vector<std::string> all;
  for (JsonLeaves leaves(value); leaves.next();)
    all.push_back(std::string(leaves.path()) + "=" + std::string(leaves.leaf().text()));
  return all;
}

TEST(JsonTree, GivesValuesAsTheyAreSpelled) {
  const JsonTree tree =
      parsed(R"({"a": -1.50e3, "b": "x\n\u00e9", "c": [true, null], "d": {}, "e": 10})");
  const JsonValue root = tree.root();
  EXPECT_EQ(root["a"].text(), "-1.50e3");
  EXPECT_EQ(root["b"].text(), "x\n\xc3\xa9");
  EXPECT_EQ(root["c"].size(), 2U);
  EXPECT_EQ((*root["c"].items().begin()).kind(), JsonKind::boolean);
  EXPECT_TRUE(root["d"].is_empty());
  EXPECT_EQ(root["e"].kind(), JsonKind::number);
  EXPECT_TRUE(root["z"].is_absent());
  EXPECT_TRUE(root["z"]["y"].is_absent());
}

TEST(JsonTree, GoesThroughAllLeavesWithTheirPaths) {
  const JsonTree tree = parsed(R"({"a":{"b":1,"c":[]},"d":[{"e":2},[3,"4"]],"f":null})");
  EXPECT_EQ(leaves_of(tree.root()),
            (std::vector<std::string>{"a.b=1", "a.c=", "d[].e=2", "d[][]=3", "d[][]=4", "f=null"}));
  EXPECT_EQ(leaves_of(parsed("7").root()), std::vector<std::string>{"=7"});
}

TEST(JsonTree, ComparesValuesAsTheyAreSpelled) {
  const JsonTree tree = parsed(R"([{"a":[1,"x"]},{"a":[1,"\u0078"]},{"a":[1.0,"x"]},{"a":["1"]}])");
  const auto items = tree.root().items();
  const JsonValue first = *items.begin();
  auto item = items.begin();
  EXPECT_TRUE(first == *++item) << "escapes say the same";
  EXPECT_FALSE(first == *++item);
  EXPECT_FALSE(first == *++item);
  EXPECT_FALSE(first == JsonValue());
}

TEST(JsonTree, NamesValuesByTheirPointers) {
  const JsonTree tree = parsed(R"({"a":[{"x/y":{"~":1}},2],"b":3})");
  const JsonValue a = tree.root()["a"];
  EXPECT_EQ(tree.pointer(tree.root().position()), "");
  EXPECT_EQ(tree.pointer((*a.items().begin())["x/y"]["~"].position()), "/a/0/x~1y/~0");
  EXPECT_EQ(tree.pointer((*std::next(a.items().begin())).position()), "/a/1");
  EXPECT_EQ(tree.pointer(tree.root()["b"].position()), "/b");
}

TEST(JsonTree, GivesPositionsOfSeveralTreesThatDiffer) {
  const JsonTree outer = parsed(R"({"text":"[1,2]"})");
  JsonTree inner = parsed("[1,2]");
  inner.place_behind(outer);
  const TextPosition last = (*std::next(inner.root().items().begin())).position();
  EXPECT_GT(inner.root().position().column, outer.root()["text"].position().column);
  EXPECT_EQ(inner.pointer(last), "/1");
}

TEST(JsonTree, LeavesNamesOutOfPathsThatAreTooLong) {
  const std::string name(JsonLeaves::kPathBytesMax, 'n');
  const JsonTree tree = parsed(R"({"a":{")" + name + R"(":{"b":7}}})");
  EXPECT_EQ(leaves_of(tree.root()), std::vector<std::string>{"a.b=7"});
}

TEST(JsonTree, RefusesWhatIsNoJsonWithLineAndColumn) {
  const engine::InputError error = refused("{\n \"\xc3\xa9\": x}");
  EXPECT_EQ(error.code, "not-well-formed");
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.column, 7U);
  EXPECT_EQ(refused("").message, "Error: the file is empty");
  EXPECT_EQ(refused("{}{}").code, "not-well-formed");
  EXPECT_EQ(refused("[1").code, "not-well-formed");
}

TEST(JsonTree, KeepsToItsLimits) {
  EXPECT_EQ(refused("[[[1]]]", {.depth = 2}).code, "too-deep");
  EXPECT_EQ(refused("[1,2,3,4,5,6,7,8]", {.elements = 2}).code, "too-large");
  EXPECT_EQ(refused("[\"abcdef\"]", {.text_bytes = 5}).code, "too-large");
}

boost::json::value any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 6 : 4)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::inRange<std::int64_t>(-1000, 1000);
    case 3:
      return boost::json::value(*rc::gen::element<std::string>("", "a", "\"", "\\/~", "\xc3\xa9"));
    case 4: {
      boost::json::array list;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(any_value(depth - 1));
      return list;
    }
    default: {
      boost::json::object object;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
        object[*rc::gen::element<std::string>("a", "b~", "c/d", "")] = any_value(depth - 1);
      return object;
    }
  }
}

// Boost.JSON's own tree is the oracle: of texts, and of what pointers lead to.
RC_GTEST_PROP(JsonTree, SaysWhatBoostJsonSays, ()) {
  const boost::json::value value = any_value(4);
  const JsonTree tree = parsed(boost::json::serialize(value));
  RC_ASSERT(boost::json::parse(tree.root().json()) == value);
  for (JsonLeaves leaves(tree.root()); leaves.next();) {
    const std::string pointer = tree.pointer(leaves.leaf().position());
    RC_ASSERT(boost::json::parse(leaves.leaf().json()) == value.at_pointer(pointer));
  }
}

}  // namespace
}  // namespace netml::codecs

// The generator's promises: valid files, the counts it names, the shapes it was asked for, and the
// same bytes for the same options. The project's own reader judges what is valid.
#include "bench/generator/generator.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/import_harness.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::generator {
namespace {

GeneratorOptions small_tree() {
  GeneratorOptions options;
  options.topologies = 13;
  options.fan_out = 3;
  options.nodes = 20;
  options.links = 30;
  return options;
}

engine::Document parsed(const GeneratorOptions& options) {
  codecs::ReadLimits limits;
  limits.depth = 100'000;
  auto result = codecs::read_netml(generate_text(options), limits);
  if (result) return std::move(*result);
  for (const engine::InputError& error : result.error().first) ADD_FAILURE() << error.text();
  return {};
}

// Appearances of each line; the generator writes one element on each.
std::map<std::string, int> lines_of(const std::string& text) {
  std::map<std::string, int> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) ++lines[line];
  return lines;
}

int lines_with(const std::string& text, std::string_view part) {
  int count = 0;
  for (const auto& [line, times] : lines_of(text)) {
    if (line.find(part) != std::string::npos) count += times;
  }
  return count;
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  }
  return hash;
}

struct Shape {
  const char* name;
  GeneratorOptions options;
};

std::vector<Shape> shapes() {
  std::vector<Shape> shapes;
  const auto add = [&](const char* name, auto&& change) {
    GeneratorOptions options = small_tree();
    change(options);
    shapes.push_back({name, options});
  };
  using Options = GeneratorOptions;
  add("Tree", [](Options&) {});
  add("Flat", [](Options& o) { o.topologies = 1, o.nodes = 500, o.links = 900; });
  add("Chain", [](Options& o) { o.fan_out = 1, o.topologies = 900, o.nodes = 2, o.links = 1; });
  add("Star", [](Options& o) { o.link_ends = LinkEnds::one_node, o.copied_percent = 10; });
  add("OneInstitution", [](Options& o) { o.ownership = Ownership::one_institution; });
  add("Shared", [](Options& o) { o.shared_percent = 25; });
  add("SharedToTheLimit", [](Options& o) { o.shared_percent = 50; });
  add("Copied", [](Options& o) { o.copied_percent = 30; });
  add("Colliding", [](Options& o) { o.collision_percent = 40; });
  add("SharedCopiedAndColliding",
      [](Options& o) { o.shared_percent = 20, o.copied_percent = 30, o.collision_percent = 30; });
  add("InFourTopologiesEach", [](Options& o) { o.memberships = 4; });
  add("ManyProperties", [](Options& o) { o.properties = 40; });
  add("Bare", [](Options& o) { o.properties = 0, o.links = 0, o.institutions = 1; });
  add("NoElements", [](Options& o) { o.nodes = 0, o.links = 0; });
  add("Revised",
      [](Options& o) { o.shared_percent = 20, o.copied_percent = 20, o.revision = {3, 100, 100}; });
  return shapes;
}

class GeneratedShape : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(All, GeneratedShape, testing::ValuesIn(shapes()),
                         [](const auto& shape) { return std::string(shape.param.name); });

TEST_P(GeneratedShape, IsAValidFileWithTheCountsItNames) {
  const GeneratorOptions& options = GetParam().options;
  ASSERT_EQ(problem_with(options), std::nullopt);
  std::uint64_t bytes = 0;
  const auto counts = generate(options, [&](std::string_view piece) {
    bytes += piece.size();
    return true;
  });
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->bytes, bytes);

  const engine::Document document = parsed(options);
  EXPECT_EQ(document.topologies.size(), options.topologies);
  EXPECT_EQ(document.topologies.size(), counts->topologies);
  // The reader gives every topology the global institution, which the counts leave out.
  EXPECT_EQ(document.elements.size(), counts->elements() + counts->topologies);
  EXPECT_TRUE(document.notes.empty());
}

TEST(Generator, WritesTheSameBytesForTheSameOptionsOnEveryMachine) {
  GeneratorOptions options = small_tree();
  options.shared_percent = 20;
  options.copied_percent = 10;
  const std::string text = generate_text(options);
  EXPECT_EQ(text, generate_text(options));
  EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<grenml:Topology "));
  EXPECT_EQ(text.size(), 364'246U);
  EXPECT_EQ(fnv1a(text), 17905852085869746050ULL)
      << "Change this only together with the published measurements.";
}

TEST(Generator, WritesAnotherMapForAnotherSeed) {
  GeneratorOptions options = small_tree();
  const std::string first = generate_text(options);
  options.seed = 2;
  EXPECT_NE(first, generate_text(options));
}

TEST(Generator, ListsAsManyElementsAsAskedForWhateverTheShare) {
  GeneratorOptions options = small_tree();
  for (const std::uint32_t percent : {0U, 10U, 50U}) {
    options.shared_percent = percent;
    const auto counts = generate(options, [](std::string_view) { return true; });
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->nodes, 13U * 20U) << percent;
    EXPECT_EQ(counts->links, 13U * 30U) << percent;
  }
}

TEST(Generator, WritesSharedElementsTheSameInParentAndChild) {
  GeneratorOptions options = small_tree();
  options.topologies = 2;
  options.shared_percent = 25;
  int repeated = 0;
  for (const auto& [line, times] : lines_of(generate_text(options))) {
    if (line.starts_with("<grenml:Node ") || line.starts_with("<grenml:Link ")) {
      repeated += times - 1;
    }
  }
  EXPECT_EQ(repeated, 5 + 7);  // a quarter of 20 nodes and of 30 links
}

TEST(Generator, MarksCopiesWithTheTopologyOfTheOriginal) {
  GeneratorOptions options = small_tree();
  options.topologies = 2;
  options.copied_percent = 20;
  const std::string text = generate_text(options);
  const std::string mark = "<grenml:Property name=\"!-from_topology\">urn:example:net0000<";
  EXPECT_EQ(lines_with(text, mark), 4 + 2);  // nodes, and the institutions that own them
  EXPECT_EQ(lines_with(text, "!-from_topology"), 4 + 2);
}

TEST(Generator, WritesCopiesThatFindTheirOriginals) {
  GeneratorOptions options = small_tree();
  options.copied_percent = 20;
  test::ImportHarness store;
  store.import(generate_text(options));
  // The first node that sub-topologies copy: one record, at home only.
  EXPECT_EQ(store.node("urn:example:net0000:node:000000").topologies,
            test::Texts{"urn:example:net0000"});
  EXPECT_EQ(store.members("urn:example:net0001", Kind::node).size(), 20U);
}

TEST(Generator, EndsEveryLinkOfAStarAtTheFirstNode) {
  GeneratorOptions options = small_tree();
  options.topologies = 1;
  options.link_ends = LinkEnds::one_node;
  EXPECT_EQ(lines_with(generate_text(options), "<grenml:node>urn:example:net0000:node:000000<"),
            30);
}

TEST(Generator, GivesCollidingIdsToDifferentElements) {
  GeneratorOptions options = small_tree();
  options.topologies = 2;
  options.collision_percent = 50;
  const std::string text = generate_text(options);
  const std::string id = "<grenml:Node id=\"urn:example:net0000:node:000019\"";
  std::set<std::string> with_id;
  for (const auto& [line, times] : lines_of(text)) {
    if (line.starts_with(id)) with_id.insert(line);
  }
  EXPECT_EQ(with_id.size(), 2U);
}

TEST(Generator, RepeatsEveryElementInAsManyTopologiesAsMembershipsSay) {
  GeneratorOptions options = small_tree();
  options.topologies = 12;
  options.memberships = 4;
  int nodes = 0;
  for (const auto& [line, times] : lines_of(generate_text(options))) {
    if (!line.starts_with("<grenml:Node ")) continue;
    EXPECT_EQ(times, 4) << line;
    ++nodes;
  }
  EXPECT_EQ(nodes, 3 * 20);
}

TEST(Generator, ARevisionChangesAndRemovesAboutTheSharesAskedFor) {
  GeneratorOptions options;
  options.nodes = 20'000;
  options.links = 20'000;
  const auto before = lines_of(generate_text(options));
  options.revision = {1, 50, 0};
  const std::string changed = generate_text(options);
  EXPECT_NEAR(lines_with(changed, " rev 1<"), 2'000, 200);
  int same = 0;
  for (const auto& [line, times] : lines_of(changed)) same += before.contains(line) ? 1 : 0;
  EXPECT_EQ(same + lines_with(changed, " rev 1<"), static_cast<int>(before.size()));

  options.revision = {1, 0, 100};
  const auto counts = generate(options, [](std::string_view) { return true; });
  ASSERT_TRUE(counts);
  EXPECT_NEAR(static_cast<double>(counts->nodes), 18'000, 300);
  EXPECT_NEAR(static_cast<double>(counts->links), 20'000 * 0.9 * 0.9 * 0.9, 400);
}

TEST(Generator, LaterRevisionsTouchOtherElements) {
  GeneratorOptions options = small_tree();
  options.revision = {1, 200, 0};
  const std::string first = generate_text(options);
  options.revision = {2, 200, 0};
  EXPECT_NE(lines_with(first, " rev 1<"), 0);
  EXPECT_NE(first, generate_text(options));
}

TEST(Generator, StopsWhenTheSinkRefuses) {
  GeneratorOptions options;
  options.nodes = 100'000;
  int calls = 0;
  const auto counts = generate(options, [&](std::string_view) { return ++calls < 3; });
  EXPECT_EQ(counts, std::nullopt);
  EXPECT_EQ(calls, 3);
}

TEST(Generator, RefusesOptionsThatContradictEachOther) {
  const auto refused = [](auto&& change) {
    GeneratorOptions options = small_tree();
    change(options);
    return problem_with(options).has_value();
  };
  using Options = GeneratorOptions;
  EXPECT_FALSE(refused([](Options&) {}));
  EXPECT_TRUE(refused([](Options& o) { o.topologies = 0; }));
  EXPECT_TRUE(refused([](Options& o) { o.institutions = 0; }));
  EXPECT_TRUE(refused([](Options& o) { o.fan_out = 0; }));
  EXPECT_TRUE(refused([](Options& o) { o.memberships = 0; }));
  EXPECT_TRUE(refused([](Options& o) { o.nodes = 1; }));
  EXPECT_TRUE(refused([](Options& o) { o.shared_percent = 51; }));
  EXPECT_TRUE(refused([](Options& o) { o.shared_percent = 40, o.copied_percent = 21; }));
  EXPECT_TRUE(refused([](Options& o) { o.memberships = 2, o.shared_percent = 1; }));
  EXPECT_TRUE(refused([](Options& o) { o.revision.removed_per_mille = 1001; }));
}

}  // namespace
}  // namespace netml::generator

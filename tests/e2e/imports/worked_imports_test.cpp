// Goal: the worked cases of docs/requirements/importing.md, sections 9.1 to 9.3 and 10.4, hold
// through the endpoints that functional tests use. The same rows stand at engine level in
// tests/import. Method: one case for each row: files uploaded in order, with the default rulesets,
// then every record compared.
#include <gmock/gmock.h>

#include <map>

#include "tests/e2e/support/worked.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::topology;
using test::TopologyText;
using testing::ElementsAre;
using testing::HasSubstr;

struct ImportCase {
  const char* name;
  std::vector<std::string> files;  // each at the place where it goes without a parent
  Lines store;
};

class WorkedImport : public testing::TestWithParam<ImportCase> {};

TEST_P(WorkedImport, LeavesTheStoreOfThePage) {
  WorkedNode worked;
  worked.restore_default_rulesets();
  worked.propagate_topology_deletion(false);
  for (const std::string& file : GetParam().files) worked.import(file);
  EXPECT_THAT(worked.lines(), testing::ElementsAreArray(GetParam().store));
}

std::string name_of(const testing::TestParamInfo<ImportCase>& tested) {
  return tested.param.name;
}

// ---- 9.1 ----

TopologyText shared(const char* id) {
  return topology(id, "i", institution("i"), node("a"), node("b"), link("l", "a", "b"));
}
std::string small_map() {
  return topology("P", "p", institution("p").with("k", "1"), node("a").with("k", "2"), node("b"),
                  link("l", "a", "b").with("k", "3"));
}

INSTANTIATE_TEST_SUITE_P(
    Basic, WorkedImport,
    testing::Values(
        ImportCase{"OneProperty",
                   {small_map()},
                   {"topology P owner p", "institution p in P k=1", "node a in P of p k=2",
                    "node b in P of p", "link l a-b in P of p k=3"}},
        ImportCase{
            "OnlyInTheSubTopology",
            {topology("P", "p", institution("p"), topology("C", "c", institution("c"), node("n")))},
            {"topology C below P owner c", "topology P owner p", "institution c in C",
             "institution p in P", "node n in C of c"}},
        ImportCase{"SharedByParentAndChild",
                   {shared("P").add(shared("C"))},
                   {"topology C below P owner i", "topology P owner i", "institution i in C,P",
                    "node a in C,P of i", "node b in C,P of i", "link l a-b in C,P of i"}},
        ImportCase{"OwnersUnited",
                   {topology("P", "p", institution("p"), node("n"),
                             topology("C", "c", institution("c"), node("n")))},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P", "node n in C,P of c,p"}},
        ImportCase{"SameFileAgain",
                   {small_map(), small_map()},
                   {"topology P owner p", "institution p in P k=1", "node a in P of p k=2",
                    "node b in P of p", "link l a-b in P of p k=3"}},
        ImportCase{"AnotherRootGoesBelowTheMainTopology",
                   {topology("P", "p", institution("p")), topology("Q", "q", institution("q"))},
                   {"topology P owner p", "topology Q below P owner q", "institution p in P",
                    "institution q in Q"}},
        ImportCase{
            "RepeatedPropertyKeepsBothValues",
            {topology("P", "p", institution("p").with("country", "CA").with("country", "USA"))},
            {"topology P owner p", "institution p in P country=CA country=USA"}}),
    name_of);

// ---- 9.2 ----

TopologyText everything(const char* id) {
  return topology(id, "i", institution("i"), institution("j"), node("1"), node("2"),
                  node("3").owned_by("j"), node("4").owned_by("j"), link("x", "1", "2"),
                  link("y", "3", "4"));
}
TopologyText without_link(const char* id) {
  return topology(id, "i", institution("i"), institution("j"), node("1"), node("2"),
                  node("3").owned_by("j"), node("4").owned_by("j"), link("y", "3", "4"));
}
TopologyText without_node(const char* id) {
  return topology(id, "i", institution("i"), institution("j"), node("2"), node("3").owned_by("j"),
                  node("4").owned_by("j"), link("y", "3", "4"));
}
TopologyText without_institution(const char* id) {
  return topology(id, "i", institution("i"), node("1"), node("2"), link("x", "1", "2"));
}
std::string below(const TopologyText& child) {
  return topology("P", "p", institution("p"), child);
}
// A node that parent and child share; a part without it.
std::string sharing(bool in_parent, bool in_child) {
  TopologyText parent = topology("P", "p", institution("p"));
  TopologyText child = topology("C", "c", institution("c"));
  if (in_parent) parent.add(node("n").named("as in P"));
  if (in_child) child.add(node("n").named("as in C"));
  return parent.add(child);
}

INSTANTIATE_TEST_SUITE_P(
    Deletion, WorkedImport,
    testing::Values(
        ImportCase{"ALink",
                   {everything("P"), without_link("P")},
                   {"topology P owner i", "institution i in P", "institution j in P",
                    "node 1 in P of i", "node 2 in P of i", "node 3 in P of i,j",
                    "node 4 in P of i,j", "link y 3-4 in P of i"}},
        ImportCase{
            "ANodeAndItsLink",
            {everything("P"), without_node("P")},
            {"topology P owner i", "institution i in P", "institution j in P", "node 2 in P of i",
             "node 3 in P of i,j", "node 4 in P of i,j", "link y 3-4 in P of i"}},
        ImportCase{"AnInstitutionAndWhatItOwned",
                   {everything("P"), without_institution("P")},
                   {"topology P owner i", "institution i in P", "node 1 in P of i",
                    "node 2 in P of i", "link x 1-2 in P of i"}},
        ImportCase{
            "ALinkOfTheChild",
            {below(everything("C")), below(without_link("C"))},
            {"topology C below P owner i", "topology P owner p", "institution i in C",
             "institution j in C", "institution p in P", "node 1 in C of i", "node 2 in C of i",
             "node 3 in C of i,j", "node 4 in C of i,j", "link y 3-4 in C of i"}},
        ImportCase{"ANodeOfTheChild",
                   {below(everything("C")), below(without_node("C"))},
                   {"topology C below P owner i", "topology P owner p", "institution i in C",
                    "institution j in C", "institution p in P", "node 2 in C of i",
                    "node 3 in C of i,j", "node 4 in C of i,j", "link y 3-4 in C of i"}},
        ImportCase{
            "AnInstitutionOfTheChild",
            {below(everything("C")), below(without_institution("C"))},
            {"topology C below P owner i", "topology P owner p", "institution i in C",
             "institution p in P", "node 1 in C of i", "node 2 in C of i", "link x 1-2 in C of i"}},
        ImportCase{"SharedGoneFromTheParent",
                   {sharing(true, true), sharing(false, true)},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P", "node n in C of c \"as in C\""}},
        ImportCase{"SharedGoneFromTheChild",
                   {sharing(true, true), sharing(true, false)},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P", "node n in P of p \"as in P\""}},
        ImportCase{"SharedGoneFromBoth",
                   {sharing(true, true), sharing(false, false)},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P"}},
        ImportCase{"AProperty",
                   {topology("P", "p", institution("p").with("k", "v")),
                    topology("P", "p", institution("p"))},
                   {"topology P owner p", "institution p in P"}},
        ImportCase{"NoSubTopology",
                   {below(topology("C", "c", institution("c"), node("n"))),
                    topology("P", "p", institution("p"))},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P", "node n in C of c"}}),
    name_of);

// ---- 9.3 ----

std::string renamed_link(const char* a, const char* b, const char* name) {
  return topology("P", "p", institution("p"), node("C"), node("D"), node("E"), node("F"),
                  link("A", a, b).named(name));
}

INSTANTIATE_TEST_SUITE_P(
    IdenticalIds, WorkedImport,
    testing::Values(
        ImportCase{
            "LinkAndNode",
            {topology("P", "p", institution("p"), node("x"), node("b"), link("x", "x", "b"))},
            {"topology P owner p", "institution p in P", "node b in P of p", "node x in P of p",
             "link x b-x in P of p"}},
        ImportCase{"NodeThatBecameAnInstitution",
                   {topology("P", "p", institution("p"), node("A")),
                    topology("P", "p", institution("p"), institution("A"))},
                   {"topology P owner p", "institution A in P", "institution p in P"}},
        ImportCase{
            "NodeBesideAnInstitution",
            {topology("P", "p", institution("p"), node("A")),
             topology("P", "p", institution("p"), node("A"), institution("A"))},
            {"topology P owner p", "institution A in P", "institution p in P", "node A in P of p"}},
        ImportCase{"AllKindsFromTheChild",
                   {topology("P", "p", institution("p"), node("b"), node("c"), link("A", "b", "c")),
                    topology("C", "p", institution("p"), institution("A"), node("A"))},
                   {"topology C below P owner p", "topology P owner p", "institution A in C",
                    "institution p in C,P", "node A in C of p", "node b in P of p",
                    "node c in P of p", "link A b-c in P of p"}},
        ImportCase{"NodeUpdatedByTheChild",
                   {topology("P", "p", institution("p"), node("A").named("n1"), node("B"),
                             link("l", "A", "B")),
                    topology("C", "c", institution("c"), node("A").named("n1 updated"))},
                   {"topology C below P owner c", "topology P owner p", "institution c in C",
                    "institution p in P", "node A in C,P of c,p \"n1 updated\"", "node B in P of p",
                    "link l A-B in P of p"}},
        ImportCase{
            "LinkWithNewEnds",
            {renamed_link("C", "D", "first"), renamed_link("E", "F", "second")},
            {"topology P owner p", "institution p in P", "node C in P of p", "node D in P of p",
             "node E in P of p", "node F in P of p", "link A E-F in P of p \"second\""}},
        ImportCase{
            "LinkWithANewName",
            {renamed_link("D", "C", "first"), renamed_link("D", "C", "second")},
            {"topology P owner p", "institution p in P", "node C in P of p", "node D in P of p",
             "node E in P of p", "node F in P of p", "link A C-D in P of p \"second\""}},
        ImportCase{"InstitutionUpdatedByTheChild",
                   {topology("P", "A", institution("A").named("old").with("k", "old")),
                    topology("C", "A", institution("A").named("new").with("k", "new"))},
                   {"topology C below P owner A", "topology P owner A",
                    "institution A in C,P \"new\" k=new"}}),
    name_of);

// ---- 9.4, with the default rulesets removed ----

class WorkedCopies : public testing::TestWithParam<ImportCase> {};

TEST_P(WorkedCopies, EndAsThePageSays) {
  WorkedNode worked;
  for (const std::string& file : GetParam().files) worked.import(file);
  EXPECT_THAT(worked.lines(), testing::ElementsAreArray(GetParam().store));
}

TopologyText owned(const char* id) {
  return topology(id, "o", institution("o"));
}

INSTANTIATE_TEST_SUITE_P(
    Copies, WorkedCopies,
    testing::Values(
        ImportCase{
            "NodeOfTheRootInTheGrandchild",
            {topology("R", "r", institution("r"), node("A"),
                      topology("C", "c", institution("c"),
                               topology("G", "g", institution("g"), node("A").copy_of("R"),
                                        node("B"), link("l", "A", "B"))))},
            {"topology C below R owner c", "topology G below C owner g", "topology R owner r",
             "institution c in C", "institution g in G", "institution r in R", "node A in R of r",
             "node B in G of g", "link l A-B in G of g"}},
        ImportCase{
            "NodeOfTheGrandchildInTheRoot",
            {topology("R", "r", institution("r"), node("A"), node("B").copy_of("G"),
                      link("l", "A", "B"),
                      topology("C", "c", institution("c"),
                               topology("G", "g", institution("g"), node("B"))))},
            {"topology C below R owner c", "topology G below C owner g", "topology R owner r",
             "institution c in C", "institution g in G", "institution r in R", "node A in R of r",
             "node B in G of g", "link l A-B in R of r"}},
        ImportCase{"OwnerOfTheGrandchild",
                   {topology("R", "r", institution("r"),
                             topology("C", "c", institution("c"),
                                      topology("G", "r", institution("r").copy_of("R"))))},
                   {"topology C below R owner c", "topology G below C owner r",
                    "topology R owner r", "institution c in C", "institution r in R"}},
        ImportCase{
            "OwnerOfTheRoot",
            {topology("R", "g", institution("g").copy_of("G"),
                      topology("C", "c", institution("c"), topology("G", "g", institution("g"))))},
            {"topology C below R owner c", "topology G below C owner g", "topology R owner g",
             "institution c in C", "institution g in G"}},
        ImportCase{"OwnerOfALinkInTheGrandchild",
                   {topology("R", "r", institution("r"),
                             topology("G", "g", institution("g"), institution("r").copy_of("R"),
                                      node("a"), node("b"), link("l", "a", "b").owned_by("r")))},
                   {"topology G below R owner g", "topology R owner r", "institution g in G",
                    "institution r in R", "node a in G of g", "node b in G of g",
                    "link l a-b in G of g,r"}},
        ImportCase{"OwnerOfANodeInTheRoot",
                   {topology("R", "r", institution("r"), institution("g").copy_of("G"),
                             node("n").owned_by("g"), topology("G", "g", institution("g")))},
                   {"topology G below R owner g", "topology R owner r", "institution g in G",
                    "institution r in R", "node n in R of g,r"}},
        ImportCase{"OriginalFirst",
                   {topology("U", "i", institution("i").named("original")),
                    topology("T", "i", institution("i").named("copy").copy_of("U"))},
                   {"topology T below U owner i", "topology U owner i",
                    "institution i in U \"original\""}},
        ImportCase{"CopyFirst",
                   {topology("T", "i", institution("i").named("copy").copy_of("U")),
                    topology("U", "i", institution("i").named("original"))},
                   {"topology T owner i", "topology U below T owner i",
                    "institution i in U \"original\""}},
        ImportCase{
            "Ambiguous",
            {owned("A").add(node("n")), topology("B", "q", institution("q"), node("n")),
             topology("T", "t", institution("t"), node("n").copy_of("A,B"))},
            {"topology A owner o", "topology B below A owner q", "topology T below A owner t",
             "institution o in A", "institution q in B", "institution t in T", "node n in A of o",
             "node n in B of q", "node n in T of t !-from_topology=A,B"}},
        ImportCase{"OfATopologyThatDoesNotExist",
                   {topology("T", "t", institution("t"), node("n").copy_of("nowhere"))},
                   {"topology T owner t", "institution t in T",
                    "node n in T of t !-from_topology=nowhere"}}),
    name_of);

// ---- what is not a list of records ----

class WorkedUpload : public testing::Test {
 protected:
  WorkedUpload() { worked.restore_default_rulesets(); }
  WorkedNode worked;
};

TEST_F(WorkedUpload, StoresAnInstitutionFieldForField) {
  worked.import(topology(
      "P", "p",
      institution("p")
          .named("Institution of P")
          .short_named("IP")
          .location(
              "<grenml:long>-63.57</grenml:long><grenml:lat>44.65</grenml:lat><grenml:alt>12.5"
              "</grenml:alt><grenml:unlocode>CAHAL</grenml:unlocode>"
              "<grenml:address>1 Pier Road</grenml:address>")));
  const json::value p = worked.only("institutions", "p");
  for (const auto& [key, value] : std::map<std::string, const char*>{{"name", "Institution of P"},
                                                                     {"short_name", "IP"},
                                                                     {"latitude", "44.650000"},
                                                                     {"longitude", "-63.570000"},
                                                                     {"altitude", "12.500000"},
                                                                     {"unlocode", "CAHAL"},
                                                                     {"address", "1 Pier Road"}})
    EXPECT_EQ(p.at(key), json::value(value)) << key;
}

TEST_F(WorkedUpload, RaisesEveryKeyWhenTheFileComesAgain) {
  const auto keys = [&] {
    std::vector<std::int64_t> all;
    for (const char* kind : {"institutions", "nodes", "links"})
      for (const json::value& item : worked.list(kind)) all.push_back(item.at("pk").as_int64());
    return all;
  };
  worked.import(small_map());
  const auto before = keys();
  worked.import(small_map());
  const auto after = keys();
  ASSERT_EQ(after.size(), before.size());
  EXPECT_GT(*std::ranges::min_element(after), *std::ranges::max_element(before));
}

TEST_F(WorkedUpload, OfTheMainTopologyWithoutParentLeavesItRootAndWarns) {
  const std::string file = topology("P", "p", institution("p"));
  worked.import(file);
  worked.import(file);
  EXPECT_EQ(worked.only("topologies", "P").at("main"), json::value(true));
  EXPECT_TRUE(worked.only("topologies", "P").at("parent").is_null());
  const json::value records = worked.node.ask("GET", "/netml_import/test/").value;
  EXPECT_EQ(records.at(0).at("import_status"), "1: Import complete");
  EXPECT_EQ(records.at(1).at("import_status"), "2: Import completed, with warnings");
}

TEST_F(WorkedUpload, ShowsTheNamesOfAllTopologiesInTheExport) {
  worked.import(small_map());
  worked.import(topology("Q", "q", institution("q"),
                         topology("Q1", "q", institution("q")).named("First part"),
                         topology("Q2", "q", institution("q")).named("Second part")));
  for (const char* name : {"First part", "Second part"})
    EXPECT_THAT(worked.exported(), HasSubstr(name));
}

TEST_F(WorkedUpload, RefusesAFileWithoutPrefixes) {
  std::string stripped = small_map();
  for (std::size_t at; (at = stripped.find("grenml:")) != std::string::npos;)
    stripped.erase(at, std::string_view("grenml:").size());
  EXPECT_EQ(worked.upload(stripped).status, 400);
  EXPECT_THAT(worked.lines(), testing::IsEmpty());
}

TEST_F(WorkedUpload, PropagatesTheDeletionOfASubTopologyWhereSet) {
  worked.node.node().done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "On"});
  worked.import(below(topology("C", "c", institution("c"), node("n"))));
  worked.import(topology("P", "p", institution("p")));
  EXPECT_THAT(worked.lines(), ElementsAre("topology P owner p", "institution p in P"));
}

TEST_F(WorkedUpload, LeavesAllOwnershipsToAnInstitutionOfParentAndChild) {
  TopologyText child = topology("C", "I", institution("I"));
  for (int n = 0; n < 11; ++n) child.add(node("n" + std::to_string(n)));
  for (int l = 0; l < 4; ++l)
    child.add(link("l" + std::to_string(l), "n" + std::to_string(l), "n" + std::to_string(l + 1)));
  worked.import(topology("P", "I", institution("I")));
  for (int time = 0; time < 2; ++time) {
    worked.import(child);
    const json::value owner = worked.only("institutions", "I");
    EXPECT_EQ(owner.at("owned_topologies").as_array().size(), 2U);
    EXPECT_EQ(owner.at("owned_elements").as_array().size(), 15U);
    EXPECT_EQ(worked.only("topologies", "P").at("owner"), owner.at("pk"));
  }
}

TEST_F(WorkedUpload, ChangesNothingButKeysWhenASharingChildComesAgain) {
  worked.import(shared("P"));
  worked.import(shared("C"));
  const Lines before = worked.lines();
  EXPECT_THAT(before, testing::Contains("link l a-b in C,P of i"));
  worked.import(shared("C"));
  EXPECT_EQ(worked.lines(), before);
}

TEST_F(WorkedUpload, TakesAltitudeAndAddressOfTheNewFile) {
  const std::string place = "<grenml:long>1</grenml:long><grenml:lat>2</grenml:lat>";
  const auto located = [&](const std::string& rest) {
    return topology("P", "p", institution("p"), node("n").location(place + rest));
  };
  worked.import(located("<grenml:alt>10</grenml:alt><grenml:address>1 Old Road</grenml:address>"));
  worked.import(located("<grenml:address>2 New Road</grenml:address>"));
  const json::value n = worked.only("nodes", "n");
  EXPECT_EQ(n.at("address"), "2 New Road");
  EXPECT_NE(n.at("altitude"), "10.000000");
}

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; ++at) ++times;
  return times;
}

TEST_F(WorkedUpload, CountsFewerElementsInTheExportWhenTheyAreGone) {
  worked.import(shared("P").add(shared("C")));
  EXPECT_EQ(count(worked.exported(), "<grenml:Link id=\"l\""), 2U);
  worked.import(shared("P").add(topology("C", "i", institution("i"))));
  EXPECT_EQ(count(worked.exported(), "<grenml:Link id=\"l\""), 1U);
  EXPECT_EQ(count(worked.exported(), "<grenml:Node id=\"a\""), 1U);
}

TEST_F(WorkedUpload, ComesBackTheSameFromItsExportAfterEverythingWasDeleted) {
  worked.import(topology(
      "P", "p", institution("p"), node("a"), node("x").owned_by("p"),
      topology("C", "c", institution("c"), institution("p").copy_of("P"), node("b").owned_by("p"),
               node("a").copy_of("P"), link("l", "a", "b").owned_by("p"))));
  const Lines before = worked.lines();
  const std::string file = worked.exported();
  EXPECT_THAT(before, testing::Contains("link l a-b in C of c,p"));
  EXPECT_EQ(worked.node.ask("DELETE", "/network_topology/test/topologies/delete/").status, 204);
  EXPECT_THAT(worked.lines(), testing::IsEmpty());
  worked.import(file);
  EXPECT_EQ(worked.lines(), before);
  EXPECT_EQ(worked.exported(), file);
}

}  // namespace
}  // namespace netml::e2e

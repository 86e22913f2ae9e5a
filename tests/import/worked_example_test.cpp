// docs/requirements/exchange-format.md, section 13: a file with every part of the format, and what
// each record becomes.
#include <gmock/gmock.h>

#include "tests/support/file_content.hpp"
#include "tests/support/import_harness.hpp"

namespace netml::test {
namespace {

using engine::Coordinates;
using engine::ImportCounts;
using engine::ImportStatus;
using engine::Micro;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkedExample : public testing::Test {
 protected:
  void SetUp() override { store_.import(file_content(NETML_GOLDEN "/import/valley.xml")); }
  ImportHarness store_;
};

TEST_F(WorkedExample, ItsRootIsMainAndOwned) {
  const RecordView valley = store_.topology("urn:example:topo:valley");
  EXPECT_TRUE(valley.attributes->main());
  EXPECT_THAT(valley.topologies, IsEmpty());
  EXPECT_THAT(valley.owners, ElementsAre("urn:example:inst:valleynet"));
  EXPECT_EQ(valley.attributes->version(), Instant{1709294400});
  EXPECT_THAT(valley.properties, ElementsAre("description=Hills & rivers"));
}

TEST_F(WorkedExample, ItsSubTopologyIsAChildOfTheRoot) {
  const RecordView summit = store_.topology("urn:example:topo:summit");
  EXPECT_FALSE(summit.attributes->main());
  EXPECT_THAT(summit.topologies, ElementsAre("urn:example:topo:valley"));
  EXPECT_THAT(summit.owners, ElementsAre("urn:example:inst:summitu"));
}

TEST_F(WorkedExample, TheGlobalInstitutionIsInBothTopologies) {
  const RecordView global = store_.institution("urn:ogf:networking:global");
  EXPECT_EQ(global.name(), "GREN");
  EXPECT_THAT(global.properties, ElementsAre("tag=global"));
  EXPECT_THAT(global.topologies, ElementsAre("urn:example:topo:summit", "urn:example:topo:valley"));
  EXPECT_EQ(global.attributes->coordinates(), std::nullopt);  // decision 11: 0/0 only when written
}

TEST_F(WorkedExample, ItsOwnerHasAllFieldsAndProperties) {
  const RecordView owner = store_.institution("urn:example:inst:valleynet");
  EXPECT_THAT(owner.topologies, ElementsAre("urn:example:topo:valley"));
  EXPECT_EQ(owner.attributes->version(), Instant{1709209800});
  EXPECT_EQ(owner.attributes->coordinates(), (Coordinates{Micro{44650000}, Micro{-63570000}}));
  EXPECT_EQ(owner.attributes->altitude(), Micro{12500000});
  EXPECT_THAT(owner.properties, ElementsAre("url=https://valleynet.example/?a=1&b=2", "tag=sren",
                                            "tag=connected institution", "note="));
}

TEST_F(WorkedExample, TheCopyOfTheInstitutionIsGone) {
  const RecordView campus = store_.institution("urn:example:inst:summitu");
  EXPECT_THAT(campus.topologies, ElementsAre("urn:example:topo:summit"));
  EXPECT_THAT(campus.properties, ElementsAre("tag=connected institution"));
}

TEST_F(WorkedExample, CoordinatesAreRoundedAndAltitudesCapped) {
  const RecordView bridge = store_.node("urn:example:node:bridge");
  EXPECT_THAT(bridge.topologies, ElementsAre("urn:example:topo:valley"));
  EXPECT_THAT(bridge.owners, ElementsAre("urn:example:inst:valleynet"));
  EXPECT_EQ(bridge.attributes->coordinates(), (Coordinates{Micro{44650000}, Micro{-63571235}}));
  EXPECT_EQ(bridge.attributes->altitude(), Micro{9'000'000'000});
}

TEST_F(WorkedExample, TheCopyOfTheNodeIsGone) {
  const RecordView summit = store_.node("urn:example:node:summit");
  EXPECT_THAT(summit.topologies, ElementsAre("urn:example:topo:summit"));
  EXPECT_THAT(summit.owners, ElementsAre("urn:example:inst:summitu"));
  EXPECT_EQ(summit.attributes->short_name(), "SUM");
  EXPECT_THAT(summit.properties, IsEmpty());
}

TEST_F(WorkedExample, TheLinkJoinsTheOriginalsAndIsOwnedByBoth) {
  const RecordView link = store_.link("urn:example:link:mountain");
  EXPECT_THAT(link.topologies, ElementsAre("urn:example:topo:valley"));
  EXPECT_THAT(link.owners, ElementsAre("urn:example:inst:summitu", "urn:example:inst:valleynet"));
  EXPECT_THAT(link.ends, ElementsAre("urn:example:node:bridge", "urn:example:node:summit"));
  EXPECT_EQ(link.attributes->version(), Instant{1709283600});
  EXPECT_EQ(link.attributes->start(), Instant{1577836800});
  EXPECT_EQ(link.attributes->end(), Instant{2082758399});
  EXPECT_THAT(link.properties, ElementsAre("throughput=100"));
}

TEST_F(WorkedExample, ItsLogCountsWhatTheFileLists) {
  EXPECT_EQ(store_.log().status(), ImportStatus::complete);
  const auto counts = store_.log().counts();
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::topology)], (ImportCounts{2, 2}));
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::institution)], (ImportCounts{5, 5}));
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::node)], (ImportCounts{3, 3}));
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::link)], (ImportCounts{1, 1}));
  EXPECT_THAT(store_.log().text(), HasSubstr("Status: Import complete\n"));
  EXPECT_THAT(store_.log().text(), HasSubstr("Institutions: 5 parsed, 5 imported\n"));
}

TEST_F(WorkedExample, ItsExportReadBackIsTheSame) {
  ImportHarness fresh;
  fresh.import(store_.exported());
  EXPECT_EQ(fresh.exported(), store_.exported());
  EXPECT_EQ(fresh.log().status(), ImportStatus::complete);
}

}  // namespace
}  // namespace netml::test

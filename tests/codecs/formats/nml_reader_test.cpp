// NML to documents: what ports and links become, what is lost, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/half_links/half_link.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using engine::HalfLink;
using test::link;
using test::node;
using test::property;
using test::read_text;

std::string topology(std::string_view body) {
  return std::string("<Topology xmlns='http://schemas.ogf.org/nml/2013/05/base#' id='urn:t'>")
      .append("<name>Net</name>")
      .append(body)
      .append("</Topology>");
}

std::string relation(std::string_view type, std::string_view body) {
  return std::string("<Relation type='http://schemas.ogf.org/nml/2013/05/base#")
      .append(type)
      .append("'>")
      .append(body)
      .append("</Relation>");
}

// A port of both directions, as documents of NSI have them.
std::string nsi_port(std::string_view id, std::string_view peer, std::string_view labels) {
  const std::string name(id);
  const auto part = [&](std::string_view way, std::string_view back) {
    std::string text = "<PortGroup id='" + name + ":" + std::string(way) +
                       "'><LabelGroup labeltype='vlan'>" + std::string(labels) + "</LabelGroup>";
    if (!peer.empty())
      text += relation("isAlias",
                       "<PortGroup id='" + std::string(peer) + ":" + std::string(back) + "'/>");
    return text + "</PortGroup>";
  };
  return "<BidirectionalPort id='" + name + "'><PortGroup id='" + name + ":in'/><PortGroup id='" +
         name + ":out'/></BidirectionalPort>" + relation("hasInboundPort", part("in", "out")) +
         relation("hasOutboundPort", part("out", "in"));
}

engine::Document read(std::string_view text, std::string_view owner = {}) {
  ReadResult read = read_text("nml", text, {}, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

TEST(NmlReader, MakesANodeOfTheSwitchingServiceOfATopology) {
  const auto document = read(topology(nsi_port("urn:p", "urn:q", "1780-1783")));
  ASSERT_EQ(document.nodes(document.topologies[0]).size(), 1U);
  EXPECT_EQ(node(document, 0).id(), "urn:t");
  EXPECT_EQ(node(document, 0).name(), "Net");
  EXPECT_EQ(document.losses.lost(), 0U) << document.losses.texts().front();
  EXPECT_EQ(document.losses.present(), 17U);
}

TEST(NmlReader, KeepsAPortAsHalfLink) {
  const auto document = read(topology(nsi_port("urn:p", "urn:q", "1780-1783")));
  const auto halves = engine::half_links_of(node(document, 0));
  ASSERT_EQ(halves.size(), 1U);
  EXPECT_EQ(property(node(document, 0), "half_link"),
            R"({"port":"urn:p","in":"urn:p:in","out":"urn:p:out","peer_in":"urn:q:out",)"
            R"("peer_out":"urn:q:in","label_type":"vlan","labels":"1780-1783"})");
}

TEST(NmlReader, ListsHalfLinksByTheirPortsWhateverTheOrderOfTheFile) {
  const std::string p = nsi_port("urn:p", "", "1");
  const std::string q = nsi_port("urn:q", "", "2");
  const auto one = read(topology(p + q));
  const auto other = read(topology(q + p));
  EXPECT_EQ(node(one, 0).property_count(), 2U);
  EXPECT_EQ(node(one, 0), node(other, 0));
}

TEST(NmlReader, KeepsAPortWithoutAPeer) {
  const auto document = read(topology(nsi_port("urn:p", "", "1")));
  EXPECT_EQ(
      property(node(document, 0), "half_link"),
      R"({"port":"urn:p","in":"urn:p:in","out":"urn:p:out","label_type":"vlan","labels":"1"})");
}

TEST(NmlReader, TellsLabelsOfBothDirectionsApartWhereTheyDiffer) {
  const auto document = read(topology(
      "<BidirectionalPort id='p'><PortGroup id='i'/><PortGroup id='o'/></BidirectionalPort>" +
      relation("hasInboundPort",
               "<PortGroup id='i'><LabelGroup labeltype='vlan'>1</LabelGroup></PortGroup>") +
      relation("hasOutboundPort",
               "<PortGroup id='o'><LabelGroup labeltype='vlan'>2</LabelGroup></PortGroup>")));
  const auto halves = engine::half_links_of(node(document, 0));
  ASSERT_EQ(halves.size(), 1U);
  EXPECT_EQ(halves[0].value("in.labels"), "1");
  EXPECT_EQ(halves[0].value("out.labels"), "2");
  EXPECT_EQ(halves[0].value("labels"), "");
}

TEST(NmlReader, DoesNotTakeThePlaceOfAnAgentForThatOfTheNetwork) {
  const auto document = read(
      "<nsi:NSA xmlns:nsi='http://schemas.ogf.org/nsi/2013/09/topology#' id='urn:nsa'"
      " xmlns:nml='http://schemas.ogf.org/nml/2013/05/base#'>"
      "<nml:Location id='l'><nml:lat>52.3</nml:lat><nml:long>4.9</nml:long></nml:Location>"
      "<nsi:Service id='s'><nsi:link>https://example.net</nsi:link></nsi:Service>" +
      topology(nsi_port("urn:p", "", "1")) + "</nsi:NSA>");
  EXPECT_FALSE(node(document, 0).coordinates());
  const engine::Attributes& network = *document.topologies[0].attributes;
  EXPECT_EQ(property(network, "nsa.location.lat"), "52.3");
  EXPECT_EQ(property(network, "nsa.service.link"), "https://example.net");
  EXPECT_EQ(property(network, "nsa.id"), "urn:nsa");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(NmlReader, LosesWhatIsAboutAPerson) {
  const auto document = read(
      "<nsi:NSA xmlns:nsi='http://schemas.ogf.org/nsi/2013/09/topology#' id='urn:nsa'"
      " xmlns:vc='urn:ietf:params:xml:ns:vcard-4.0'>"
      "<nsi:Relation type='http://schemas.ogf.org/nsi/2013/09/topology#adminContact'>\n"
      "<vc:fn><vc:text>Ada Example</vc:text></vc:fn></nsi:Relation>" +
      topology(nsi_port("urn:p", "", "1")) + "</nsi:NSA>");
  ASSERT_EQ(document.losses.lost(), 2U);
  EXPECT_EQ(document.losses.kept()[1].text(),
            "line 2, column 8: nsa.admincontact.fn.text: it is about a person");
}

// Two nodes whose ports two one-way links join.
std::string classic(std::string_view links) {
  const auto ports = [](std::string_view node, std::string_view out, std::string_view in) {
    const std::string n(node);
    return "<Node id='" + n + "'><name>" + n + "</name>" +
           relation("hasOutboundPort", "<Port id='" + n + "o'/>") +
           relation("hasInboundPort", "<Port id='" + n + "i'/>") + "</Node><Port id='" + n + "o'>" +
           relation("isSource", "<Link id='" + std::string(out) + "'/>") + "</Port><Port id='" + n +
           "i'>" + relation("isSink", "<Link id='" + std::string(in) + "'/>") + "</Port>";
  };
  return topology(ports("a", "ab", "ba") + ports("b", "ba", "ab") + std::string(links));
}

TEST(NmlReader, MakesOneLinkOfABidirectionalLink) {
  const auto document =
      read(classic("<BidirectionalLink id='l'><name>L</name><Link id='ab'/><Link "
                   "id='ba'/></BidirectionalLink>"));
  ASSERT_EQ(document.links(document.topologies[0]).size(), 1U);
  EXPECT_EQ(link(document, 0).id(), "l");
  EXPECT_EQ(link(document, 0).name(), "L");
  const auto halves = engine::half_links_of(link(document, 0));
  ASSERT_EQ(halves.size(), 2U) << "it remembers its ports";
  EXPECT_EQ(halves[0].value("node"), "a");
  EXPECT_EQ(halves[1].value("node"), "b");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(NmlReader, PairsOneWayLinksThroughPortsOfBothDirections) {
  const auto document =
      read(classic("<BidirectionalPort id='A'><Port id='ao'/><Port id='ai'/></BidirectionalPort>"
                   "<BidirectionalPort id='B'><Port id='bo'/><Port id='bi'/></BidirectionalPort>"));
  ASSERT_EQ(document.links(document.topologies[0]).size(), 1U);
  EXPECT_EQ(link(document, 0).id(), "ab");
  EXPECT_EQ(property(link(document, 0), "one_way_from"), "(none)");
}

TEST(NmlReader, KeepsOneWayLinksApartWhereNothingSaysThatTheyAreAPair) {
  const auto document = read(classic(""));
  ASSERT_EQ(document.links(document.topologies[0]).size(), 2U);
  EXPECT_EQ(property(link(document, 0), "one_way_from"), "a");
  EXPECT_EQ(property(link(document, 1), "one_way_from"), "b");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(NmlReader, LosesALinkWithoutTwoEndsAndSaysWhy) {
  const auto document = read(topology("<Node id='a'/>\n<Link id='l'><name>L</name></Link>"));
  ASSERT_EQ(document.losses.lost(), 2U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "line 2, column 1: link.id: it does not join ports of two nodes");
}

TEST(NmlReader, KeepsRelationsThatMakeNoMap) {
  const auto document =
      read(topology("<Node id='a'>" + relation("isAlias", "<Node id='urn:elsewhere'/>") +
                    "</Node>" + relation("providesLink", "<Port id='p'><name>n</name></Port>")));
  EXPECT_EQ(property(node(document, 1), "isalias.node.id"), "urn:elsewhere");
  EXPECT_EQ(document.losses.lost(), 0U) << "the topology has the port";
}

TEST(NmlReader, ReadsPlacesLifetimesAndVersions) {
  const auto document = read(topology(
      "<Node id='a' version='2024-01-02T03:04:05Z'><Location><long>10.75</long><lat>59.91</lat>"
      "<alt>3</alt><unlocode>NOOSL</unlocode></Location><Lifetime><start>2020-01-01T00:00:00Z"
      "</start></Lifetime></Node>"));
  EXPECT_EQ(node(document, 0).coordinates()->latitude.value, 59'910'000);
  EXPECT_EQ(node(document, 0).unlocode(), "NOOSL");
  EXPECT_TRUE(node(document, 0).start());
  EXPECT_TRUE(node(document, 0).version());
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(NmlReader, PutsNetworksBesideEachOtherIntoTheFirst) {
  const auto document =
      read("<nsi:NSA xmlns:nsi='http://schemas.ogf.org/nsi/2013/09/topology#'>" +
           topology(nsi_port("urn:p", "", "1")) +
           "<Topology xmlns='http://schemas.ogf.org/nml/2013/05/base#' id='urn:u'><name>U</name>" +
           nsi_port("urn:q", "", "1") + "</Topology></nsi:NSA>");
  ASSERT_EQ(document.topologies.size(), 2U);
  EXPECT_EQ(document.topologies[1].parent, 0U);
  EXPECT_EQ(document.nodes(document.topologies[1])[0].attributes->id(), "urn:u");
  EXPECT_EQ(document.notes.size(), 1U);
}

TEST(NmlReader, ReadsOlderDrafts) {
  const auto document = read(
      "<nml:Topology xmlns:nml='http://schemas.ogf.org/nml/2012/10/base#' id='urn:old'>"
      "<nml:Relation type='http://schemas.ogf.org/nml/2012/10/relation#hasNode'>"
      "<nml:Node id='n'><nml:name>N</nml:name></nml:Node></nml:Relation></nml:Topology>");
  EXPECT_EQ(node(document, 0).name(), "N");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(NmlReader, RefusesWhatHasNoTopology) {
  const auto refused = [](std::string_view text) {
    return read_text("nml", text).error().first[0];
  };
  EXPECT_EQ(
      refused("<nsa:nsa xmlns:nsa='http://schemas.ogf.org/nsi/2014/02/discovery/nsa' id='x'/>")
          .code,
      "missing-element");
  EXPECT_EQ(refused("<Topology/>").code, "wrong-root");
  EXPECT_EQ(refused("<!DOCTYPE Topology><Topology/>").code, "dtd-forbidden");
  const auto error = refused("<?xml version='1.0'?>\n<<<<<<< HEAD\n");
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.column, 2U);
}

TEST(NmlReader, IsFoundByContentsAndNeverTakesANetmlFile) {
  const std::string nml = topology("");
  EXPECT_EQ((*detect_format("file.xml", nml))->name, "nml");
  constexpr std::string_view kNetml =
      "<grenml:Topology xmlns:grenml='http://schemas.ogf.org/nml/2020/01/grenml' "
      "xmlns:nml='http://schemas.ogf.org/nml/2013/05/base#'/>";
  EXPECT_EQ((*detect_format("file.xml", kNetml))->name, "netml");
}

}  // namespace
}  // namespace netml::codecs

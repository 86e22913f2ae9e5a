#include "bench/generator/src/element_text.hpp"

#include <array>
#include <charconv>
#include <span>

#include "bench/generator/src/cities.hpp"

namespace netml::generator {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> kNodeTags = {"core", "edge", "exchange", "campus", "pop"};
constexpr std::array<std::string_view, 4> kNodeTypes = {"router", "switch", "roadm", "amplifier"};
constexpr std::array<std::string_view, 4> kLinkTags = {"backbone", "access", "international",
                                                       "spare"};
constexpr std::array<std::string_view, 3> kLinkTypes = {"dark fibre", "wavelength", "circuit"};
constexpr std::array<std::string_view, 4> kInstitutionTags = {"nren", "sren",
                                                              "connected institution", "other"};
constexpr std::array<std::string_view, 6> kThroughputs = {"1", "10", "40", "100", "400", "800"};

// A part of a draw: `shift` bits down, so that one draw serves several choices.
std::uint64_t part(std::uint64_t draw, int shift, std::uint64_t count) {
  return (draw >> shift) % count;
}

std::string_view pick(Words words, std::uint64_t draw, int shift) {
  return words[part(draw, shift, words.size())];
}

const City& city_of(std::uint64_t draw) {
  return kCities[draw % kCities.size()];
}

}  // namespace

void ElementText::topology_start(std::uint32_t topology, Element owner_institution) {
  text("<grenml:Topology id=\"");
  topology_id(topology);
  text("\" version=\"2025-01-01T00:00:00+00:00\"");
  if (topology == 0) {
    text(
        " xmlns:grenml=\"http://schemas.ogf.org/nml/2020/01/grenml\""
        " xmlns:nml=\"http://schemas.ogf.org/nml/2013/05/base#\""
        " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
        " xsi:schemaLocation=\"http://schemas.ogf.org/nml/2020/01/grenml validation/grenml.xsd"
        " http://schemas.ogf.org/nml/2013/05/base# validation/nmlbase.xsd\"");
  }
  text("><grenml:name>Network ");
  number(topology, 1);
  text("</grenml:name>");
  owner(owner_institution);
  property("description", "Generated for tests");
  text("\n");
}

void ElementText::topology_end() {
  text("</grenml:Topology>\n");
}

void ElementText::global_institution() {
  text("<grenml:Institution id=\"urn:ogf:networking:global\"><grenml:name>GREN</grenml:name>");
  property("tag", "global");
  text("</grenml:Institution>\n");
}

void ElementText::institution(Element institution, Listing listing) {
  const std::uint64_t draw = layout_.draw(Draw::institution, institution);
  const City& city = city_of(draw);
  text("<grenml:Institution id=\"");
  element_id(institution.home, "inst", institution.index);
  version(draw, false);
  text("\"><grenml:name>");
  text(city.name);
  text(" Research &amp; Education ");
  number(std::uint64_t{institution.home} * options_.institutions + institution.index, 1);
  text("</grenml:name>");
  location(draw);
  property("tag", pick(kInstitutionTags, draw, 40));
  if (listing == Listing::copy) copy_mark(institution.home);
  text("</grenml:Institution>\n");
}

void ElementText::node(Element node, Listing listing) {
  const std::uint64_t draw = layout_.draw(Draw::node, node);
  const bool changed = layout_.node_changed(node);
  text("<grenml:Node id=\"");
  element_id(layout_.node_id_home(node), "node", node.index);
  version(draw, changed);
  text("\"><grenml:name>");
  text(city_of(draw).name);
  name_suffix(node.index, changed);
  owner(layout_.owner(node));
  lifetime(draw);
  location(draw);
  properties(draw, node.index, kNodeTags, kNodeTypes);
  if (listing == Listing::copy) copy_mark(node.home);
  text("</grenml:Node>\n");
}

void ElementText::link(Element link) {
  const std::uint64_t draw = layout_.draw(Draw::link, link);
  const bool changed = layout_.link_changed(link);
  const Ends ends = layout_.ends(link);
  text("<grenml:Link id=\"");
  element_id(layout_.link_id_home(link), "link", link.index);
  version(draw, changed);
  text("\"><grenml:name>");
  text(city_of(layout_.draw(Draw::node, ends.first)).name);
  text(" - ");
  text(city_of(layout_.draw(Draw::node, ends.second)).name);
  name_suffix(link.index, changed);
  owner(layout_.owner(link));
  lifetime(draw);
  property("throughput", pick(kThroughputs, draw, 44));
  properties(draw, link.index, kLinkTags, kLinkTypes);
  for (const Element end : {ends.first, ends.second}) {
    text("<grenml:node>");
    element_id(layout_.node_id_home(end), "node", end.index);
    text("</grenml:node>");
  }
  text("</grenml:Link>\n");
}

void ElementText::number(std::uint64_t value, int digits_min) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  const auto length = end - digits.data();
  if (length < digits_min) out_.append(static_cast<std::size_t>(digits_min - length), '0');
  out_.append(digits.data(), end);
}

void ElementText::degrees(std::int64_t micro_degrees) {
  constexpr std::int64_t kOne = 1'000'000;
  if (micro_degrees < 0) text("-");
  const auto size = static_cast<std::uint64_t>(micro_degrees < 0 ? -micro_degrees : micro_degrees);
  number(size / kOne, 1);
  text(".");
  number(size % kOne, 6);
}

void ElementText::topology_id(std::uint32_t topology) {
  text("urn:example:net");
  number(topology, 4);
}

void ElementText::element_id(std::uint32_t home, std::string_view kind, std::uint32_t index) {
  topology_id(home);
  text(":");
  text(kind);
  text(":");
  number(index, 6);
}

void ElementText::owner(Element institution) {
  text("<grenml:owner>");
  element_id(institution.home, "inst", institution.index);
  text("</grenml:owner>");
}

// Closes the id and leaves the version open for the caller to close.
void ElementText::version(std::uint64_t draw, bool changed) {
  const std::uint64_t minute = changed ? options_.revision.number : part(draw, 20, 60);
  text("\" version=\"");
  number(changed ? 2026 : 2020 + part(draw, 8, 5), 4);
  text("-");
  number(1 + part(draw, 12, 12), 2);
  text("-");
  number(1 + part(draw, 16, 28), 2);
  text("T");
  number(minute / 60 % 24, 2);
  text(":");
  number(minute % 60, 2);
  text(":00+00:00");
}

void ElementText::name_suffix(std::uint32_t index, bool changed) {
  text(" ");
  number(index, 1);
  if (changed) {
    text(" rev ");
    number(options_.revision.number, 1);
  }
  text("</grenml:name>");
}

// One element in four has a start, one in eight also an end.
void ElementText::lifetime(std::uint64_t draw) {
  if (part(draw, 24, 4) != 0) return;
  text("<grenml:Lifetime><nml:start>");
  number(2005 + part(draw, 28, 15), 4);
  text("-07-01T00:00:00+00:00</nml:start>");
  if (part(draw, 26, 2) == 0) {
    text("<nml:end>");
    number(2030 + part(draw, 28, 10), 4);
    text("-06-30T23:59:59+00:00</nml:end>");
  }
  text("</grenml:Lifetime>");
}

// Up to 0.35 degrees around the city.
void ElementText::location(std::uint64_t draw) {
  constexpr std::int64_t kHundredth = 10'000;  // in millionths of a degree
  constexpr std::uint64_t kSpread = 700'000;
  const City& city = city_of(draw);
  const auto offset = [draw](int shift) {
    return static_cast<std::int64_t>(part(draw, shift, kSpread)) - std::int64_t{kSpread / 2};
  };
  text("<grenml:Location><grenml:long>");
  degrees(city.longitude * kHundredth + offset(10));
  text("</grenml:long><grenml:lat>");
  degrees(city.latitude * kHundredth + offset(30));
  text("</grenml:lat>");
  if (part(draw, 36, 2) == 0) {
    text("<grenml:alt>");
    number(part(draw, 37, 900), 1);
    text("</grenml:alt>");
  }
  text("<grenml:unlocode>");
  text(city.unlocode);
  text("</grenml:unlocode></grenml:Location>");
}

void ElementText::property(std::string_view name, std::string_view value) {
  text("<grenml:Property name=\"");
  text(name);
  text("\">");
  text(value);
  text("</grenml:Property>");
}

// The first two are a tag and a type; further ones have names and values of their own.
void ElementText::properties(std::uint64_t draw, std::uint32_t index, Words tags, Words types) {
  if (options_.properties >= 1) property("tag", pick(tags, draw, 48));
  if (options_.properties >= 2) property("type", pick(types, draw, 52));
  for (std::uint32_t i = 2; i < options_.properties; ++i) {
    text("<grenml:Property name=\"attribute-");
    number(i, 1);
    text("\">value ");
    number(part(draw, static_cast<int>(i % 32), 1'000'000) + index, 1);
    text("</grenml:Property>");
  }
}

void ElementText::copy_mark(std::uint32_t home) {
  text("<grenml:Property name=\"!-from_topology\">");
  topology_id(home);
  text("</grenml:Property>");
}

}  // namespace netml::generator

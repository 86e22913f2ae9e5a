#include "tests/support/netml_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace netml::test {

namespace {

constexpr std::string_view kPrologue = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr std::string_view kNamespaces =
    " xmlns:grenml=\"http://schemas.ogf.org/nml/2020/01/grenml\""
    " xmlns:nml=\"http://schemas.ogf.org/nml/2013/05/base#\"";

std::string tag(std::string_view name, std::string_view text) {
  return fmt::format("<grenml:{0}>{1}</grenml:{0}>", name, escaped(text));
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("<grenml:Property name=\"{}\">{}</grenml:Property>", escaped(name),
                     escaped(value));
}

std::string version_attribute(std::string_view version) {
  return version.empty() ? "" : fmt::format(" version=\"{}\"", version);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// ---- elements ----

ElementText& ElementText::named(std::string_view name) {
  name_ = name;
  return *this;
}

ElementText& ElementText::short_named(std::string_view short_name) {
  short_name_ = tag("short-name", short_name);
  return *this;
}

ElementText& ElementText::version(std::string_view version) {
  version_ = version_attribute(version);
  return *this;
}

ElementText& ElementText::owned_by(std::string_view institution) {
  owners_ += tag("owner", institution);
  return *this;
}

ElementText& ElementText::with(std::string_view property_name, std::string_view value) {
  properties_ += property(property_name, value);
  return *this;
}

ElementText& ElementText::copy_of(std::string_view topologies) {
  return with("!-from_topology", topologies);
}

ElementText& ElementText::location(std::string_view xml) {
  location_ = fmt::format("<grenml:Location>{}</grenml:Location>", xml);
  return *this;
}

ElementText& ElementText::lifetime(std::string_view xml) {
  lifetime_ = fmt::format("<grenml:Lifetime>{}</grenml:Lifetime>", xml);
  return *this;
}

ElementText& ElementText::ends(std::string_view a, std::string_view b) {
  ends_ = tag("node", a) + tag("node", b);
  return *this;
}

std::string ElementText::xml() const {
  return fmt::format("<grenml:{0} id=\"{1}\"{2}>{3}{4}{5}{6}{7}{8}{9}</grenml:{0}>",
                     kind_name(kind_), escaped(id_), version_, tag("name", name_), short_name_,
                     owners_, lifetime_, location_, properties_, ends_);
}

ElementText institution(std::string_view id) {
  return {Kind::institution, id};
}

ElementText node(std::string_view id) {
  ElementText text(Kind::node, id);
  text.location("<grenml:long>-63.57</grenml:long><grenml:lat>44.65</grenml:lat>");
  return text;
}

ElementText link(std::string_view id, std::string_view a, std::string_view b) {
  ElementText text(Kind::link, id);
  text.ends(a, b);
  return text;
}

// ---- topologies ----

TopologyText& TopologyText::named(std::string_view name) {
  name_ = name;
  return *this;
}

TopologyText& TopologyText::version(std::string_view version) {
  version_ = version_attribute(version);
  return *this;
}

TopologyText& TopologyText::with(std::string_view property_name, std::string_view value) {
  properties_ += property(property_name, value);
  return *this;
}

TopologyText& TopologyText::add(const ElementText& element) {
  switch (element.kind()) {
    case Kind::institution:
      institutions_ += element.xml();
      break;
    case Kind::link:
      links_ += element.xml();
      break;
    case Kind::node:
      nodes_ += element.xml();
      break;
    case Kind::topology:
      break;
  }
  return *this;
}

TopologyText& TopologyText::add(const TopologyText& child) {
  children_ += child.element("");
  return *this;
}

TopologyText::operator std::string() const {
  return std::string(kPrologue) + element(kNamespaces);
}

std::string TopologyText::element(std::string_view namespaces) const {
  return fmt::format("<grenml:Topology id=\"{}\"{}{}>{}{}{}{}{}{}{}</grenml:Topology>",
                     escaped(id_), version_, namespaces, tag("name", name_), tag("owner", owner_),
                     properties_, institutions_, links_, nodes_, children_);
}

// Not built from the inside out, which would copy the text of each topology once for each level.
TopologyText owned(std::string_view id) {
  return topology(id, "o", institution("o"));
}

std::string small_map(std::string_view id) {
  return owned(id).add(node("n"));
}

std::string map_with(int nodes) {
  TopologyText map = topology("P", "p", institution("p"));
  for (int i = 0; i < nodes; ++i) map.add(node("n" + std::to_string(i)));
  return map;
}

std::string chain_of_topologies(std::size_t depth) {
  std::string text(kPrologue);
  for (std::size_t i = 0; i < depth; ++i)
    text += fmt::format(
        "<grenml:Topology id=\"t{0}\"{1}><grenml:name>t{0}</grenml:name>"
        "<grenml:owner>o</grenml:owner>{2}{3}",
        i, i == 0 ? kNamespaces : "", institution("o").xml(), node(fmt::format("n{}", i)).xml());
  for (std::size_t i = 0; i < depth; ++i) text += "</grenml:Topology>";
  return text;
}

}  // namespace netml::test

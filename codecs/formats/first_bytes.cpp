#include "codecs/formats/first_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "codecs/document/xml_text.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

using std::string_view_literals::operator""sv;

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kXmlBlanks), text.size()));
  return text;
}

// Without the mark of UTF-8 and blanks.
std::string_view beginning(std::string_view start) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
  return without_blanks(start);
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// ---- XML ----

// The name of the first element, without its prefix; empty where the text does not begin as XML.
std::string_view root_element(std::string_view start) {
  for (start = beginning(start);; start = without_blanks(start)) {
    if (!start.starts_with('<')) return {};
    const bool comment = start.starts_with("<!--");
    if (!comment && !start.starts_with("<?") && !start.starts_with("<!")) break;
    const std::string_view close = comment ? "-->" : ">";
    const std::size_t end = start.find(close);
    if (end == std::string_view::npos) return {};
    start.remove_prefix(end + close.size());
  }
  start = start.substr(1, start.find_first_of(" \t\r\n/>", 1) - 1);
  return start.substr(start.find(':') + 1);
}

// ---- JSON ----

bool is_json_object(std::string_view start) {
  return beginning(start).starts_with('{');
}

// The name of the first member of an object; empty where the text does not begin as one.
std::string_view first_member(std::string_view start) {
  for (const char expected : {'{', '"'}) {
    start = beginning(start);
    if (!start.starts_with(expected)) return {};
    start.remove_prefix(1);
  }
  return start.substr(0, start.find('"'));
}

// Whether a member has that name, and a value that begins so.
bool has_member(std::string_view start, std::string_view name, std::string_view value) {
  const std::string quoted = fmt::format("\"{}\"", name);
  for (std::size_t at = 0; (at = start.find(quoted, at)) != std::string_view::npos;) {
    at += quoted.size();
    std::string_view rest = without_blanks(start.substr(at));
    if (!rest.starts_with(':')) continue;
    rest = without_blanks(rest.substr(1));
    if (rest.starts_with(value)) return true;
  }
  return false;
}

// ---- archives ----

bool is_archive(std::string_view start) {
  return start.starts_with("PK\3\4"sv);
}

// The name of the first file in an archive, in lower case; empty where it is cut off.
std::string first_in_archive(std::string_view start) {
  constexpr std::size_t kSizeAt = 26;
  constexpr std::size_t kNameAt = 30;
  if (!is_archive(start) || start.size() < kNameAt) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  const std::size_t size = byte(kSizeAt) + 256U * byte(kSizeAt + 1);
  return start.size() < kNameAt + size ? std::string() : lower_ascii(start.substr(kNameAt, size));
}

}  // namespace

bool begins_as_netml(std::string_view start) {
  return root_element(start) == "Topology" && contains(start, kNetmlNamespace);
}

bool begins_as_graphml(std::string_view start) {
  return root_element(start) == "graphml";
}

bool begins_as_kml(std::string_view start) {
  return root_element(start) == "kml";
}

// NML, or an NSI agent that tells of its network in NML; a NetML file names that namespace, too.
bool begins_as_nml(std::string_view start) {
  constexpr std::array kRoots{"Topology"sv, "NSA"sv, "nsa"sv};
  const bool known = std::ranges::find(kRoots, root_element(start)) != kRoots.end();
  return known && !contains(start, kNetmlNamespace) &&
         (contains(start, "http://schemas.ogf.org/nml/") ||
          contains(start, "http://schemas.ogf.org/nsi/"));
}

// Most archives tell by their first file what they are; of the others their names do.
bool begins_as_workbook(std::string_view start) {
  return is_archive(start) && !first_in_archive(start).ends_with(".kml");
}

bool begins_as_kmz(std::string_view start) {
  constexpr std::array kOfWorkbooks{"[content_types]"sv, "_rels/"sv, "xl/"sv, "docprops/"sv};
  const std::string first = first_in_archive(start);
  return !first.empty() && std::ranges::none_of(kOfWorkbooks, [&](std::string_view part) {
    return first.starts_with(part);
  });
}

bool begins_as_geojson(std::string_view start) {
  return is_json_object(start) && (has_member(start, "type", "\"FeatureCollection\"") ||
                                   has_member(start, "type", "\"Feature\""));
}

bool begins_as_ofds(std::string_view start) {
  return is_json_object(start) && has_member(start, "networks", "[") && !begins_as_geojson(start);
}

bool begins_as_ietf(std::string_view start) {
  return is_json_object(start) && contains(start, "\"ietf-network:networks\"");
}

bool begins_as_gnpy(std::string_view start) {
  return is_json_object(start) && contains(start, "\"elements\"") && contains(start, "\"uid\"");
}

// A map, or a dashboard of Grafana that holds such maps as texts.
bool begins_as_esnet(std::string_view start) {
  const std::string_view first = first_member(start);
  if (first.empty()) return false;
  if (contains(start, "\"mapjson") || contains(start, "\"-- Grafana --\"")) return true;
  const bool is_edges = first == "edges";
  if (!is_edges && first != "nodes" && first != "meta") return false;
  return contains(start, "\"latLng") || contains(start, "\"coordinate\"") ||
         contains(start, "\"endpoint_identifiers\"") ||
         contains(start, "\"meta\":{\"identifier\"") ||
         (is_edges && (contains(start, "\"coordinates\"") || contains(start, "\"nodes\"")));
}

// Its identifiers begin so, and later models say which they are; a map of the panel may say so of
// its nodes.
bool begins_as_sdx(std::string_view start) {
  return is_json_object(start) && !begins_as_esnet(start) &&
         (contains(start, "\"urn:sdx:") || contains(start, "\"model_version\""));
}

// All in one, or adjacencies or positions alone.
bool begins_as_oscars(std::string_view start) {
  const auto has = [&](std::string_view text) { return contains(start, text); };
  if (has("\"adjcies\"") || has("\"reservableVlans\"") || has("\"reservableIngressBw\""))
    return true;
  if (beginning(start).starts_with('[')) return has("\"a\"") && has("\"z\"") && has("\"device\"");
  return has("\"positions\"") && has("\"x\"") && has("\"y\"");
}

// A list whose first value is an object that begins with its model: [{"model": "dcim.site"
bool begins_as_netbox(std::string_view start) {
  for (const std::string_view next : {"[", "{", "\"model\"", ":", "\""}) {
    start = beginning(start);
    if (!start.starts_with(next)) return false;
    start.remove_prefix(next.size());
  }
  return true;
}

}  // namespace netml::codecs

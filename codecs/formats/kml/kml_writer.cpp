#include "codecs/formats/kml/kml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/xml_text.hpp"
#include "codecs/document/zip_writer.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/long_property.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/kml/kml_fields.hpp"
#include "codecs/formats/kml/kml_markup.hpp"
#include "codecs/formats/kml/kml_places.hpp"

namespace netml::codecs {

namespace {

using engine::Attributes;
using engine::Coordinates;
using engine::Graph;

constexpr std::string_view kCourse = "coordinates";

// What values are called in ExtendedData.
constexpr FieldNames kNames{kKmlNodeFields, {"node."}};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    sort_members();
    out_.add("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<kml xmlns=\"");
    out_.add(kKmlNamespace);
    out_.add("\">\n");
    topologies();
    out_.add("</kml>\n");
    return out_.take();
  }

 private:
  enum class Sort : std::uint8_t { institution, node, link };
  // An element, in the order in which folders have them.
  struct Member {
    std::uint32_t topology = 0;
    std::uint32_t owner = 0;  // by the order of their identifiers, from 1; 0: none
    Sort sort = Sort::node;
    std::uint32_t element = 0;
    auto operator<=>(const Member&) const = default;
  };

  // ---- who stands where ----

  void sort_members() {
    const auto add = [&](const auto& elements, Sort sort) {
      for (std::uint32_t i = 0; i < elements.size(); ++i) {
        const auto listed = outline_.topologies_of(elements[i]);
        const std::uint32_t topology = elements[i].copy ? 0 : listed.front();
        const RecordId owner =
            sort == Sort::institution ? RecordId{} : owner_of(elements[i].record, topology);
        if (owner && number_of_owner_.try_emplace(owner.value, 0).second) owners_.push_back(owner);
        members_.push_back({topology, owner.value, sort, i});
      }
    };
    add(outline_.institutions, Sort::institution);
    add(outline_.nodes, Sort::node);
    add(outline_.links, Sort::link);
    number_owners();
    std::ranges::sort(members_);
  }

  // Each belongs to the owner of its topology, too: others come first.
  RecordId owner_of(RecordId element, std::uint32_t topology) const {
    const RecordId primary = graph_.relations(outline_.topologies[topology]).owner();
    for (const RecordId owner : graph_.relations(element).owners())
      if (owner != primary) return owner;
    return graph_.relations(element).owner();
  }

  void number_owners() {
    std::ranges::sort(owners_, {}, [&](RecordId owner) {
      return std::pair(graph_.attributes(owner).id(), owner.value);
    });
    for (std::uint32_t i = 0; i < owners_.size(); ++i) number_of_owner_[owners_[i].value] = i + 1;
    for (Member& member : members_)
      if (member.owner != 0) member.owner = number_of_owner_.at(member.owner);
  }

  // ---- values ----

  // What of an element stands elsewhere than in its ExtendedData.
  struct Elsewhere {
    bool placemark = false;  // lifetime and address
    bool place = false;
    bool topology = false;
    bool course = false;
  };

  auto put_value(const Elsewhere& elsewhere) {
    return [this, elsewhere](Target target, std::string_view name, std::string_view value) {
      losses_.carry();
      switch (target) {
        case Target::property:
          if (!elsewhere.course || name != kCourse) out_.property(name, value);
          return;
        case Target::name:
          if (!is_plain(value)) out_.data(kNames[target], value);
          return;
        case Target::address:
          if (!elsewhere.placemark || !is_plain(value)) out_.data(kNames[target], value);
          return;
        case Target::start:
        case Target::end:
          if (!elsewhere.placemark) out_.data(kNames[target], value);
          return;
        case Target::latitude:
        case Target::longitude:
        case Target::altitude:
          if (!elsewhere.place) out_.data(kNames[target], value);
          return;
        case Target::topology:
          if (!elsewhere.topology) out_.data(kNames[target], value);
          return;
        case Target::parent:
          return;
        default:
          return out_.data(kNames[target], value);
      }
    };
  }

  // ---- folders ----

  // In pre-order: a folder is closed where the next topology is not below it.
  void topologies() {
    std::vector<RecordId> open;
    Members::const_iterator next = members_.begin();
    for (std::uint32_t i = 0; i < outline_.topologies.size(); ++i) {
      const RecordId topology = outline_.topologies[i];
      for (; !open.empty() && open.back() != graph_.relations(topology).parent(); open.pop_back())
        out_.add("</Folder>\n");
      open.push_back(topology);
      begin_topology(topology, i == 0);
      next = members_of(i, next);
    }
    for (; open.size() > 1; open.pop_back()) out_.add("</Folder>\n");
    out_.add("</Document>\n");
  }

  void begin_topology(RecordId topology, bool root) {
    const Attributes& attributes = graph_.attributes(topology);
    out_.add(root ? std::string_view("<Document>") : std::string_view("<Folder>"));
    out_.text_element("name", attributes.name());
    if (root) out_.styles();
    out_.add("<ExtendedData>");
    for_each_field(graph_, outline_, topology, instants_, put_value({}));
    out_.add("</ExtendedData>\n");
  }

  using Members = std::vector<Member>;
  Members::const_iterator members_of(std::uint32_t topology, Members::const_iterator next) {
    while (next != members_.end() && next->topology == topology) {
      const Member& first = *next;
      const bool institutions = first.sort == Sort::institution;
      const bool grouped = institutions || first.owner != 0;
      if (institutions)
        begin_group("Institutions");
      else if (grouped)
        begin_group(graph_.attributes(owners_[first.owner - 1]).name());
      const auto is_here = [&](const Member& member) {
        return member.topology == topology && member.owner == first.owner &&
               (member.sort == Sort::institution) == institutions;
      };
      for (; next != members_.end() && is_here(*next); ++next) placemark(*next);
      if (grouped) out_.add("</Folder>\n");
    }
    return next;
  }

  void begin_group(std::string_view name) {
    out_.add("<Folder>");
    out_.text_element("name", name);
    out_.add("<ExtendedData>");
    out_.data("kind", kGroupKind);
    out_.add("</ExtendedData>\n");
  }

  // ---- placemarks ----

  void placemark(const Member& member) {
    switch (member.sort) {
      case Sort::institution:
        return place(outline_.institutions[member.element], 'i', member.element);
      case Sort::node:
        return place(outline_.nodes[member.element], 'n', member.element);
      case Sort::link:
        return link(outline_.links[member.element], member.element);
    }
  }

  void begin_placemark(char kind, std::uint32_t number, const engine::AttributeFields& fields) {
    out_.add(fmt::format("<Placemark id=\"{}{}\">", kind, number));
    out_.text_element("name", fields.name);
    out_.text_element("address", fields.address);
    if (!fields.start && !fields.end) return;
    out_.add("<TimeSpan>");
    out_.time("begin", fields.start);
    out_.time("end", fields.end);
    out_.add("</TimeSpan>");
  }

  void place(const OutlinedElement& element, char kind, std::uint32_t number) {
    const Attributes& attributes = graph_.attributes(element.record);
    const engine::AttributeFields fields = attributes.fields();
    begin_placemark(kind, number, fields);
    out_.style_url("node", kNodeColours, attributes);
    out_.add("<ExtendedData>");
    if (kind == 'i') out_.data("kind", kInstitutionKind);
    const bool placed = fields.coordinates.has_value();
    for_each_field(graph_, outline_, element, instants_,
                   put_value({.placemark = true,
                              .place = placed,
                              .topology = outline_.topologies_of(element).size() == 1}));
    out_.add("</ExtendedData>");
    if (placed) out_.point(*fields.coordinates, fields.altitude);
    out_.add("</Placemark>\n");
  }

  void link(const OutlinedLink& link, std::uint32_t number) {
    const Attributes& attributes = graph_.attributes(link.record);
    begin_placemark('l', number, attributes.fields());
    out_.style_url("link", kLinkColours, attributes);
    out_.add("<ExtendedData>");
    out_.data("source", fmt::format("n{}", link.ends[0]));
    out_.data("target", fmt::format("n{}", link.ends[1]));
    losses_.carry(2);
    const auto from = place_of(link.ends[0]);
    const auto to = place_of(link.ends[1]);
    const std::string course = from && to ? course_of(attributes, *from, *to) : std::string();
    for_each_field(graph_, outline_, link, instants_,
                   put_value({.placemark = true,
                              .topology = outline_.topologies_of(link).size() == 1,
                              .course = !course.empty()}));
    out_.add("</ExtendedData>");
    if (!course.empty())
      out_.course(course);
    else if (from && to)
      out_.line(*from, *to);
    out_.add("</Placemark>\n");
  }

  std::optional<Coordinates> place_of(std::uint32_t node) const {
    return graph_.attributes(outline_.nodes[node].record).fields().coordinates;
  }

  // The way points that a file gave, where they still lead from one end to the other and are read
  // as the same properties again: as the last ones, cut at the same characters.
  std::string course_of(const Attributes& attributes, const Coordinates& from,
                        const Coordinates& to) {
    constexpr std::size_t kWayPoint = 3;  // beside the ends
    const auto course = long_property(attributes, kCourse);
    if (!course || !course->is_last || !is_plain(course->text) ||
        !parse_places(course->text, places_) || places_.size() < kWayPoint)
      return {};
    const auto is_at = [](const KmlPlace& place, const Coordinates& end) {
      return round_to_micro(place.longitude) == end.longitude &&
             round_to_micro(place.latitude) == end.latitude;
    };
    const KmlPlace& first = places_.front();
    const KmlPlace& last = places_.back();
    const bool leads =
        (is_at(first, from) && is_at(last, to)) || (is_at(first, to) && is_at(last, from));
    return leads ? course->text : std::string();
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  KmlMarkup out_;
  InstantText instants_;
  Members members_;
  std::vector<RecordId> owners_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> number_of_owner_;
  std::vector<KmlPlace> places_;
};

}  // namespace

Result<WrittenMap> write_kml(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

Result<WrittenMap> write_kmz(const Graph& graph, RecordId topology) {
  NETML_TRY(WrittenMap file, write_kml(graph, topology));
  ZipWriter archive;
  archive.begin("doc.kml");
  archive.write(file.bytes);
  file.bytes = std::move(archive).finish();
  return file;
}

}  // namespace netml::codecs

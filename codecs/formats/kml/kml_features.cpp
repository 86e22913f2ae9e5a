#include "codecs/formats/kml/kml_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "codecs/formats/kml/kml_fields.hpp"

namespace netml::codecs {

namespace {

constexpr std::array<std::string_view, KmlFeatures::kOwnerCount> kOwnerNames{
    "document", "folder", "group", "institution", "node", "link"};

constexpr FoundRule kReference{.target = Target::reference};
constexpr FoundRule kName{.target = Target::name};
constexpr FoundRule kKey{.target = Target::key};
constexpr FoundRule kParent{.target = Target::parent};
constexpr FoundRule kTopology{.target = Target::topology};

constexpr std::string_view kSeveral = "several geometries are neither a node nor a link";

}  // namespace

KmlFeatures::KmlFeatures()
    : rules_(kKmlFields),
      name_(field("/name")),
      id_(field("@id")),
      kind_(field(".kind")),
      topology_(field(".topology")),
      source_(field(".source")),
      target_(field(".target")) {}

KmlFeatures::Field& KmlFeatures::field(std::string_view name) {
  text_ = name;
  const auto [found, added] = fields_.try_emplace(text_);
  if (added) found->second.name = found->first;
  return found->second;
}

const FoundRule& KmlFeatures::rule(Owner owner, Field& field) {
  const auto number = static_cast<std::size_t>(owner);
  const FoundRule*& rule = field.rules[number];
  if (rule != nullptr) return *rule;
  const std::string owned = fmt::format("{}{}", kOwnerNames[number], field.name.front());
  const std::string_view name = field.name.substr(1);
  // What the file itself calls a value is its name, whatever signs that has.
  const bool is_value = field.name.front() == '.' && !name.starts_with(kPropertyPrefix);
  rule = is_value ? &rules_.find(owned, name, name) : &rules_.find(owned, name);
  return *rule;
}

std::string_view KmlFeatures::text_of(const Value& value) const {
  return std::string_view(pending_.text).substr(value.begin, value.size);
}

const KmlFeatures::Value* KmlFeatures::find(const Field& field) const {
  const auto found = std::ranges::find(pending_.values, &field, &Value::field);
  return found == pending_.values.end() ? nullptr : &*found;
}

// What begins so is no text of a file.
std::string_view KmlFeatures::reference(std::size_t number) {
  text_ = fmt::format("{}{}", kReferenceMark, number);
  return text_;
}

// ---- what a feature says ----

void KmlFeatures::clear_pending(TextPosition at) {
  pending_.at = at;
  pending_.text.clear();
  pending_.values.clear();
  pending_.points.clear();
  pending_.lines.clear();
  pending_.altitude_modes.clear();
  pending_.lost_because = {};
}

KmlFeatures::Value KmlFeatures::keep(Field* field, std::string_view text, TextPosition at) {
  const Value value{field, pending_.text.size(), text.size(), at};
  pending_.text += text;
  return value;
}

void KmlFeatures::add_value(Field& field, std::string_view text, TextPosition at) {
  pending_.values.push_back(keep(&field, text, at));
}

void KmlFeatures::add_point(std::string_view text, TextPosition at) {
  pending_.points.push_back(keep(nullptr, text, at));
}

void KmlFeatures::add_line(std::string_view text, TextPosition at) {
  pending_.lines.push_back(keep(nullptr, text, at));
}

void KmlFeatures::set_altitude_mode(std::string_view text, TextPosition at) {
  pending_.altitude_modes.push_back(keep(nullptr, text, at));
}

// ---- folders ----

void KmlFeatures::open_network(TextPosition at) {
  draft_.open(Kind::topology, at);
  clear_pending(at);
}

void KmlFeatures::open_folder(TextPosition at) {
  set_folder_values();
  clear_pending(at);
  Folder& folder = folders_.emplace_back();
  if (folders_.size() > 1) {
    folder.topology = folders_[folders_.size() - 2].topology;
    folder.name = folders_[folders_.size() - 2].name;
  }
  folder.opened = !std::exchange(has_network_, true);
}

void KmlFeatures::close_folder() {
  set_folder_values();
  const Folder& folder = folders_.back();
  if (folder.topology != 0 && !folder.group) {
    if (!folder.named) draft_.add(kName, "folder");
    draft_.close();
  }
  folders_.pop_back();
}

// A folder is a topology of its name inside the one around it, unless it only groups elements.
void KmlFeatures::open_topology(Folder& folder) {
  const Value* const kind = find(kind_);
  folder.group = kind != nullptr && text_of(*kind) == kGroupKind;
  if (folder.group) return;
  const std::uint32_t parent = folder.topology;
  folder.topology = static_cast<std::uint32_t>(draft_.elements(Kind::topology).size());
  draft_.open(Kind::topology, pending_.at);
  draft_.add(kReference, reference(folder.topology));
  if (parent != 0) draft_.add(kParent, reference(parent));
  // Tells folders of one name apart.
  if (!folder.name.empty()) draft_.add(kKey, folder.name);
  if (const Value* const name = find(name_); name != nullptr) {
    const std::string_view text = text_of(*name);
    folder.name =
        draft_.keep(text.substr(0, engine::prefix_size(text, engine::kNameCharactersMax)));
  }
}

void KmlFeatures::set_folder_values() {
  Owner owner = Owner::document;
  if (!folders_.empty()) {
    Folder& folder = folders_.back();
    if (!std::exchange(folder.opened, true)) open_topology(folder);
    if (folder.group)
      owner = Owner::group;
    else if (folder.topology != 0)
      owner = Owner::folder;
  }
  const bool named = set_values(owner);
  if (!folders_.empty()) folders_.back().named = folders_.back().named || named;
  clear_pending({});
}

// ---- placemarks ----

void KmlFeatures::begin_placemark(TextPosition at) {
  set_folder_values();
  clear_pending(at);
}

void KmlFeatures::end_placemark() {
  const Value* const kind = find(kind_);
  const Value* const source = find(source_);
  const Value* const target = find(target_);
  const bool named = source != nullptr && source->size > 0 && target != nullptr && target->size > 0;
  const std::string_view reason = why_lost();
  if (!reason.empty())
    make_lost(reason);
  else if (!pending_.lines.empty() || (named && pending_.points.empty()))
    make_link();
  else if (kind != nullptr && text_of(*kind) == kInstitutionKind)
    make_node(Kind::institution, Owner::institution);
  else
    make_node(Kind::node, Owner::node);
  clear_pending({});
}

// Several lines are one where each goes on behind the meridian of 180 degrees; its places are
// places_ then.
std::string_view KmlFeatures::why_lost() {
  if (!pending_.lost_because.empty()) return pending_.lost_because;
  if (pending_.points.size() + (pending_.lines.empty() ? 0 : 1) > 1) return kSeveral;
  places_.clear();
  for (std::size_t i = 0; i < pending_.lines.size(); ++i) {
    std::vector<KmlPlace>& line = i == 0 ? places_ : more_places_;
    const bool parsed = parse_places(text_of(pending_.lines[i]), line);
    if (pending_.lines.size() == 1 && !parsed) places_.clear();
    if (pending_.lines.size() == 1) return {};
    if (!parsed || (i > 0 && !join_at_180(places_, more_places_))) return kSeveral;
  }
  return {};
}

// Whether a name is among them.
bool KmlFeatures::set_values(Owner owner) {
  bool named = false;
  for (const Value& value : pending_.values) {
    const FoundRule& found = rule(owner, *value.field);
    draft_.set({found, value.at}, text_of(value));
    named = named || (found.target == Target::name && value.size > 0);
  }
  return named;
}

void KmlFeatures::make_lost(std::string_view reason) {
  draft_.open(Kind::node, pending_.at);
  set_values(Owner::node);
  for (const auto* texts : {&pending_.points, &pending_.lines})
    for (const Value& text : *texts)
      draft_.lose(kOwnerNames[static_cast<std::size_t>(Owner::node)], "/coordinates", text.at,
                  reason);
  for (const Value& mode : pending_.altitude_modes)
    draft_.lose("node", "/altitudeMode", mode.at, reason);
  draft_.give_up(reason);
}

void KmlFeatures::make_node(Kind kind, Owner owner) {
  draft_.open(kind, pending_.at);
  const bool named = set_values(owner);
  places_.clear();
  for (const Value& point : pending_.points) set_place(owner, point);
  draft_.losses().carry(pending_.altitude_modes.size());
  set_topology();
  const Value* const id = find(id_);
  if (id == nullptr || id->size == 0) {
    if (!named) draft_.add(kName, name_by_place());
    if (kind == Kind::node) draft_.add(kReference, reference(draft_.elements(Kind::node).size()));
  }
  draft_.close();
}

// Of a placemark that has neither a name nor an id.
std::string_view KmlFeatures::name_by_place() {
  text_ = "placemark";
  if (places_.size() == 1)
    text_ = fmt::format("{},{}", places_[0].longitude_text, places_[0].latitude_text);
  return text_;
}

// The folder tells, unless the element does.
void KmlFeatures::set_topology() {
  const std::uint32_t topology = folders_.empty() ? 0 : folders_.back().topology;
  if (topology != 0 && find(topology_) == nullptr) draft_.add(kTopology, reference(topology));
}

void KmlFeatures::set_place(Owner owner, const Value& point) {
  if (!parse_places(text_of(point), places_) || places_.size() != 1) {
    places_.clear();
    return draft_.set({rule(owner, field("/coordinates")), point.at}, text_of(point));
  }
  const KmlPlace& place = places_.front();
  draft_.set({rule(owner, field("/coordinates@longitude")), point.at}, place.longitude_text);
  draft_.add(rule(owner, field("/coordinates@latitude")), place.latitude_text);
  set_altitude(owner, place);
}

// 0 is what programs write that know of no altitude, unless they say what it is above.
void KmlFeatures::set_altitude(Owner owner, const KmlPlace& place) {
  if (place.altitude_text.empty()) return;
  std::string_view mode;
  if (!pending_.altitude_modes.empty()) mode = text_of(pending_.altitude_modes.back());
  const bool absolute = mode == "absolute";
  if (!absolute && parse_number(place.altitude_text) == 0) return;
  const bool relative = mode.starts_with("relative");
  draft_.add(rule(owner, field(relative ? "/height" : "/coordinates@altitude")),
             place.altitude_text);
}

// ---- lines ----

void KmlFeatures::make_link() {
  const Value* const source = find(source_);
  const Value* const target = find(target_);
  const bool named = source != nullptr && source->size > 0 && target != nullptr && target->size > 0;
  Line line;
  draft_.open(Kind::link, pending_.at);
  set_link_values(named ? source : nullptr, named ? target : nullptr, line);
  set_course(line);
  for (const Value& mode : pending_.altitude_modes)
    draft_.lose("link", "/altitudeMode", mode.at, "a link has no altitude");
  set_topology();
  draft_.set_aside();
  lines_.push_back(line);
}

// What names an end once more, or one alone, is a property.
void KmlFeatures::set_link_values(const Value* source, const Value* target, Line& line) {
  for (const Value& value : pending_.values) {
    if (&value == source) {
      line.source = draft_.keep(text_of(value));
      line.source_at = value.at;
    } else if (&value == target) {
      line.target = draft_.keep(text_of(value));
      line.target_at = value.at;
    } else if (value.field == &source_ || value.field == &target_) {
      Field& other = field(fmt::format(".{}{}", kPropertyPrefix, value.field->name.substr(1)));
      draft_.set({rule(Owner::link, other), value.at}, text_of(value));
    } else {
      draft_.set({rule(Owner::link, *value.field), value.at}, text_of(value));
    }
  }
}

void KmlFeatures::set_course(Line& line) {
  if (pending_.lines.empty()) return;
  line.at = pending_.lines.front().at;
  line.texts = static_cast<std::uint32_t>(pending_.lines.size());
  line.places = places_.size();
  if (!places_.empty()) {
    line.first = {places_.front().longitude, places_.front().latitude};
    line.last = {places_.back().longitude, places_.back().latitude};
  }
  constexpr std::size_t kEnds = 2;
  if (line.places == kEnds && line.source.empty()) return;
  std::string course;
  for (const Value& text : pending_.lines) {
    if (!course.empty()) course += ' ';
    course += text_of(text);
  }
  line.course = draft_.keep(course);
}

void KmlFeatures::lose_line(const Line& line, std::string_view reason) {
  if (!line.source.empty()) {
    draft_.set({rule(Owner::link, source_), line.source_at}, line.source);
    draft_.set({rule(Owner::link, target_), line.target_at}, line.target);
  }
  if (line.texts > 0) draft_.set_together(rule(Owner::link, field("/coordinates")), {}, line.texts);
  draft_.give_up(reason);
}

void KmlFeatures::resolve(const Line& line, const KmlEnds& ends) {
  const bool named = !line.source.empty();
  if (!named && line.places == 0) return lose_line(line, "its coordinates are no places");
  const KmlEnds::End source = named ? ends.named(line.source) : ends.at(line.first);
  const KmlEnds::End target = named ? ends.named(line.target) : ends.at(line.last);
  if (!source.problem.empty()) return lose_line(line, source.problem);
  if (!target.problem.empty()) return lose_line(line, target.problem);
  if (source.node == target.node) return lose_line(line, "a link joins two different nodes");

  const FoundRule& line_rule = rule(Owner::link, field("/coordinates"));
  const auto between = [&](std::uint32_t first, std::uint32_t last) {
    return line.places == 2 && ends.is_at(first, line.first) && ends.is_at(last, line.last);
  };
  const bool straight = between(source.node, target.node) || between(target.node, source.node);
  if (named) {
    draft_.set({rule(Owner::link, source_), line.source_at}, ends.key(source.node));
    draft_.set({rule(Owner::link, target_), line.target_at}, ends.key(target.node));
  } else {
    draft_.add(line_rule, ends.key(source.node));
    draft_.add(line_rule, ends.key(target.node));
  }
  if (straight)
    draft_.losses().carry(line.texts);
  else if (line.texts > 0)
    draft_.set_together(rules_.find("link/", "coordinates[]", "coordinates"), line.course,
                        line.texts);
  draft_.close();
}

void KmlFeatures::finish() {
  draft_.close();
  if (lines_.empty()) return;
  const KmlEnds ends(draft_.elements(Kind::node));
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    draft_.resume(i);
    resolve(lines_[i], ends);
  }
}

}  // namespace netml::codecs

#include "admin/api/graphql/graphql_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/records/record_json.hpp"
#include "engine/base/json_string.hpp"

namespace netml::admin::web::graphql {

namespace json = boost::json;
using engine::Attributes;
using engine::Graph;

namespace {

tl::unexpected<Error> too_much(std::string_view what, std::size_t max) {
  return fail(Errc::invalid_input,
              fmt::format("the query asks for more than {} {}; ask for fewer at once", max, what));
}

Kind kind_of(Type type) {
  if (type == Type::node) return Kind::node;
  return type == Type::link ? Kind::link : Kind::institution;
}

}  // namespace

Writer::Writer(const Graph& graph, const Plan& plan) : graph_(graph), plan_(plan) {}

Result<bool> Writer::write(std::string& out, std::size_t bytes) {
  out_ = &out;
  if (plan_.empty()) return false;
  if (open_.empty()) {
    append("{\"data\":");
    begin(0, {});
  }
  while (!open_.empty()) {
    if (out.size() >= bytes) return true;
    NETML_TRY_VOID(step());
  }
  append("}");
  return false;
}

void Writer::begin(std::size_t place, Object object) {
  append("{");
  open_.push_back({&plan_[place], object, 0, {}, 0, false});
}

// The next object below the field that was begun, or the next field, or the end.
Status Writer::step() {
  Open& open = open_.back();
  const auto& fields = open.place->fields;
  if (open.below_next < open.below.size()) {
    if (open.below_next > 0) append(",");
    const Object object = open.below[open.below_next++];
    begin(fields[open.next - 1].below, object);  // `open` may have moved
    return {};
  }
  if (std::exchange(open.in_list, false)) append("]");
  if (open.next == fields.size()) {
    append("}");
    open_.pop_back();
    return {};
  }
  const PlannedField& field = fields[open.next++];
  if (open.next > 1) append(",");
  append_json_string(*out_, field.key);
  append(":");
  open.below.clear();
  open.below_next = 0;
  return write_field(open, field);
}

Status Writer::write_field(Open& open, const PlannedField& field) {
  if (field.wanted == Wanted::type_name) {
    append_json_string(*out_, type_name(open.place->type));
    return {};
  }
  if (field.wanted != Wanted::field) return write_description(open, field, described(field));
  switch (open.place->type) {
    case Type::description:
      return write_description(open, field, member(*open.object.description, field.name));
    case Type::query:
      return write_roots(open, field);
    case Type::property:
      write_property(field.name);
      return {};
    case Type::institution:
    case Type::node:
    case Type::link:
    case Type::scalar:
      break;
  }
  return write_record(open, field);
}

// ---- what is below a field ----

Status Writer::count(std::size_t records) {
  records_ += records;
  return records_ <= kRecordsMax ? Status() : too_much("records", kRecordsMax);
}

Status Writer::list(Open& open, std::vector<Object> objects) {
  NETML_TRY_VOID(count(objects.size()));
  append("[");
  open.in_list = true;
  open.below = std::move(objects);
  return {};
}

Status Writer::records(Open& open, const std::vector<RecordId>& records) {
  if (records.size() > kRecordsMax) return too_much("records", kRecordsMax);
  std::vector<Object> objects;
  objects.reserve(records.size());
  for (const RecordId id : records) objects.push_back({.record = id});
  return list(open, std::move(objects));
}

Status Writer::one(Open& open, RecordId record) {
  if (record) {
    open.below = {{.record = record}};
    return count(1);
  }
  append("null");
  return {};
}

// ---- records ----

Status Writer::write_roots(Open& open, const PlannedField& field) {
  const Kind kind = kind_of(field.of);
  const auto argument = [&](std::string_view name) {
    const auto found = field.arguments.find(name);
    return found == field.arguments.end() ? std::nullopt : found->second;
  };
  const auto name = argument("name");
  if (!field.list) {
    const auto id = argument("id");
    RecordId found = id ? graph_.find_newest(kind, *id) : RecordId{};
    if (found && name && graph_.attributes(found).name() != *name) found = {};
    return one(open, found);
  }
  NETML_TRY_VOID(look_at(graph_.size()));
  std::vector<RecordId> found;
  graph_.for_each_record([&](RecordId id) {
    if (graph_.kind(id) == kind && found.size() <= kRecordsMax &&
        (!name || graph_.attributes(id).name() == *name))
      found.push_back(id);
  });
  return records(open, found);
}

Status Writer::write_record(Open& open, const PlannedField& field) {
  const RecordId record = open.object.record;
  const engine::Relations& relations = graph_.relations(record);
  if (field.name == "properties") return write_properties(open);
  if (field.name == "owners") {
    const auto owners = relations.owners();
    return records(open, {owners.begin(), owners.end()});
  }
  if (field.name == "nodeA") return one(open, relations.ends()[0]);
  if (field.name == "nodeB") return one(open, relations.ends()[1]);
  if (field.name == "linksA" || field.name == "linksB") {
    NETML_TRY(const auto links, links_at(record, field.name == "linksA" ? 0 : 1));
    return records(open, links);
  }
  if (field.name == "connectedOwners") {
    NETML_TRY_VOID(look_at_links(record, true));
    return records(open, connected_owners(graph_, record));
  }
  write_scalar(graph_.attributes(record), field.name);
  return {};
}

Status Writer::look_at(std::size_t records) {
  const std::size_t max = std::max(kLookedAtMax, 8 * graph_.size());
  looked_at_ += records;
  return looked_at_ <= max ? Status() : too_much("records to be looked at", max);
}

// `owners`: with those of both ends.
Status Writer::look_at_links(RecordId node, bool owners) {
  std::size_t records = 0;
  graph_.for_each_referrer(node, [&](RecordId link) {
    ++records;
    if (!owners) return;
    for (const RecordId end : graph_.relations(link).ends())
      records += graph_.relations(end).owners().size();
  });
  return look_at(records);
}

Result<std::vector<RecordId>> Writer::links_at(RecordId node, std::size_t end) {
  NETML_TRY_VOID(look_at_links(node, false));
  std::vector<RecordId> links;
  graph_.for_each_referrer(node, [&](RecordId link) {
    if (graph_.relations(link).ends()[end] == node && links.size() <= kRecordsMax)
      links.push_back(link);
  });
  return links;
}

Status Writer::write_properties(Open& open) {
  open.properties = graph_.attributes(open.object.record).properties();
  std::vector<Object> shown;
  for (std::size_t i = 0; i < open.properties.size(); ++i)
    if (!open.properties[i].name.starts_with(engine::kReservedPrefix))
      shown.push_back({.record = open.object.record, .property = i});
  return list(open, std::move(shown));
}

// Of the object that is open; the one above it has them all.
void Writer::write_property(std::string_view name) {
  const Object& object = open_.back().object;
  const engine::Property& property = open_[open_.size() - 2].properties[object.property];
  if (name == "id")
    return append_json_string(
        *out_, fmt::format("{}.{}", graph_.number(object.record).value, object.property));
  append_json_string(*out_, name == "name" ? property.name : property.value);
}

void Writer::write_scalar(const Attributes& attributes, std::string_view name) {
  std::string& out = *out_;
  const auto time = [&](const std::optional<Instant>& instant) {
    instant ? append_json_string(out, format_instant(*instant)) : append("null");
  };
  // Clients expect a number where nothing is known (decision 11).
  const auto at = attributes.coordinates().value_or(engine::Coordinates());
  const auto decimal = [&](engine::Micro value) {
    append_json_string(out, functional::decimal_text(value));
  };
  if (name == "id" || name == "netmlId" || name == "grenmlId")
    return append_json_string(out, attributes.id());
  if (name == "name") return append_json_string(out, attributes.name());
  if (name == "shortName") return append_json_string(out, attributes.short_name());
  if (name == "version") return time(attributes.version());
  if (name == "start") return time(attributes.start());
  if (name == "end") return time(attributes.end());
  if (name == "dirty") return append("false");  // a mark of imports in progress
  if (name == "latitude") return decimal(at.latitude);
  if (name == "longitude") return decimal(at.longitude);
  if (name == "altitude") return decimal(attributes.altitude().value_or(engine::Micro()));
  if (name == "unlocode") return append_json_string(out, attributes.unlocode());
  if (name == "address") return append_json_string(out, attributes.address());
  engine::for_each_further_text([&, fields = attributes.fields()](const auto& text) {
    if (engine::in_camel_case(text.name).view() == name)
      append_json_string(out, fields.*text.member);
  });
}

// ---- the schema's own description ----

const json::value* Writer::described(const PlannedField& field) {
  if (schema_.is_null()) schema_ = describe_schema();
  if (field.wanted == Wanted::schema) return &schema_;
  const auto name = field.arguments.find("name");
  return name != field.arguments.end() && name->second ? named_type(*name->second) : nullptr;
}

const json::value* Writer::named_type(std::string_view name) {
  for (const json::value& type : schema_.at("types").as_array())
    if (type.at("name").as_string() == name) return &type;
  return nullptr;
}

// Where a type is referred to, all that is known of it may be asked for.
const json::value* Writer::member(const json::value& value, std::string_view name) {
  const json::object& object = value.as_object();
  if (const json::value* known = object.if_contains(name)) return known;
  const json::value* type = object.if_contains("ofType") ? object.if_contains("name") : nullptr;
  if (type == nullptr || !type->is_string()) return nullptr;
  const json::value* whole = named_type(type->get_string());
  return whole == nullptr ? nullptr : whole->get_object().if_contains(name);
}

Status Writer::write_description(Open& open, const PlannedField& field, const json::value* value) {
  const bool nested = field.below != kNoSet;
  if (value == nullptr || value->is_null()) {
    append("null");
  } else if (value->is_object()) {
    if (!nested) return append("null"), Status();
    open.below = {{.record = {}, .description = value}};
    return count(1);
  } else if (nested && value->is_array() && !value->get_array().empty() &&
             value->get_array().front().is_object()) {
    std::vector<Object> parts;
    for (const json::value& each : value->get_array())
      parts.push_back({.record = {}, .description = &each});
    return list(open, std::move(parts));
  } else {
    append(json::serialize(*value));
  }
  return {};
}

}  // namespace netml::admin::web::graphql

#include "admin/api/records/record_fields.hpp"

#include <boost/json.hpp>

#include "engine/base/lower_case.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::Graph;
using engine::RecordEdit;
using engine::TextProperty;

namespace {

constexpr std::size_t kDegreeDigitsMax = 3;
constexpr std::size_t kAltitudeDigitsMax = 10;

class FieldReader {
 public:
  FieldReader(const json::object& fields, Kind kind, Completeness completeness, const Graph& graph)
      : fields_(fields), kind_(kind), completeness_(completeness), graph_(graph) {}

  Result<RecordEdit> read() {
    NETML_TRY_VOID(read_identity());
    NETML_TRY_VOID(read_texts_and_times());
    NETML_TRY_VOID(read_place());
    NETML_TRY_VOID(read_properties());
    NETML_TRY_VOID(kind_ == Kind::topology ? read_topology() : read_element());
    return std::move(edit_);
  }

 private:
  bool whole() const { return completeness_ == Completeness::whole; }

  Status read_identity() {
    NETML_TRY(const json::value* const id, aliased(fields_, "netml_id", "grenml_id"));
    if (id != nullptr && !id->is_null() && *id != "") {
      if (!id->is_string()) return fail(Errc::invalid_input, "netml_id", "must be a text");
      edit_.id = std::string(id->get_string());
    }
    NETML_TRY(edit_.name, text_value(fields_, "name"));
    const bool blank = edit_.name && edit_.name->find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank || (whole() && !edit_.name))
      return fail(Errc::invalid_input, "name", "is required and must not be blank");
    return {};
  }

  Status read_texts_and_times() {
    NETML_TRY(edit_.short_name, text_value(fields_, "short_name"));
    NETML_TRY(edit_.unlocode, text_value(fields_, "unlocode"));
    NETML_TRY(edit_.address, text_value(fields_, "address"));
    NETML_TRY(edit_.version, time_value(fields_, "version"));
    NETML_TRY(edit_.start, time_value(fields_, "start"));
    NETML_TRY(edit_.end, time_value(fields_, "end"));
    Status further;
    engine::for_each_further_text([&](const auto& text) {
      if (!further) return;
      auto value = text_value(fields_, text.name);
      if (!value)
        further = tl::unexpected(std::move(value).error());
      else if (*value)
        edit_.further[text.field] = **std::move(value);
    });
    return further;
  }

  Status read_place() {
    NETML_TRY(const auto latitude, decimal_value(fields_, "latitude", kDegreeDigitsMax));
    NETML_TRY(const auto longitude, decimal_value(fields_, "longitude", kDegreeDigitsMax));
    NETML_TRY(edit_.altitude, decimal_value(fields_, "altitude", kAltitudeDigitsMax));
    edit_.latitude = latitude;
    edit_.longitude = longitude;
    return {};
  }

  Status read_properties() {
    const auto items = list_value(fields_, "properties");
    if (!items) return {};
    for (const json::value& item : *items) {
      NETML_TRY(TextProperty property, read_property(item));
      edit_.added_properties.push_back(std::move(property));
    }
    return {};
  }

  Status read_topology() {
    NETML_TRY(edit_.main, flag_value(fields_, "main"));
    NETML_TRY(edit_.parent, read_key("parent"));
    NETML_TRY(edit_.owner, read_key("owner"));
    return {};
  }

  Status read_element() {
    NETML_TRY(edit_.topologies, read_keys("topologies"));
    if (kind_ == Kind::institution) return {};
    NETML_TRY(edit_.owners, read_keys("owners"));
    if (kind_ == Kind::node) return {};
    NETML_TRY(edit_.end_a, read_key("node_a"));
    NETML_TRY(edit_.end_b, read_key("node_b"));
    return {};
  }

  Result<RecordId> record_of(const char* field, const json::value& key) const {
    const std::optional<std::int64_t> number = as_integer(key);
    const RecordId id =
        number && *number > 0
            ? graph_.find_by_number(RecordNumber{static_cast<std::uint64_t>(*number)})
            : RecordId{};
    if (!id) return fail(Errc::invalid_input, field, "names no record");
    return id;
  }

  Result<std::optional<RecordId>> read_key(const char* field) const {
    const json::value* key = fields_.if_contains(field);
    if (key == nullptr) return std::optional<RecordId>();
    if (key->is_null() || *key == "") return std::optional<RecordId>(RecordId{});
    NETML_TRY(const RecordId id, record_of(field, *key));
    return std::optional<RecordId>(id);
  }

  Result<std::optional<std::vector<RecordId>>> read_keys(const char* field) const {
    using Records = std::optional<std::vector<RecordId>>;
    const auto keys = list_value(fields_, field);
    if (!keys) return whole() ? Records(std::in_place) : Records();
    Records records(std::in_place);
    for (const json::value& key : *keys) {
      NETML_TRY(const RecordId id, record_of(field, key));
      records->push_back(id);
    }
    return records;
  }

  const json::object& fields_;
  const Kind kind_;
  const Completeness completeness_;
  const Graph& graph_;
  RecordEdit edit_;
};

}  // namespace

Result<RecordEdit> read_record_fields(const json::object& fields, Kind kind,
                                      Completeness completeness, const Graph& graph) {
  return FieldReader(fields, kind, completeness, graph).read();
}

Result<TextProperty> read_property(const json::value& value) {
  json::object object;
  if (value.is_object()) {
    object = value.get_object();
  } else if (value.is_string()) {
    NETML_TRY(object, parse_dictionary(value.get_string()));
  } else {
    return fail(Errc::invalid_input, "properties", "each is an object with name and value");
  }
  NETML_TRY(const std::optional<std::string> name, text_value(object, "name"));
  NETML_TRY(std::optional<std::string> text, text_value(object, "value"));
  if (!name || name->empty() || !text)
    return fail(Errc::invalid_input, "properties", "each has a name and a value");
  TextProperty property;
  engine::append_lower_case(property.name, *name);
  property.value = std::move(*text);
  return property;
}

}  // namespace netml::admin::functional

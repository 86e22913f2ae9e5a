// Tables of the catalog whose entries are added, changed and deleted as they are: all that name a
// collection in their description (engine/catalog/entries.hpp) get a list, a form and a deletion
// from it. Viewers read, administrators change.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/edit/plan_entries.hpp"
#include "net/http/uri.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// One field, by its type.
struct FieldJson {
  static json::value of(const std::string& text) { return json::value(text); }
  static json::value of(RecordId id) { return id ? json::value(id.value) : json::value(); }
  template <class Number>
    requires std::is_integral_v<Number>
  static json::value of(Number number) {
    return number;
  }

  static Status read(const json::object& fields, const char* name, std::string& text) {
    NETML_TRY(text, text_of(fields, name));
    return {};
  }
  // As in a new entry when it is not given.
  static Status read(const json::object& fields, const char* name, bool& flag) {
    NETML_TRY(flag, flag_of(fields, name, flag));
    return {};
  }
  // Of a record; none when it is not given.
  static Status read(const json::object& fields, const char* name, RecordId& id) {
    const json::value* value = given_field(fields, name);
    if (value == nullptr) return {};
    boost::system::error_code error;
    id.value = value->to_number<std::uint32_t>(error);
    if (error) return wrong_field(name, "must be the number of a record");
    return {};
  }
};

template <class Field>
Status check_length(const Field& field, std::string_view text) {
  const std::size_t least = field.traits.title ? 1 : 0;
  const std::size_t length = engine::character_count(text);
  if (length >= least && length <= field.traits.characters_max) return {};
  return fail(Errc::invalid_input, field.name,
              fmt::format("has {} to {} characters", least, field.traits.characters_max));
}

// ---- one entry ----

template <class T>
json::object entry_item(std::uint64_t number, const T& entry) {
  json::object item{{"number", number}};
  engine::for_each_field<T>(
      [&](const auto& field) { item[field.name] = FieldJson::of(entry.*field.member); });
  return item;
}

// Exactly what a browser sends: scheme, host in lower case, a port unless it is the usual one.
Status check_origin(std::string_view origin) {
  const auto wrong = [] {
    return fail(Errc::invalid_input, "origin",
                "must be a scheme and a host as browsers send them, without a slash at the "
                "end: https://www.example.org or https://www.example.org:8443");
  };
  const std::string_view scheme = origin.substr(0, origin.find("://"));
  if (scheme != "https" && scheme != "http") return wrong();
  const std::string_view authority = origin.substr(std::min(origin.size(), scheme.size() + 3));
  if (authority.empty() || origin.size() > engine::characters_max(&engine::AllowedOrigin::origin) ||
      authority.find_first_of("/?#@\\ \t,;") != std::string_view::npos)
    return wrong();
  const auto host = net::host_name(authority);
  if (!host || !authority.starts_with(*host)) return wrong();
  const std::string_view port = authority.substr(host->size());
  if (port == ":" || port == (scheme == "https" ? ":443" : ":80")) return wrong();
  return {};
}

// What else must hold of one that somebody gives.
template <class T>
Status check_entry(const T&) {
  return {};
}
Status check_entry(const engine::AllowedOrigin& origin) {
  return check_origin(origin.origin);
}

template <class T>
Result<T> read_entry(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  T entry;
  const Status taken = engine::try_each_field<Status, T>([&](const auto& field) -> Status {
    auto& value = entry.*field.member;
    NETML_TRY_VOID(FieldJson::read(fields, field.name, value));
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
      return check_length(field, value);
    else
      return Status();
  });
  NETML_TRY_VOID(taken);
  NETML_TRY_VOID(check_entry(entry));
  return entry;
}

// ---- the handlers of a table ----

template <class T>
Result<Response> list_entries(const Call& call) {
  std::vector<std::string_view> searched;
  engine::for_each_field<T>([&](const auto& field) {
    if (std::is_same_v<typename std::decay_t<decltype(field)>::Value, std::string>)
      searched.push_back(field.name);
  });
  const engine::StatePtr state = call.state();
  return newest_first(call, state->catalog.*engine::table_of<T>().entries, searched, entry_item<T>);
}

template <class T>
Result<Response> show_entry(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto entry, engine::find_entry<T>(call.state()->catalog, number));
  return json_answer(200, entry_item(number, *entry));
}

template <class T>
Result<Response> create_entry(const Call& call) {
  NETML_TRY(const T entry, read_entry<T>(call));
  std::uint64_t number = 0;
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    number = (state.catalog.*engine::table_of<T>().entries).next_number();
    return plan_entry_create(state, entry);
  }));
  return created(show_entry<T>(call, number));
}

template <class T>
Result<Response> change_entry(const Call& call, std::uint64_t number) {
  NETML_TRY(const T entry, read_entry<T>(call));
  NETML_TRY_VOID(call.commit(engine::Cause::setting, [&](const engine::State& state, WallTime) {
    return plan_entry_update(state, number, entry);
  }));
  return show_entry<T>(call, number);
}

}  // namespace

void add_plain_tables(Routes& routes) {
  engine::for_each_catalog_table([&]<class T>(const engine::CatalogTable<T>&) {
    if constexpr (T::kKind.collection != nullptr) {
      routes.add_entries(T::kKind.collection, {Needs::viewer}, {Needs::admin},
                         {list_entries<T>, create_entry<T>, show_entry<T>, change_entry<T>});
      routes.add_removal(
          T::kKind.collection, {Needs::admin},
          {engine::Cause::setting, [](const engine::State& state, std::uint64_t number, WallTime) {
             return engine::plan_entry_delete<T>(state, number);
           }});
    }
  });
}

}  // namespace netml::admin::web

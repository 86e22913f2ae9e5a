#include "admin/analysis/detail/map_tables.hpp"

#include <fmt/format.h>

#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "engine/base/json_string.hpp"
#include "engine/quality/quantities.hpp"

namespace netml::admin::web::detail {

using engine::Attributes;

void MapTables::write_version() {
  out_ += "\"lsn\":";
  append_number(out_, state_.lsn.value);
  out_ += ",\"time\":";
  append_json_string(out_, time_text(state_.effective_time.instant()));
}

void MapTables::write_nodes_and_links() {
  write_nodes();
  write_links();
}

void MapTables::write_small_tables() {
  write_institutions();
  write_topologies();
  write_lifetimes();
  out_ += ",\"tags\":";
  JsonList list(out_);
  for (const std::string_view tag : tags_.all()) append_json_string(list.next(), tag);
}

// The table of a kind; the columns that follow are its.
void MapTables::begin(const char* table, Kind kind) {
  out_ += ",\"";
  out_ += table;
  out_ += "\":{";
  kind_ = kind;
  first_column_ = true;
}

void MapTables::number_column() {
  column("number",
         [&](std::string& out, RecordId id) { append_number(out, graph_.number(id).value); });
}

void MapTables::text_column(
    const char* name, const std::function<std::string_view(const engine::Attributes&)>& text) {
  column(name, [&](std::string& out, RecordId id) {
    append_json_string(out, text(graph_.attributes(id)));
  });
}

void MapTables::place_columns() {
  const auto coordinate = [&](engine::Micro engine::Coordinates::* which) {
    return [this, which](std::string& out, RecordId id) {
      const auto coordinates = graph_.attributes(id).coordinates();
      if (coordinates)
        append_decimal(out, (*coordinates).*which);
      else
        out += "null";
    };
  };
  column("latitude", coordinate(&engine::Coordinates::latitude));
  column("longitude", coordinate(&engine::Coordinates::longitude));
}

void MapTables::tags_column() {
  column("tags", [&](std::string& out, RecordId id) {
    JsonList list(out);
    for_each_tag(graph_.attributes(id),
                 [&](std::string_view tag) { append_number(list.next(), tags_.place(tag)); });
  });
}

void MapTables::references_column(const char* name,
                                  std::span<const RecordId> (engine::Relations::*references)()
                                      const) {
  column(name, [&](std::string& out, RecordId id) {
    JsonList list(out);
    for (const RecordId other : (graph_.relations(id).*references)())
      append_number(list.next(), places_.place(other));
  });
}

void MapTables::write_nodes() {
  begin("nodes", Kind::node);
  number_column();
  text_column("id", &Attributes::id);
  text_column("name", &Attributes::name);
  place_columns();
  tags_column();
  references_column("topologies", &engine::Relations::topologies);
  references_column("owners", &engine::Relations::owners);
  end();
}

void MapTables::write_links() {
  begin("links", Kind::link);
  number_column();
  text_column("id", &Attributes::id);
  text_column("name", &Attributes::name);
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
    column(which == 0 ? "a" : "b", [&](std::string& out, RecordId id) {
      append_number(out, places_.place(graph_.relations(id).ends()[which]));
    });
  tags_column();
  references_column("topologies", &engine::Relations::topologies);
  references_column("owners", &engine::Relations::owners);
  column("capacity", [&](std::string& out, RecordId id) {
    const auto bits = engine::capacity_of(graph_.attributes(id));
    out += bits ? fmt::format("{:.0f}", *bits) : "null";
  });
  end();
}

void MapTables::write_institutions() {
  begin("institutions", Kind::institution);
  number_column();
  text_column("id", &Attributes::id);
  text_column("name", &Attributes::name);
  text_column("short_name", &Attributes::short_name);
  place_columns();
  tags_column();
  text_column("url",
              [](const Attributes& attributes) { return first_property(attributes, "url"); });
  end();
}

void MapTables::write_topologies() {
  begin("topologies", Kind::topology);
  number_column();
  text_column("name", &Attributes::name);
  column("parent", [&](std::string& out, RecordId id) {
    const RecordId parent = graph_.relations(id).parent();
    if (parent)
      append_number(out, places_.place(parent));
    else
      out += "-1";
  });
  end();
}

// Few links tell when they begin or end, so these alone are listed.
void MapTables::write_lifetimes() {
  std::vector<RecordId> limited;
  for (const RecordId id : places_.of(Kind::link)) {
    const Attributes& attributes = graph_.attributes(id);
    if (attributes.start() || attributes.end()) limited.push_back(id);
  }
  const auto time = [](std::string& out, const std::optional<Instant>& at) {
    if (at)
      append_json_string(out, time_text(*at));
    else
      out += "null";
  };
  begin("lifetimes", Kind::link);
  column("link", limited,
         [&](std::string& out, RecordId id) { append_number(out, places_.place(id)); });
  column("start", limited,
         [&](std::string& out, RecordId id) { time(out, graph_.attributes(id).start()); });
  column("end", limited,
         [&](std::string& out, RecordId id) { time(out, graph_.attributes(id).end()); });
  end();
}

}  // namespace netml::admin::web::detail

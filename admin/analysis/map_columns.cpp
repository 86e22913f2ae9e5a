#include "admin/analysis/map_answers.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <span>
#include <vector>

#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "engine/base/json_string.hpp"
#include "engine/quality/quantities.hpp"

namespace netml::admin::web {

namespace {

using engine::Attributes;
using engine::Graph;

// The place of every record in the columns of its kind.
class Places {
 public:
  explicit Places(const Graph& graph) : place_of_(graph.next_id().value) {
    graph.for_each_record([&](RecordId id) {
      auto& records = records_[static_cast<std::size_t>(graph.kind(id))];
      place_of_[id.value] = static_cast<std::uint32_t>(records.size());
      records.push_back(id);
    });
  }
  const std::vector<RecordId>& of(Kind kind) const {
    return records_[static_cast<std::size_t>(kind)];
  }
  std::uint32_t place(RecordId id) const { return place_of_[id.value]; }

 private:
  std::array<std::vector<RecordId>, kKindCount> records_;  // ascending
  std::vector<std::uint32_t> place_of_;                    // by RecordId
};

// Tags are few and repeat, so they are reported once.
class Tags {
 public:
  std::size_t place(std::string_view tag) {
    const auto [found, fresh] = places_.emplace(tag, all_.size());
    if (fresh) all_.push_back(tag);
    return found->second;
  }
  const std::vector<std::string_view>& all() const { return all_; }

 private:
  boost::unordered_flat_map<std::string_view, std::size_t> places_;
  std::vector<std::string_view> all_;  // views into the graph
};

// A list in JSON of what is appended while it lives.
class JsonList {
 public:
  explicit JsonList(std::string& out) : out_(out) { out_ += '['; }
  ~JsonList() { out_ += ']'; }
  JsonList(const JsonList&) = delete;
  JsonList& operator=(const JsonList&) = delete;
  // For the next item to be appended to.
  std::string& next() {
    if (!first_) out_ += ',';
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

class Writer {
 public:
  explicit Writer(const engine::State& state)
      : state_(state), graph_(state.graph), places_(state.graph) {}

  std::string write() {
    out_ += "{\"lsn\":";
    append_number(out_, state_.lsn.value);
    out_ += ",\"time\":";
    append_json_string(out_, time_text(state_.effective_time.instant()));
    write_nodes();
    write_links();
    write_institutions();
    write_topologies();
    write_lifetimes();
    out_ += ",\"tags\":";
    {
      JsonList list(out_);
      for (const std::string_view tag : tags_.all()) append_json_string(list.next(), tag);
    }
    out_ += '}';
    return std::move(out_);
  }

 private:
  // The table of a kind; the columns that follow are its.
  void begin(const char* table, Kind kind) {
    out_ += ",\"";
    out_ += table;
    out_ += "\":{";
    kind_ = kind;
    first_column_ = true;
  }
  void end() { out_ += '}'; }

  // `value(out, record)` appends one value.
  template <class Value>
  void column(const char* name, Value&& value) {
    column(name, places_.of(kind_), std::forward<Value>(value));
  }
  template <class Value>
  void column(const char* name, const std::vector<RecordId>& records, Value&& value) {
    out_ += first_column_ ? "\"" : ",\"";
    first_column_ = false;
    out_ += name;
    out_ += "\":";
    JsonList list(out_);
    for (const RecordId id : records) value(list.next(), id);
  }
  void number_column() {
    column("number",
           [&](std::string& out, RecordId id) { append_number(out, graph_.number(id).value); });
  }
  template <class Text>
  void text_column(const char* name, Text text) {
    column(name, [&](std::string& out, RecordId id) {
      append_json_string(out, std::invoke(text, graph_.attributes(id)));
    });
  }
  void place_columns() {
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
  void tags_column() {
    column("tags", [&](std::string& out, RecordId id) {
      JsonList list(out);
      for_each_tag(graph_.attributes(id),
                   [&](std::string_view tag) { append_number(list.next(), tags_.place(tag)); });
    });
  }
  void references_column(const char* name,
                         std::span<const RecordId> (engine::Relations::*references)() const) {
    column(name, [&](std::string& out, RecordId id) {
      JsonList list(out);
      for (const RecordId other : (graph_.relations(id).*references)())
        append_number(list.next(), places_.place(other));
    });
  }

  void write_nodes() {
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
  void write_links() {
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
  void write_institutions() {
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
  void write_topologies() {
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
  void write_lifetimes() {
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

  const engine::State& state_;
  const Graph& graph_;
  const Places places_;
  Tags tags_;
  std::string out_;
  Kind kind_ = Kind::node;
  bool first_column_ = true;
};

}  // namespace

std::string map_columns(const engine::State& state) {
  return Writer(state).write();
}

}  // namespace netml::admin::web

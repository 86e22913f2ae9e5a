#include "admin/analysis/map_columns.hpp"

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <span>
#include <vector>

#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "engine/base/json_string.hpp"

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
    const auto [found, fresh] = places_.emplace(tag, places_.size());
    if (fresh) append_json_string(list_.next(), tag);
    return found->second;
  }
  std::string_view finish() { return list_.finish(); }

 private:
  boost::unordered_flat_map<std::string_view, std::size_t> places_;  // views into the graph
  JsonList list_;
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
    out_ += ",\"tags\":";
    out_ += tags_.finish();
    out_ += '}';
    return std::move(out_);
  }

 private:
  void begin(const char* table) {
    out_ += ",\"";
    out_ += table;
    out_ += "\":{";
    first_column_ = true;
  }
  void end() { out_ += '}'; }

  // `value(out, record)` appends one value.
  template <class Value>
  void column(const char* name, Kind kind, Value&& value) {
    if (!first_column_) out_ += ',';
    first_column_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":[";
    bool first = true;
    for (const RecordId id : places_.of(kind)) {
      if (!first) out_ += ',';
      first = false;
      value(out_, id);
    }
    out_ += ']';
  }
  void number_column(Kind kind) {
    column("number", kind,
           [&](std::string& out, RecordId id) { append_number(out, graph_.number(id).value); });
  }
  void id_column(Kind kind) {
    column("id", kind, [&](std::string& out, RecordId id) {
      append_json_string(out, graph_.attributes(id).id());
    });
  }
  void name_column(Kind kind) {
    column("name", kind, [&](std::string& out, RecordId id) {
      append_json_string(out, graph_.attributes(id).name());
    });
  }
  void place_columns(Kind kind) {
    const auto coordinate = [&](engine::Micro engine::Coordinates::* which) {
      return [this, which](std::string& out, RecordId id) {
        const auto coordinates = graph_.attributes(id).coordinates();
        if (coordinates)
          append_decimal(out, (*coordinates).*which);
        else
          out += "null";
      };
    };
    column("latitude", kind, coordinate(&engine::Coordinates::latitude));
    column("longitude", kind, coordinate(&engine::Coordinates::longitude));
  }
  void tags_column(Kind kind) {
    column("tags", kind, [&](std::string& out, RecordId id) {
      JsonListInto list(out);
      for_each_tag(graph_.attributes(id),
                   [&](std::string_view tag) { append_number(list.next(), tags_.place(tag)); });
    });
  }
  void references_column(const char* name, Kind kind,
                         std::span<const RecordId> (engine::Relations::*references)() const) {
    column(name, kind, [&](std::string& out, RecordId id) {
      JsonListInto list(out);
      for (const RecordId other : (graph_.relations(id).*references)())
        append_number(list.next(), places_.place(other));
    });
  }

  // Square brackets around what is appended while it lives.
  class JsonListInto {
   public:
    explicit JsonListInto(std::string& out) : out_(out) { out_ += '['; }
    ~JsonListInto() { out_ += ']'; }
    JsonListInto(const JsonListInto&) = delete;
    JsonListInto& operator=(const JsonListInto&) = delete;
    std::string& next() {
      if (!first_) out_ += ',';
      first_ = false;
      return out_;
    }

   private:
    std::string& out_;
    bool first_ = true;
  };

  void write_nodes() {
    begin("nodes");
    number_column(Kind::node);
    id_column(Kind::node);
    name_column(Kind::node);
    place_columns(Kind::node);
    tags_column(Kind::node);
    references_column("topologies", Kind::node, &engine::Relations::topologies);
    references_column("owners", Kind::node, &engine::Relations::owners);
    end();
  }
  void write_links() {
    begin("links");
    number_column(Kind::link);
    id_column(Kind::link);
    name_column(Kind::link);
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
      column(which == 0 ? "a" : "b", Kind::link, [&](std::string& out, RecordId id) {
        append_number(out, places_.place(graph_.relations(id).ends()[which]));
      });
    tags_column(Kind::link);
    references_column("topologies", Kind::link, &engine::Relations::topologies);
    references_column("owners", Kind::link, &engine::Relations::owners);
    end();
  }
  void write_institutions() {
    begin("institutions");
    number_column(Kind::institution);
    id_column(Kind::institution);
    name_column(Kind::institution);
    column("short_name", Kind::institution, [&](std::string& out, RecordId id) {
      append_json_string(out, graph_.attributes(id).short_name());
    });
    place_columns(Kind::institution);
    tags_column(Kind::institution);
    column("url", Kind::institution, [&](std::string& out, RecordId id) {
      append_json_string(out, first_property(graph_.attributes(id), "url"));
    });
    end();
  }
  void write_topologies() {
    begin("topologies");
    number_column(Kind::topology);
    name_column(Kind::topology);
    column("parent", Kind::topology, [&](std::string& out, RecordId id) {
      const RecordId parent = graph_.relations(id).parent();
      if (parent)
        append_number(out, places_.place(parent));
      else
        out += "-1";
    });
    end();
  }

  const engine::State& state_;
  const Graph& graph_;
  const Places places_;
  Tags tags_;
  std::string out_;
  bool first_column_ = true;
};

}  // namespace

std::string map_columns(const engine::State& state) {
  return Writer(state).write();
}

}  // namespace netml::admin::web

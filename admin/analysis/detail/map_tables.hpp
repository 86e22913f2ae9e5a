// What both forms of the map share: the places of its records, its tags, and its small tables.
//
// Thread: each object is used by one.
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/transaction/state.hpp"

namespace netml::admin::web::detail {

// The place of every record in the columns of its kind.
class Places {
 public:
  explicit Places(const engine::Graph& graph) : place_of_(graph.next_id().value) {
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

// Writes tables of JSON, each an object of columns.
class MapTables {
 public:
  MapTables(const engine::State& state, std::string& out)
      : state_(state), graph_(state.graph), places_(state.graph), out_(out) {}

  const Places& places() const { return places_; }
  std::size_t tag_place(std::string_view tag) { return tags_.place(tag); }

  // "lsn" and "time", the first members of an object.
  void write_version();
  void write_nodes_and_links();
  // "institutions", "topologies", "lifetimes" and, since all of them are known by then, "tags".
  void write_small_tables();

 private:
  void begin(const char* table, Kind kind);
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
  void number_column();
  void text_column(const char* name,
                   const std::function<std::string_view(const engine::Attributes&)>& text);
  void place_columns();
  void tags_column();
  void references_column(const char* name,
                         std::span<const RecordId> (engine::Relations::*references)() const);
  void write_nodes();
  void write_links();
  void write_institutions();
  void write_topologies();
  void write_lifetimes();

  const engine::State& state_;
  const engine::Graph& graph_;
  const Places places_;
  Tags tags_;
  std::string& out_;
  Kind kind_ = Kind::node;
  bool first_column_ = true;
};

}  // namespace netml::admin::web::detail

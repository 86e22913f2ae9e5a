#include "bench/sqlite/loader.hpp"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace netml::bench {

namespace {

using engine::AttributesPtr;
using engine::Document;
using engine::DocumentIndex;

constexpr const char* kSchema = R"sql(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE topology (number INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
                         version INTEGER, parent INTEGER, owner INTEGER);
  CREATE TABLE element (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id TEXT NOT NULL,
                        name TEXT NOT NULL, short_name TEXT, version INTEGER, start INTEGER,
                        "end" INTEGER, latitude INTEGER, longitude INTEGER, altitude INTEGER,
                        unlocode TEXT, address TEXT, node_a INTEGER, node_b INTEGER);
  CREATE TABLE property (element INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
  CREATE TABLE owner (element INTEGER NOT NULL, institution INTEGER NOT NULL);
  CREATE TABLE member (topology INTEGER NOT NULL, element INTEGER NOT NULL);
  CREATE INDEX topology_id ON topology (id);
  CREATE INDEX element_id ON element (kind, id);
  CREATE INDEX property_element ON property (element);
  CREATE INDEX owner_element ON owner (element);
  CREATE INDEX member_topology ON member (topology);
)sql";

class Database {
 public:
  explicit Database(const std::string& path) { check(::sqlite3_open(path.c_str(), &database_)); }
  ~Database() { ::sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql) { check(::sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }
  void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    std::fprintf(stderr, "sqlite: %s\n", ::sqlite3_errmsg(database_));
    std::exit(1);
  }
  sqlite3* get() { return database_; }

 private:
  sqlite3* database_ = nullptr;
};

// A prepared statement; run(values...) binds them in order.
class Statement {
 public:
  Statement(Database& database, const char* sql) : database_(database) {
    database.check(::sqlite3_prepare_v2(database.get(), sql, -1, &statement_, nullptr));
  }
  ~Statement() { ::sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  void run(const Values&... values) {
    int column = 0;
    (bind(++column, values), ...);
    database_.check(::sqlite3_step(statement_));
    ::sqlite3_reset(statement_);
  }

 private:
  void bind(int column, std::int64_t value) { ::sqlite3_bind_int64(statement_, column, value); }
  void bind(int column, const std::optional<std::int64_t>& value) {
    if (value)
      bind(column, *value);
    else
      ::sqlite3_bind_null(statement_, column);
  }
  void bind(int column, std::string_view value) {
    ::sqlite3_bind_text(statement_, column, value.data(), static_cast<int>(value.size()),
                        SQLITE_STATIC);
  }

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

std::optional<std::int64_t> seconds(const std::optional<Instant>& instant) {
  if (!instant) return std::nullopt;
  return instant->seconds;
}

class Loader {
 public:
  Loader(const Document& document, Database& database)
      : document_(document),
        numbers_(document.elements.size()),
        topology_(database, "INSERT INTO topology VALUES (?,?,?,?,?,?)"),
        element_(database, "INSERT INTO element VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        property_(database, "INSERT INTO property VALUES (?,?,?)"),
        owner_(database, "INSERT INTO owner VALUES (?,?)"),
        member_(database, "INSERT INTO member VALUES (?,?)") {}

  void load() {
    for (std::size_t i = 0; i < document_.topologies.size(); ++i) load_topology(i);
  }

 private:
  void load_topology(std::size_t index) {
    const engine::DocumentTopology& topology = document_.topologies[index];
    for (DocumentIndex i = topology.institutions_begin; i < topology.links_end; ++i) {
      load_element(i);
      member_.run(std::int64_t(index), numbers_[i]);
    }
    const engine::AttributeFields fields = topology.attributes->fields();
    const auto reference = [](DocumentIndex to) -> std::optional<std::int64_t> {
      if (to == engine::kNoIndex) return std::nullopt;
      return to;
    };
    topology_.run(std::int64_t(index), fields.id, fields.name, seconds(fields.version),
                  reference(topology.parent), reference(topology.owner));
  }

  // An element that several topologies list is stored once.
  void load_element(DocumentIndex index) {
    const engine::DocumentElement& element = document_.elements[index];
    const engine::AttributeFields fields = element.attributes->fields();
    auto& known = known_[static_cast<std::size_t>(fields.kind)];
    const auto [place, added] = known.emplace(fields.id, next_number_);
    numbers_[index] = place->second;
    if (!added) return;
    const std::int64_t number = next_number_++;
    insert_element(number, fields, element);
    element.attributes->for_each_property([&](const engine::Property& property) {
      property_.run(number, property.name, property.value);
    });
    for (const DocumentIndex owner : document_.owners_of(element))
      owner_.run(number, numbers_[owner]);
  }

  void insert_element(std::int64_t number, const engine::AttributeFields& fields,
                      const engine::DocumentElement& element) {
    std::optional<std::int64_t> ends[2];
    for (int i = 0; i < 2; ++i)
      if (element.ends[i] != engine::kNoIndex) ends[i] = numbers_[element.ends[i]];
    std::optional<std::int64_t> latitude;
    std::optional<std::int64_t> longitude;
    if (fields.coordinates) {
      latitude = fields.coordinates->latitude.value;
      longitude = fields.coordinates->longitude.value;
    }
    std::optional<std::int64_t> altitude;
    if (fields.altitude) altitude = fields.altitude->value;
    element_.run(number, static_cast<std::int64_t>(fields.kind), fields.id, fields.name,
                 fields.short_name, seconds(fields.version), seconds(fields.start),
                 seconds(fields.end), latitude, longitude, altitude, fields.unlocode,
                 fields.address, ends[0], ends[1]);
  }

  const Document& document_;
  std::vector<std::int64_t> numbers_;  // of each place in the document
  std::unordered_map<std::string_view, std::int64_t> known_[kKindCount];
  std::int64_t next_number_ = 1;
  Statement topology_;
  Statement element_;
  Statement property_;
  Statement owner_;
  Statement member_;
};

}  // namespace

void load_into_sqlite(const Document& document, const std::string& path) {
  Database database(path);
  database.run(kSchema);
  database.run("BEGIN");
  Loader(document, database).load();
  database.run("COMMIT");
}

}  // namespace netml::bench

#include "bench/sqlite/loader.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "bench/rows/tables.hpp"

namespace netml::bench {

namespace {

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

// A prepared statement; row(values...) binds them in order and runs it.
class Statement {
 public:
  Statement(Database& database, const char* sql) : database_(database) {
    database.check(::sqlite3_prepare_v2(database.get(), sql, -1, &statement_, nullptr));
  }
  ~Statement() { ::sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  void row(const Values&... values) {
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

// Inserts into a table of so many columns.
Statement insert(Database& database, std::string_view table, int columns) {
  std::string sql = fmt::format("INSERT INTO {} VALUES (?", table);
  for (int i = 1; i < columns; ++i) sql += ",?";
  return {database, (sql + ')').c_str()};
}

}  // namespace

const char* sqlite_version() {
  return ::sqlite3_libversion();
}

void load_into_sqlite(const engine::Document& document, const std::string& path) {
  Database database(path);
  database.run(kSchema);
  database.run("BEGIN");
  Tables<Statement> tables(
      [&](std::string_view name, int columns) { return insert(database, name, columns); });
  give_rows(document, tables);
  database.run("COMMIT");
}

}  // namespace netml::bench

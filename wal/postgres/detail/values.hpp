// Values on their way to the server and back, in binary form: nothing is quoted or parsed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

struct pg_result;

namespace netml::wal::postgres {

// The types that the schema has, by the numbers that the server gives them (pg_type.oid).
enum class Type : unsigned { truth = 16, bytes = 17, integer = 20, text = 25 };

// What $1, $2, ... stand for. Texts and bytes stay the caller's until the statement was queued.
class Parameters {
 public:
  Parameters& add(bool value);
  Parameters& add(std::int64_t value);
  Parameters& add(std::uint64_t value) { return add(static_cast<std::int64_t>(value)); }
  Parameters& add(std::string_view text);
  Parameters& add(std::span<const std::byte> bytes);
  Parameters& add(const char*) = delete;  // it would be a bool

  // As libpq takes them.
  struct Arrays {
    std::vector<unsigned> types;
    std::vector<const char*> values;
    std::vector<int> sizes;
    std::vector<int> formats;
  };
  Arrays arrays() const;

 private:
  struct Value {
    Type type;
    std::array<char, sizeof(std::int64_t)> number{};  // in network byte order
    std::string_view content{};                       // of texts and bytes
  };
  std::vector<Value> values_;
};

struct Statement {
  std::string sql;
  Parameters parameters = {};
};

// What a statement gave. Thread: its owner.
class Rows {
 public:
  explicit Rows(pg_result* result) : result_(result) {}

  std::size_t size() const;
  // What it says it did, such as "COMMIT".
  std::string_view command() const;
  // Errc::corruption unless it has columns of these types, and no null. What follows asks for
  // nothing that was not checked here.
  Status expect(std::initializer_list<Type> columns) const;
  bool truth(std::size_t row, int column) const { return *at(row, column) != 0; }
  std::int64_t integer(std::size_t row, int column) const;
  std::uint64_t count(std::size_t row, int column) const {
    return static_cast<std::uint64_t>(integer(row, column));
  }
  std::string_view text(std::size_t row, int column) const;
  std::span<const std::byte> bytes(std::size_t row, int column) const;
  // Errc::corruption unless there are exactly as many bytes.
  template <std::size_t Size>
  Result<std::array<std::byte, Size>> array(std::size_t row, int column) const {
    std::array<std::byte, Size> out{};
    NETML_TRY_VOID(copy(row, column, out));
    return out;
  }

 private:
  struct Free {
    void operator()(pg_result* result) const;
  };
  const char* at(std::size_t row, int column) const;
  Status copy(std::size_t row, int column, std::span<std::byte> out) const;

  std::unique_ptr<pg_result, Free> result_;
};

}  // namespace netml::wal::postgres

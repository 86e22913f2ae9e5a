#include "wal/postgres/detail/values.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>

namespace netml::wal::postgres {

namespace {

constexpr int kBinary = 1;

}  // namespace

Parameters& Parameters::add(bool value) {
  values_.push_back({Type::truth, {static_cast<char>(value)}});
  return *this;
}

Parameters& Parameters::add(std::int64_t value) {
  Value stored{Type::integer};
  auto rest = static_cast<std::uint64_t>(value);
  for (auto byte = stored.number.rbegin(); byte != stored.number.rend(); ++byte, rest >>= 8U)
    *byte = static_cast<char>(rest & 0xffU);
  values_.push_back(stored);
  return *this;
}

Parameters& Parameters::add(std::string_view text) {
  values_.push_back({Type::text, {}, text});
  return *this;
}

Parameters& Parameters::add(std::span<const std::byte> bytes) {
  values_.push_back({Type::bytes, {}, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
  return *this;
}

Parameters::Arrays Parameters::arrays() const {
  Arrays arrays;
  for (const Value& value : values_) {
    const bool own = value.type == Type::truth || value.type == Type::integer;
    const std::size_t size = value.type == Type::truth     ? 1
                             : value.type == Type::integer ? value.number.size()
                                                           : value.content.size();
    // A null pointer would be NULL, and an empty view may have one.
    const char* const content = value.content.data() == nullptr ? "" : value.content.data();
    arrays.types.push_back(static_cast<unsigned>(value.type));
    arrays.values.push_back(own ? value.number.data() : content);
    arrays.sizes.push_back(static_cast<int>(size));
    arrays.formats.push_back(kBinary);
  }
  return arrays;
}

void Rows::Free::operator()(pg_result* result) const {
  PQclear(result);
}

std::size_t Rows::size() const {
  return static_cast<std::size_t>(PQntuples(result_.get()));
}

std::string_view Rows::command() const {
  return PQcmdStatus(result_.get());
}

Status Rows::expect(std::initializer_list<Type> columns) const {
  if (PQnfields(result_.get()) != static_cast<int>(columns.size()))
    return fail(Errc::corruption, "the database answers with other columns");
  int column = 0;
  for (const Type type : columns) {
    if (PQftype(result_.get(), column) != static_cast<unsigned>(type) ||
        PQfformat(result_.get(), column) != kBinary)
      return fail(Errc::corruption, "the database answers with values of another type");
    for (int row = 0; row < PQntuples(result_.get()); ++row)
      if (PQgetisnull(result_.get(), row, column) != 0)
        return fail(Errc::corruption, "the database answers with a null");
    ++column;
  }
  return {};
}

const char* Rows::at(std::size_t row, int column) const {
  return PQgetvalue(result_.get(), static_cast<int>(row), column);
}

std::int64_t Rows::integer(std::size_t row, int column) const {
  std::uint64_t value = 0;
  for (const char each : std::string_view(at(row, column), sizeof value))
    value = value << 8U | static_cast<unsigned char>(each);
  return static_cast<std::int64_t>(value);
}

std::string_view Rows::text(std::size_t row, int column) const {
  const int size = PQgetlength(result_.get(), static_cast<int>(row), column);
  return {at(row, column), static_cast<std::size_t>(size)};
}

std::span<const std::byte> Rows::bytes(std::size_t row, int column) const {
  return std::as_bytes(std::span(text(row, column)));
}

Status Rows::copy(std::size_t row, int column, std::span<std::byte> out) const {
  const std::span<const std::byte> found = bytes(row, column);
  if (found.size() != out.size())
    return fail(Errc::corruption,
                fmt::format("the database has {} bytes where {} belong", found.size(), out.size()));
  std::ranges::copy(found, out.begin());
  return {};
}

}  // namespace netml::wal::postgres

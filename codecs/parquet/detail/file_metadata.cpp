#include "codecs/parquet/detail/file_metadata.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "codecs/parquet/detail/compact_protocol.hpp"

namespace netml::codecs::parquet {

namespace {

using Thrift = CompactWriter::Type;

// The numbers of parquet.thrift.
constexpr int kFormatVersion = 2;
constexpr std::string_view kCreatedBy = "netml";
enum class PhysicalType : std::uint8_t { boolean = 0, int64 = 2, real = 5, byte_array = 6 };
enum class Repetition : std::uint8_t { required = 0, optional = 1, repeated = 2 };
enum class ConvertedType : std::uint8_t { utf8 = 0, list = 3, timestamp_micros = 10 };
enum class LogicalType : std::uint8_t { string = 1, list = 3, timestamp = 8 };

constexpr std::array<std::string_view, 2> kOfPairs{"name", "value"};

PhysicalType physical_type(ParquetType type) {
  switch (type) {
    case ParquetType::truth:
      return PhysicalType::boolean;
    case ParquetType::number:
      return PhysicalType::real;
    case ParquetType::text:
      return PhysicalType::byte_array;
    case ParquetType::integer:
    case ParquetType::time:
      return PhysicalType::int64;
  }
  return PhysicalType::byte_array;
}

template <class Enum>
std::int64_t number(Enum value) {
  return static_cast<std::int64_t>(value);
}

class Footer {
 public:
  explicit Footer(std::string& out) : thrift_(out) {}

  void write(const FileMetadata& metadata) {
    std::int64_t rows = 0;
    for (const RowGroup& group : metadata.groups) rows += group.rows;
    thrift_.structure([&] {
      thrift_.i32(1, kFormatVersion);
      write_schema(metadata.columns);
      thrift_.i64(3, rows);
      thrift_.list(4, Thrift::structure, metadata.groups.size());
      for (const RowGroup& group : metadata.groups) write_group(group, metadata.columns);
      write_notes(metadata.notes);
      thrift_.text(6, kCreatedBy);
    });
  }

 private:
  // ---- the schema, a tree written from its root, each group before its members ----

  void write_schema(const std::vector<ParquetValues>& columns) {
    std::size_t elements = 1;
    for (const ParquetValues& column : columns) elements += elements_of(column.column());
    thrift_.list(2, Thrift::structure, elements);
    write_group_element("schema", std::nullopt, columns.size());
    for (const ParquetValues& column : columns) write_column(column.column());
  }

  static std::size_t elements_of(const ParquetColumn& column) {
    if (column.shape == ParquetShape::list) return 3;
    return column.shape == ParquetShape::pairs ? 5 : 1;
  }

  // Lists have the three levels that the format asks for.
  void write_column(const ParquetColumn& column) {
    const auto& [name, type, shape] = column;
    if (shape == ParquetShape::required) return write_leaf(name, type, Repetition::required);
    if (shape == ParquetShape::optional) return write_leaf(name, type, Repetition::optional);
    write_group_element(name, Repetition::required, 1, true);
    write_group_element("list", Repetition::repeated, 1);
    if (shape == ParquetShape::list) return write_leaf("element", type, Repetition::required);
    write_group_element("element", Repetition::required, kOfPairs.size());
    for (const std::string_view member : kOfPairs) write_leaf(member, type, Repetition::required);
  }

  void write_group_element(std::string_view name, std::optional<Repetition> repetition,
                           std::size_t members, bool is_list = false) {
    thrift_.structure([&] {
      if (repetition) thrift_.i32(3, number(*repetition));
      thrift_.text(4, name);
      thrift_.i32(5, static_cast<std::int64_t>(members));
      if (!is_list) return;
      thrift_.i32(6, number(ConvertedType::list));
      thrift_.structure(10, [&] { thrift_.structure(number_of(LogicalType::list), [] {}); });
    });
  }

  void write_leaf(std::string_view name, ParquetType type, Repetition repetition) {
    thrift_.structure([&] {
      thrift_.i32(1, number(physical_type(type)));
      thrift_.i32(3, number(repetition));
      thrift_.text(4, name);
      if (type == ParquetType::text) {
        thrift_.i32(6, number(ConvertedType::utf8));
        thrift_.structure(10, [&] { thrift_.structure(number_of(LogicalType::string), [] {}); });
      } else if (type == ParquetType::time) {
        thrift_.i32(6, number(ConvertedType::timestamp_micros));
        thrift_.structure(10, [&] { write_timestamp(); });
      }
    });
  }

  void write_timestamp() {
    constexpr int kMicroseconds = 2;
    thrift_.structure(number_of(LogicalType::timestamp), [&] {
      thrift_.truth(1, true);  // in UTC
      thrift_.structure(2, [&] { thrift_.structure(kMicroseconds, [] {}); });
    });
  }

  static int number_of(LogicalType type) { return static_cast<int>(type); }

  // ---- row groups ----

  void write_group(const RowGroup& group, const std::vector<ParquetValues>& columns) {
    std::int64_t bytes = 0;
    std::int64_t stored_bytes = 0;
    for (const ColumnChunk& chunk : group.chunks) {
      bytes += chunk.bytes;
      stored_bytes += chunk.stored_bytes;
    }
    thrift_.structure([&] {
      thrift_.list(1, Thrift::structure, group.chunks.size());
      auto chunk = group.chunks.begin();
      for (const ParquetValues& column : columns)
        for (std::size_t leaf = 0; leaf < column.leaves().size(); ++leaf)
          write_chunk(*chunk++, column.column(), leaf);
      thrift_.i64(2, bytes);
      thrift_.i64(3, group.rows);
      thrift_.i64(5, group.chunks.front().offset);
      thrift_.i64(6, stored_bytes);
    });
  }

  void write_chunk(const ColumnChunk& chunk, const ParquetColumn& column, std::size_t leaf) {
    thrift_.structure([&] {
      thrift_.i64(2, chunk.offset);
      thrift_.structure(3, [&] {
        thrift_.i32(1, number(physical_type(column.type)));
        thrift_.list(2, Thrift::i32, 2);
        thrift_.integer(number(Encoding::plain));
        thrift_.integer(number(Encoding::rle));
        write_path(column, leaf);
        thrift_.i32(4, number(Codec::zstd));
        thrift_.i64(5, chunk.places);
        thrift_.i64(6, chunk.bytes);
        thrift_.i64(7, chunk.stored_bytes);
        thrift_.i64(9, chunk.offset);
      });
    });
  }

  void write_path(const ParquetColumn& column, std::size_t leaf) {
    const bool is_list = column.shape >= ParquetShape::list;
    const bool is_pair = column.shape == ParquetShape::pairs;
    thrift_.list(3, Thrift::binary, 1U + (is_list ? 2 : 0) + (is_pair ? 1 : 0));
    thrift_.text(column.name);
    if (is_list) {
      thrift_.text("list");
      thrift_.text("element");
    }
    if (is_pair) thrift_.text(kOfPairs[leaf]);
  }

  void write_notes(const std::vector<std::pair<std::string, std::string>>& notes) {
    if (notes.empty()) return;
    thrift_.list(5, Thrift::structure, notes.size());
    for (const auto& [key, value] : notes)
      thrift_.structure([&] {
        thrift_.text(1, key);
        thrift_.text(2, value);
      });
  }

  CompactWriter thrift_;
};

}  // namespace

std::string encode(const FileMetadata& metadata) {
  std::string out;
  Footer(out).write(metadata);
  return out;
}

}  // namespace netml::codecs::parquet

// Thrift's compact protocol, which headers of pages and the footer are written in
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). As much of
// it as Parquet needs: structures of integers, truth values, texts, lists and structures.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace netml::codecs::parquet {

// Seven bits a byte, the lowest first.
inline void append_varint(std::string& out, std::uint64_t value) {
  constexpr std::uint64_t kContinues = 0x80;
  while (value >= kContinues) {
    out += static_cast<char>(value | kContinues);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

// Fields are given in ascending order of their numbers; lists of elements one after another.
class CompactWriter {
 public:
  enum class Type : std::uint8_t {
    truth = 1,
    falsehood = 2,
    i32 = 5,
    i64 = 6,
    binary = 8,
    list = 9,
    structure = 12
  };

  explicit CompactWriter(std::string& out) : out_(out) {}

  // ---- fields of the structure that is open ----
  void truth(int field, bool value) { begin(field, value ? Type::truth : Type::falsehood); }
  void i32(int field, std::int64_t value) {
    begin(field, Type::i32);
    integer(value);
  }
  void i64(int field, std::int64_t value) {
    begin(field, Type::i64);
    integer(value);
  }
  void text(int field, std::string_view value) {
    begin(field, Type::binary);
    text(value);
  }
  template <class Write>
  void structure(int field, Write&& write) {
    begin(field, Type::structure);
    structure(write);
  }
  // `size` elements of the type follow.
  void list(int field, Type type, std::size_t size) {
    constexpr std::size_t kLong = 15;
    begin(field, Type::list);
    out_ += static_cast<char>((size < kLong ? size : kLong) << 4 | static_cast<std::size_t>(type));
    if (size >= kLong) append_varint(out_, size);
  }

  // ---- elements of a list, and the outermost structure ----
  void integer(std::int64_t value) {
    append_varint(out_,
                  static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    append_varint(out_, value.size());
    out_ += value;
  }
  template <class Write>
  void structure(Write&& write) {
    const int outer = std::exchange(last_field_, 0);
    write();
    out_ += '\0';
    last_field_ = outer;
  }

 private:
  // By the distance to the field before, which is never more than 15 here.
  void begin(int field, Type type) {
    out_ += static_cast<char>((field - last_field_) << 4 | static_cast<int>(type));
    last_field_ = field;
  }

  std::string& out_;
  int last_field_ = 0;
};

}  // namespace netml::codecs::parquet

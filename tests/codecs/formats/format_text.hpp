// Files of other formats as texts, for tests of their readers and writers.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "codecs/document/random_access.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "engine/import/plan_import.hpp"
#include "engine/transaction/state.hpp"

namespace netml::codecs::test {

class TextFile final : public RandomAccessFile {
 public:
  explicit TextFile(std::string_view text) : text_(text) {}
  std::uint64_t size() const override { return text_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    std::memcpy(out.data(), text_.data() + offset, out.size());
    return {};
  }

 private:
  std::string_view text_;
};

inline ReadResult read_text(std::string_view format, std::string_view text,
                            std::string_view name = {}, std::string_view owner = {},
                            std::string_view headings = {}, std::string_view mapping = {}) {
  const FileLimits limits;
  TextFile file(text);
  return find_format(format)->read(file, {.topology_name = name,
                                          .file_name = "file",
                                          .owner = owner,
                                          .headings = *HeadingMap::parse(headings),
                                          .mapping = mapping,
                                          .limits = limits});
}

// What an import into an empty node makes of it.
inline engine::State imported(const engine::Document& document) {
  const engine::State empty;
  auto plan = engine::plan_import(empty, document, {});
  return *engine::apply(empty, plan->transaction, Lsn{1});
}

// Whether the document says of the map what the map has. Digests do not tell: they follow the
// identities of records, which follow the order of the file that was imported first.
inline bool says_the_same(const engine::Document& document, const engine::State& map) {
  const auto plan = engine::plan_import(map, document, {});
  return plan && plan->transaction.records.empty();
}

}  // namespace netml::codecs::test

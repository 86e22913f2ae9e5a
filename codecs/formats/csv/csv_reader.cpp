#include "codecs/formats/csv/csv_reader.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "codecs/formats/csv/csv_text.hpp"
#include "codecs/formats/tables/table_content.hpp"
#include "codecs/formats/tables/table_update.hpp"

namespace netml::codecs {

namespace {

tl::unexpected<engine::InputErrors> refused(engine::InputError error) {
  return tl::unexpected(engine::InputErrors{{std::move(error)}, 1});
}

struct CsvTable {
  Table table;
  engine::DocumentNotes notes;
};

tl::expected<CsvTable, engine::InputErrors> read_table(RandomAccessFile& file,
                                                       const HeadingMap& said,
                                                       const ReadLimits& limits) {
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  if (const Status read = file.read_at(0, std::as_writable_bytes(std::span(bytes))); !read)
    return refused({"unreadable", fmt::format("Error: {}", read.error().message)});
  auto decoded = decode_csv(std::move(bytes));
  if (!decoded) return refused(std::move(decoded).error());
  const char found = csv_separator(decoded->text, said, limits);
  auto table = parse_csv(decoded->text, found == 0 ? ',' : found, limits);
  if (!table) return refused(std::move(table).error());
  CsvTable read{.table = *std::move(table), .notes = {}};
  if (decoded->guessed)
    read.notes.add({true, Kind::topology,
                    "the file is not UTF-8; it is read as Windows-1252, which has Latin-1"});
  return read;
}

}  // namespace

ReadResult read_csv(RandomAccessFile& file, const HeadingMap& said, const DraftOptions& options,
                    const ReadLimits& limits) {
  NETML_TRY(CsvTable read, read_table(file, said, limits));
  TableContent content(said, limits.errors);
  content.notes() = std::move(read.notes);
  return content.read({&read.table, 1}, options);
}

UpdateResult read_csv_update(RandomAccessFile& file, const HeadingMap& said,
                             const ReadLimits& limits) {
  NETML_TRY(CsvTable read, read_table(file, said, limits));
  TableUpdate update(said, limits.errors);
  update.notes() = std::move(read.notes);
  return std::move(update).read({&read.table, 1});
}

}  // namespace netml::codecs

#include "codecs/formats/csv/csv_reader.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "codecs/formats/csv/csv_text.hpp"
#include "codecs/formats/tables/table_content.hpp"

namespace netml::codecs {

namespace {

tl::unexpected<engine::InputErrors> refused(engine::InputError error) {
  return tl::unexpected(engine::InputErrors{{std::move(error)}, 1});
}

}  // namespace

ReadResult read_csv(RandomAccessFile& file, const DraftOptions& options, const ReadLimits& limits) {
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  if (const Status read = file.read_at(0, std::as_writable_bytes(std::span(bytes))); !read)
    return refused({"unreadable", fmt::format("Error: {}", read.error().message)});
  auto decoded = decode_csv(std::move(bytes));
  if (!decoded) return refused(std::move(decoded).error());
  const char found = csv_separator(decoded->text, limits);
  auto table = parse_csv(decoded->text, found == 0 ? ',' : found, limits);
  if (!table) return refused(std::move(table).error());
  TableContent content(limits.errors);
  if (decoded->guessed)
    content.notes().add({true, Kind::topology,
                         "the file is not UTF-8; it is read as Windows-1252, which has Latin-1"});
  decoded->text = {};  // the table has it
  return content.read({&*table, 1}, options);
}

}  // namespace netml::codecs

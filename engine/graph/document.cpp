#include "engine/graph/document.hpp"

#include <fmt/format.h>

#include <utility>

namespace netml::engine {

AttributesPtr global_institution() {
  const Property tag[] = {{"tag", "global"}};
  AttributeFields fields;
  fields.kind = Kind::institution;
  fields.id = kGlobalInstitutionId;
  fields.name = "GREN";
  fields.properties = tag;
  return Attributes::make(fields);
}

void rename_root(Document& document, std::string_view name) {
  NETML_ASSERT(!document.topologies.empty());
  AttributesPtr& root = document.topologies.front().attributes;
  const std::optional<std::string> cut = cut_text(name, kNameCharactersMax);
  if (cut)
    document.notes.add(
        {false, Kind::topology, fmt::format("name cut from \"{}\" to \"{}\"", name, *cut)});
  root = changed_copy(*root, [&](AttributeFields& fields) { fields.name = cut ? *cut : name; });
}

void DocumentNotes::add(DocumentNote note) {
  Tally& tally = note.warning ? warnings_ : information_;
  if (tally.kept == kKeptMax) {
    ++tally.left_out;
    return;
  }
  ++tally.kept;
  kept_.push_back(std::move(note));
}

void DocumentNotes::add_left_out(const DocumentNotes& others) {
  warnings_.left_out += others.warnings_.left_out;
  information_.left_out += others.information_.left_out;
}

std::string column_letters(std::uint64_t column) {
  constexpr std::uint64_t kLetters = 26;
  std::string letters;
  for (; column > 0; column = (column - 1) / kLetters)
    letters.insert(letters.begin(), static_cast<char>('A' + (column - 1) % kLetters));
  return letters;
}

std::string InputError::place() const {
  if (!pointer.empty()) return pointer;
  if (sheet.empty())
    return line == 0 ? std::string() : fmt::format("line {}, column {}", line, column);
  if (line == 0) return fmt::format("sheet {}", sheet);
  if (column == 0) return fmt::format("sheet {}, row {}", sheet, line);
  return fmt::format("sheet {}, cell {}{}", sheet, column_letters(column), line);
}

std::string InputError::text() const {
  std::string text = message;
  if (!id.empty()) text = fmt::format("{} ({})", text, id);
  if (const std::string where = place(); !where.empty()) text = fmt::format("{}: {}", where, text);
  return text;
}

}  // namespace netml::engine

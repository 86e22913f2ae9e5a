#include "engine/document.hpp"

#include <fmt/format.h>

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
  const std::vector<Property> properties = root->properties();
  const std::optional<std::string> cut = cut_text(name, kNameCharactersMax);
  if (cut)
    document.notes.push_back(
        {false, Kind::topology, fmt::format("name cut from \"{}\" to \"{}\"", name, *cut)});
  AttributeFields fields = root->fields();
  fields.name = cut ? std::string_view(*cut) : name;
  fields.properties = properties;
  root = Attributes::make(fields);
}

std::string InputError::text() const {
  std::string text = message;
  if (!id.empty()) text = fmt::format("{} ({})", text, id);
  if (line != 0) text = fmt::format("line {}, column {}: {}", line, column, text);
  return text;
}

}  // namespace netml::engine

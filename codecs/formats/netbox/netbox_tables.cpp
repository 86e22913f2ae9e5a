#include "codecs/formats/netbox/netbox_tables.hpp"

#include <algorithm>

namespace netml::codecs::netbox {

std::string_view Named::value(std::string_view name) const {
  for (const NamedField& field : fields)
    if (field.rule->called == name) return field.value;
  return {};
}

bool Named::has(std::string_view name) const {
  return std::ranges::any_of(fields,
                             [&](const NamedField& field) { return field.rule->name == name; });
}

}  // namespace netml::codecs::netbox

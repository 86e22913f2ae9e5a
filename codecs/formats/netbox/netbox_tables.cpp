#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

std::string_view Named::value(std::string_view name) const {
  for (const NamedField& field : fields)
    if (field.rule->called == name) return field.value;
  return {};
}

}  // namespace netml::codecs::netbox

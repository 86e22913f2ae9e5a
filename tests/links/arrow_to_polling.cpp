// As a file of admin/access that uses admin/polling would be.
#include "admin/polling/source_address.hpp"

namespace netml::admin {

std::string arrow_to_polling(const engine::PollingSource& source) {
  return base_url(source);
}

}  // namespace netml::admin

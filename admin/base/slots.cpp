#include "admin/base/slots.hpp"

namespace netml::admin {

std::shared_ptr<void> Slots::take() {
  if (taken_->fetch_add(1) >= max_) {
    taken_->fetch_sub(1);
    return nullptr;
  }
  return {taken_.get(), [taken = taken_](void*) { taken->fetch_sub(1); }};
}

}  // namespace netml::admin

// In which country a record says that it is: by its UN/LOCODE, and by a property.
//
// Thread: any (values and pure functions).
#pragma once

#include <optional>
#include <string_view>

#include "engine/graph/record.hpp"
#include "engine/quality/countries.hpp"

namespace netml::engine {

bool is_unlocode(std::string_view code);

// Of a record; nothing where it names none, or two.
class StatedCountry {
 public:
  StatedCountry(const Countries& countries, const Attributes& record);

  bool is_disputed() const { return by_unlocode_ && by_name_ && by_unlocode_ != by_name_; }
  std::optional<std::size_t> get() const {
    if (is_disputed()) return std::nullopt;
    return by_name_ ? by_name_ : by_unlocode_;
  }

 private:
  std::optional<std::size_t> by_unlocode_;
  std::optional<std::size_t> by_name_;
};

}  // namespace netml::engine

// What a finding about several elements says of them: how many they are, and what the first ones
// are called.
//
// Thread: its owner.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "codecs/document/error_list.hpp"

namespace netml::codecs {

class NameList {
 public:
  void add(std::string_view name) {
    constexpr std::size_t kNamedMax = 5;
    if (count_++ < kNamedMax)
      names_ += fmt::format("{}{}", names_.empty() ? "" : ", ", excerpt(name));
    else
      names_end_ = ", ...";
  }
  std::size_t count() const { return count_; }
  // "LNS, PSFC"; "a, b, c, d, e, ..."
  std::string text() const { return names_ + std::string(names_end_); }

 private:
  std::size_t count_ = 0;
  std::string names_;
  std::string_view names_end_;
};

}  // namespace netml::codecs

// Identifiers of elements that have none, from what a file says of them and never from its order
// (docs/formats/README.md, "Identity").
//
// Thread: any.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"

namespace netml::codecs {

// What may tell an element from others of its kind, the most telling first. Empty: the file says
// nothing of that.
struct Traits {
  std::string_view identifier;  // given by the file: it is the identity
  std::string label;            // of a link: the identifiers of its ends
  std::string_view key;
};

// The identifiers of elements of one kind in `network`, in their order. Keys distinguish
// equal labels, contents equal keys; what is equal in all is numbered, and it does not matter which
// is which.
// `contents` is all else that the file says of an element, by its number.
std::vector<std::string> identify(Kind kind, std::string_view network,
                                  const std::vector<Traits>& elements,
                                  const std::function<std::string(std::size_t)>& contents);

}  // namespace netml::codecs

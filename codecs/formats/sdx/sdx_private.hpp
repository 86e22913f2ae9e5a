// Lists `private` of AtlanticWave-SDX: names of members, beside the list, that must not leave their
// network.
//
// Thread: any (pure functions).
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "codecs/document/json_tree.hpp"

namespace netml::codecs {

// The names of an object's members that are private.
boost::unordered_flat_set<std::string_view> private_names(JsonValue object);

// A value as JSON, without blanks and without what is private in it.
struct VisibleJson {
  std::string text;
  std::uint64_t leaves = 0;  // that are in the text
};
// `hide(path, value)` is called for what is left out. `skip` names values of the list that are left
// out silently; their leaves count as being in the text.
VisibleJson visible_json(JsonValue value,
                         const std::function<void(std::string_view, JsonValue)>& hide,
                         const std::function<bool(JsonValue)>& skip);

}  // namespace netml::codecs

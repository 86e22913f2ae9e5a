#include "codecs/formats/sdx/sdx_private.hpp"

#include <utility>
#include <vector>

#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kPrivate = "private";

std::uint64_t leaves_of(JsonValue value) {
  std::uint64_t count = 0;
  for (JsonLeaves leaves(value); leaves.next();) ++count;
  return count;
}

// Goes through a value without recursion: files decide how deep it is.
class Printer {
 public:
  Printer(const std::function<void(std::string_view, JsonValue)>& hide,
          const std::function<bool(JsonValue)>& skip)
      : hide_(hide), skip_(skip) {}

  VisibleJson print(JsonValue root) && {
    put(root, "");
    while (!open_.empty()) {
      Open& open = open_.back();
      if (open.is_object ? open.member == open.members_end : open.item == open.items_end) {
        json_.text += open.is_object ? '}' : ']';
        open_.pop_back();
      } else if (open.is_object) {
        next_member(open);
      } else {
        next_item(open);
      }
    }
    return std::move(json_);
  }

 private:
  struct Open {
    bool is_object = false;
    bool begun = false;
    JsonRange<true>::Iterator member = {};
    JsonRange<true>::Iterator members_end = {};
    JsonRange<false>::Iterator item = {};
    JsonRange<false>::Iterator items_end = {};
    boost::unordered_flat_set<std::string_view> hidden = {};
    std::string path = {};
  };

  void put(JsonValue value, std::string path) {
    const bool is_container = (value.is_object() || value.is_array()) && !value.is_empty();
    if (!is_container) {
      ++json_.leaves;
      json_.text += value.json();
      return;
    }
    Open open{.is_object = value.is_object(), .path = std::move(path)};
    if (open.is_object) {
      open.hidden = private_names(value);
      open.member = value.members().begin();
      open.members_end = value.members().end();
    } else {
      open.item = value.items().begin();
      open.items_end = value.items().end();
    }
    json_.text += open.is_object ? '{' : '[';
    open_.push_back(std::move(open));
  }

  void separate(Open& open) {
    if (std::exchange(open.begun, true)) json_.text += ',';
  }

  // A reference to `open` does not outlive put().
  void next_member(Open& open) {
    const JsonMember member = *open.member;
    ++open.member;
    constexpr std::size_t kPathMax = 128;  // it is a name, not a value
    std::string path = open.path.substr(0, kPathMax);
    if (!path.empty()) path += '.';
    path += member.name.substr(0, kPathMax);
    if (open.hidden.contains(member.name)) return hide_(path, member.value);
    separate(open);
    append_json_string(json_.text, member.name);
    json_.text += ':';
    put(member.value, std::move(path));
  }

  void next_item(Open& open) {
    const JsonValue item = *open.item;
    ++open.item;
    if (open_.size() == 1 && skip_(item)) {
      json_.leaves += leaves_of(item);
      return;
    }
    separate(open);
    put(item, open.path + "[]");
  }

  const std::function<void(std::string_view, JsonValue)>& hide_;
  const std::function<bool(JsonValue)>& skip_;
  VisibleJson json_;
  std::vector<Open> open_;
};

}  // namespace

boost::unordered_flat_set<std::string_view> private_names(JsonValue object) {
  boost::unordered_flat_set<std::string_view> names;
  for (const JsonMember& member : object.members()) {
    if (member.name != kPrivate) continue;
    for (const JsonValue name : member.value.items())
      if (name.is_string() && name.text() != kPrivate) names.insert(name.text());
  }
  return names;
}

VisibleJson visible_json(JsonValue value,
                         const std::function<void(std::string_view, JsonValue)>& hide,
                         const std::function<bool(JsonValue)>& skip) {
  return Printer(hide, skip).print(value);
}

}  // namespace netml::codecs

#include "admin/api/public/yaml.hpp"

#include <boost/json/serialize.hpp>
#include <vector>

namespace netml::admin {

namespace json = boost::json;

namespace {

// A collection that is being written: what comes next, and how far it is indented.
struct Open {
  const json::value* collection;
  std::size_t next = 0;
  std::size_t indent = 0;

  std::size_t size() const {
    return collection->is_object() ? collection->get_object().size()
                                   : collection->get_array().size();
  }
};

bool has_lines(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

}  // namespace

std::string to_yaml(const json::value& value) {
  if (!has_lines(value)) return json::serialize(value) + '\n';
  constexpr std::size_t kIndent = 2;
  std::string out;
  std::vector<Open> open{{&value}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.size()) {
      open.pop_back();
      continue;
    }
    out.append(top.indent, ' ');
    const json::value* member = nullptr;
    if (top.collection->is_object()) {
      const json::key_value_pair& pair =
          *(top.collection->get_object().begin() + static_cast<std::ptrdiff_t>(top.next++));
      out += json::serialize(json::string(pair.key())) + ':';
      member = &pair.value();
    } else {
      out += '-';
      member = &top.collection->get_array()[top.next++];
    }
    if (has_lines(*member)) {
      out += '\n';
      open.push_back({member, 0, top.indent + kIndent});
    } else {
      out += ' ' + json::serialize(*member) + '\n';
    }
  }
  return out;
}

}  // namespace netml::admin

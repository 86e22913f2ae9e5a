// The values of one name belong together as a list: the nearest instance that has the name gives
// all of its values, and one value of it is never mixed with those of a farther instance. Only tags
// are a set, where each instance may add its own. So the result depends on which instance is
// nearer, and never on hashes: names and values keep the order in which they first occur.
#include "engine/import/detail/gather_properties.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

// A reserved property says something about the one instance that has it, as the mark of a copy
// does.
bool is_reserved(const Property& property) {
  return property.name.starts_with(kReservedPrefix);
}

// Properties by name, names in the order in which they first occur.
class ValueLists {
 public:
  struct List {
    std::string_view name;
    std::vector<std::string_view> values;
  };

  void add(const Property& property) { list(property.name).values.push_back(property.value); }
  List& list(std::string_view name) {
    const auto [entry, added] = index_.try_emplace(name, lists_.size());
    if (added) lists_.push_back({name, {}});
    return lists_[entry->second];
  }
  const std::vector<List>& all() const { return lists_; }

 private:
  std::vector<List> lists_;
  boost::unordered_flat_map<std::string_view, std::size_t> index_;
};

ValueLists own_lists(const Attributes& instance) {
  ValueLists lists;
  instance.for_each_property([&](const Property& property) {
    if (!is_reserved(property)) lists.add(property);
  });
  return lists;
}

// Keeps the order in which tags first occur. `known` is what is held, as a set: a file may give as
// many tags as a record can hold to each instance of an element, so a search of the list for each
// would take the writer's thread for minutes.
void unite(std::vector<std::string_view>& held, const std::vector<std::string_view>& offered,
           boost::unordered_flat_set<std::string_view>& known) {
  if (held == offered) return;
  if (known.empty()) known.insert(held.begin(), held.end());
  for (const std::string_view value : offered)
    if (known.insert(value).second) held.push_back(value);
}

}  // namespace

GatheredProperties gather_properties(std::span<const Attributes* const> instances) {
  GatheredProperties gathered;
  ValueLists shared;
  boost::unordered_flat_set<std::string_view> tags;
  // The instances come from the nearest to the farthest, so what is there already stays.
  for (const Attributes* instance : instances) {
    const ValueLists own = own_lists(*instance);
    for (const auto& [name, offered] : own.all()) {
      std::vector<std::string_view>& held = shared.list(name).values;
      // No name is there without a value, so an empty list is one that no nearer instance had.
      if (held.empty())
        held = offered;
      else if (name == "tag")
        unite(held, offered, tags);
      else if (held != offered)
        gathered.conflicts.emplace_back(name);
    }
  }
  for (const auto& [name, values] : shared.all())
    for (const std::string_view value : values) gathered.shared.push_back({name, value});
  sort_each_once(gathered.conflicts);
  return gathered;
}

AttributesPtr with_properties(const AttributesPtr& instance, std::span<const Property> shared) {
  const std::vector<Property> own = instance->properties();
  std::vector<Property> properties(shared.begin(), shared.end());
  std::ranges::copy_if(own, std::back_inserter(properties), is_reserved);
  // Where the instances agree nothing is built anew.
  if (properties == own) return instance;
  AttributeFields fields = instance->fields();
  fields.properties = properties;
  return Attributes::make(fields);
}

}  // namespace netml::engine

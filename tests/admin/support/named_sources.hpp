// Polling sources by their names, as tests know them.
#pragma once

#include <string>

#include "admin/polling/sources.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::admin::testing {

class NamedSources : public Sources {
 public:
  explicit NamedSources(Node& node, SourceRule rule = SourceRule::production)
      : Sources(node, rule), node_(node) {}

  using Sources::remove;
  using Sources::update;
  Status update(const Caller& caller, const std::string& name, const SourceFields& fields) {
    return update(caller, number_of(name), fields);
  }
  Status remove(const Caller& caller, const std::string& name) {
    return remove(caller, number_of(name));
  }

 private:
  // 0 when there is none.
  std::uint64_t number_of(const std::string& name) const {
    return find_source(node_.version().state->catalog, name);
  }

  Node& node_;
};

}  // namespace netml::admin::testing

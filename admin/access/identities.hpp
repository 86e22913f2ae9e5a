// Who comes in through a web server in front that knows who somebody is
// (docs/requirements/administration.md, section 1): what it says of them, and the accounts that
// they have here. engine/edit/plan_identities.hpp has the rules.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <string>

#include "admin/node/node.hpp"

namespace netml::admin {

class Identities {
 public:
  explicit Identities(Node& node) : node_(node) {}

  // `listed`: among those who become administrators when they come.
  enum class Listed : bool { no, yes };

  // The number of the account. One transaction when anything is new, none otherwise.
  // Errc::invalid_input when the eppn cannot be one.
  Result<std::uint64_t> sign_in(const Caller& caller, const engine::ExternalIdentity& identity,
                                Listed listed);
  // Errors begin with the field's name; Errc::conflict when another one has the eppn.
  Result<std::uint64_t> create(const Caller& caller, const engine::ExternalIdentity& identity,
                               Listed listed);
  Status update(const Caller& caller, std::uint64_t number,
                const engine::ExternalIdentity& identity);

 private:
  Node& node_;
};

}  // namespace netml::admin

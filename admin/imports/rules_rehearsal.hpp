// What collation rules would have made of the history (docs/rules.md, "Rehearsal"): its imports are
// planned again with the rules of a file in force, and nothing is changed.
#pragma once

#include <memory>
#include <string_view>
#include <tl/expected.hpp>

#include "admin/base/slots.hpp"
#include "admin/history/audit.hpp"
#include "admin/node/node.hpp"
#include "codecs/formats/rules_json.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// A stream of documents, one a line (docs/api.md): what it is about; then one for each import, as
// it is planned, and one now and then that tells how far it is; at the end what differs from the
// map. It works while it is read, and not beyond. It must not outlive the node.
//
// The rules are those that storing the file now would leave. `since`: WHEN (docs/audit.md), from
// which they count. It has a place of `at_once` as long as the stream lives. Errors as those of
// Rules::change_of_import() and Audit::state_before(); Errc::unavailable when there is too little
// memory, or no place.
tl::expected<std::unique_ptr<net::BodySource>, codecs::RulesRefused> rehearse_rules(
    Node& node, Audit& audit, Slots& at_once, std::string_view rules, std::string_view since);

}  // namespace netml::admin

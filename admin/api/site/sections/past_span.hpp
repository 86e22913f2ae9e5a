// The part of the past that a request asks about.
#pragma once

#include "admin/api/site/calls/calls.hpp"

namespace netml::admin::web {

struct PastSpan {
  Lsn first;
  Lsn last;
};

// `from` and `until` of the query, each a WHEN (docs/audit.md): from the empty node on, and up to
// now, without them. Errc::invalid_input when it would end before it begins.
Result<PastSpan> wanted_span(const Call& call);

}  // namespace netml::admin::web

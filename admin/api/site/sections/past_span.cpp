#include "admin/api/site/sections/past_span.hpp"

namespace netml::admin::web {

Result<PastSpan> wanted_span(const Call& call) {
  Audit& audit = call.services.audit;
  PastSpan span;
  NETML_TRY(span.first, audit.resolve(call.query("from").value_or("0")));
  NETML_TRY(span.last, audit.resolve(call.query("until").value_or("latest")));
  if (span.last < span.first) return fail(Errc::invalid_input, "until", "is before the beginning");
  return span;
}

}  // namespace netml::admin::web

// Answers to queries in GraphQL (docs/requirements/http-api.md, section 14), which anybody may
// send.
//
// A short answer is made at once. One that is longer than a piece is made twice: first only to
// count its bytes, since nothing can be refused once sending has begun; then piece by piece as the
// client reads. So its memory does not grow with its length.
//
// Bounds: those of the plan and the writer; bytes of an answer and the time for counting them; the
// long answers at once, how many of them are counted at once, and the time for reading one.
// Nobody waits here: a worker that waited would be missing elsewhere.
// Failure: Errc::invalid_input beyond a bound of the query; Errc::unavailable while too many ask,
// or the memory is taken. Thread: any.
#pragma once

#include <chrono>

#include "admin/api/graphql/graphql_plan.hpp"
#include "admin/base/memory_budget.hpp"
#include "admin/base/slots.hpp"
#include "engine/base/time.hpp"
#include "engine/transaction/state.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web::graphql {

struct AnswerLimits {
  std::uint64_t bytes_max = 64 << 20;
  std::chrono::seconds counted_within{10};
  std::chrono::seconds sent_within{120};
  std::size_t long_at_once_max = 8;
  std::size_t counted_at_once_max = 3;  // a page asks for nodes, links and institutions
};

class Answers {
 public:
  // Both outlive it and all answers.
  Answers(MemoryBudget& memory, const Clock& clock, AnswerLimits limits = {})
      : memory_(memory),
        clock_(clock),
        limits_(limits),
        long_(limits.long_at_once_max),
        counted_(limits.counted_at_once_max) {}

  Result<net::Body> of(engine::StatePtr state, Plan plan, const net::ClientPresence& client);

 private:
  MemoryBudget& memory_;
  const Clock& clock_;
  const AnswerLimits limits_;
  Slots long_;
  Slots counted_;
};

}  // namespace netml::admin::web::graphql

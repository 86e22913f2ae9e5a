#include "admin/api/polling_trigger.hpp"

#include <fmt/format.h>

#include "admin/answers/json_answers.hpp"
#include "engine/base/texts.hpp"
#include "net/http/uri.hpp"

namespace netml::admin {

net::Response poll_started(std::uint64_t batch) {
  net::Response response = json_answer(201, "");
  response.headers.set("Location", fmt::format("/polling/test/logs/batches/{}/", batch));
  return response;
}

Result<net::Response> trigger_polling(Services& services, const net::Request& request,
                                      const Caller& caller) {
  if (services.polling.sandbox()) return fail(Errc::not_found, "nothing is polled in a sandbox");
  bool scheduled = false;
  if (const auto text = net::query_parameter(request.query, "scheduled")) {
    const auto number = parse_integer<std::int64_t>(*text);
    if (!number) return fail(Errc::invalid_input, "scheduled", "must be a whole number");
    scheduled = *number != 0;
  }
  const engine::StatePtr state = services.node.version().state;
  if (setting_value(state->catalog, kPollingEnabled) != "True")
    return json_answer(403, "polling is disabled by the setting Polling Enabled");
  NETML_TRY(const auto started,
            services.polling.collect_all({.caller = caller, .scheduled = scheduled}));
  if (started) return poll_started(started->batch);
  net::Response nothing;
  nothing.status = 204;
  return nothing;
}

}  // namespace netml::admin

// What is going on, and a stream that tells when something changes
// (docs/api.md, section "Publications and activity").
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/polling/poll_schedule.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<Response> tasks(const Call& call) {
  json::array running;
  call.state()->catalog.imports.for_each_with<&engine::ImportRecord::status>(
      engine::ImportStatus::in_progress,
      [&](std::uint64_t number, const engine::ImportRecord& record) {
        running.push_back(
            json::object{{"kind", "import"}, {"number", number}, {"name", record.name}});
      });
  if (call.services.poller.busy()) running.push_back(json::object{{"kind", "poll"}});
  const PollSchedule* schedule = call.services.schedule;
  const auto next = schedule == nullptr ? std::nullopt : schedule->next_run();
  return json_answer(200, {{"next_poll", next ? json::value(time_text(*next)) : json::value()},
                           {"running", std::move(running)}});
}

// A stream neither outlives its session nor keeps it in use. One that was opened by password ends
// with what would end a session: its account goes, or has another password, role or activity.
bool goes_on(const Site& site, const SignedIn& who) {
  const engine::StatePtr state = site.services.node.version().state;
  if (who.session != 0) {
    const auto session = state->catalog.sessions.find(who.session);
    return session != nullptr && site.sessions.goes_on(who.session, *session);
  }
  if (who.number == 0) return true;  // the control socket
  const auto account = state->catalog.accounts.find(who.number);
  return account != nullptr && account->enabled && account->role == who.account->role &&
         account->sealed_password == who.account->sealed_password;
}

Result<Response> events(const Call& call) {
  if (call.request.control && call.services.listeners.empty())
    return fail(Errc::conflict, "no server runs on the data directory: nothing will happen");
  auto stream = call.services.notifier.listen(
      [&site = call.site, who = *call.who, client = call.request.client] {
        return !client.has_left() && goes_on(site, who);
      });
  if (stream != nullptr) return event_stream(std::move(stream));
  Response busy = refuse(503, "busy", "too many pages listen already; ask now and then instead");
  busy.headers.set("Retry-After", "15");
  return busy;
}

}  // namespace

void add_activity(Routes& routes) {
  routes.add(Method::get, "tasks", {Needs::viewer}, tasks);
  routes.add(Method::get, "events", {Needs::viewer}, events);
}

}  // namespace netml::admin::web

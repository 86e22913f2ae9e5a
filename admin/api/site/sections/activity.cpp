// What is going on, and a stream that tells when something changes
// (docs/api.md, section "Publications and activity").
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/history/change_feed.hpp"
#include "admin/polling/poll_schedule.hpp"
#include "net/http/media_range.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr std::string_view kServerSentEvents = "text/event-stream";

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

// Whoever asks a command in its own process would wait for what nobody will write.
Status check_listeners(const Call& call) {
  if (!call.request.control || !call.services.listeners.empty()) return {};
  return fail(Errc::conflict, "no server runs on the data directory: nothing will happen");
}

std::function<bool()> while_listening(const Call& call) {
  return [&site = call.site, who = *call.who, client = call.request.client] {
    return !client.has_left() && goes_on(site, who);
  };
}

Response too_many_listen() {
  Response busy = refuse(503, "busy", "too many listen already; ask now and then instead");
  busy.headers.set("Retry-After", "15");
  return busy;
}

Result<Response> events(const Call& call) {
  NETML_TRY_VOID(check_listeners(call));
  auto stream = call.services.notifier.listen(while_listening(call));
  return stream != nullptr ? event_stream(std::move(stream)) : too_many_listen();
}

// Each change, from the place that `after` names on; a browser that comes back names it itself.
// With `once=true` those up to now, and no more.
Result<Response> changes(const Call& call) {
  const bool is_once = call.query("once") == "true";
  if (!is_once) NETML_TRY_VOID(check_listeners(call));
  auto seat = call.services.notifier.seat(while_listening(call));
  if (!seat) return too_many_listen();
  FeedOrder order{.after = call.query("after"),
                  .shared = is_once ? nullptr : &seat->feeds,
                  .goes_on = std::move(seat->goes_on)};
  const net::Headers& headers = call.request.headers;
  if (headers.has("Last-Event-ID")) order.after = std::string(headers.get("Last-Event-ID"));
  const bool is_for_browsers = net::names_type(headers.get("Accept"), kServerSentEvents);
  if (is_for_browsers) order.form = FeedForm::server_sent_events;
  NETML_TRY(auto stream, open_change_feed(call.services.node, std::move(order)));
  return is_for_browsers ? event_stream(std::move(stream)) : document_answer(std::move(stream));
}

}  // namespace

void add_activity(Routes& routes) {
  routes.add(Method::get, "tasks", {Needs::viewer}, tasks);
  routes.add(Method::get, "events", {Needs::viewer}, events);
  routes.add(Method::get, "changes", {Needs::viewer}, changes);
}

}  // namespace netml::admin::web

// What is going on, and a stream that tells when something changes
// (docs/api.md, section "Publications and activity").
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <iterator>
#include <set>
#include <thread>
#include <vector>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/polling/poll_schedule.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::seconds kSilenceMax{15};
constexpr std::chrono::seconds kPollEvents{1};

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

// Server-sent events: a change of the data, the end of an import. It looks a few times a second,
// which is cheap: the version is a pointer.
class Events : public net::BodySource {
 public:
  Events(Site& site, std::uint64_t session, std::shared_ptr<void> slot)
      : site_(site), session_(session), slot_(std::move(slot)) {}

  Result<std::string_view> next() override {
    text_.clear();
    const auto& clock = site_.services.node.clock();
    const auto until = clock.steady() + kSilenceMax;
    while (!site_.closing && goes_on()) {
      look();
      look_at_the_import();
      look_at_polls(clock.steady());
      if (!text_.empty()) return std::string_view(text_);
      if (clock.steady() >= until) {
        text_ = ": still here\n\n";
        return std::string_view(text_);
      }
      std::this_thread::sleep_for(kLook);
    }
    return std::string_view();
  }

 private:
  // A stream neither outlives its session nor keeps it in use.
  bool goes_on() const {
    if (session_ == 0) return true;  // by password
    const auto session = site_.services.node.version().state->catalog.sessions.find(session_);
    return session != nullptr && site_.sessions.goes_on(session_, *session);
  }
  void look() {
    const engine::StatePtr state = site_.services.node.version().state;
    if (known_ && *known_ == state->lsn) return;
    known_ = state->lsn;
    add("change", {{"lsn", state->lsn.value}});
    std::set<std::uint64_t> waiting;
    state->catalog.imports.for_each_with<&engine::ImportRecord::status>(
        engine::ImportStatus::in_progress,
        [&](std::uint64_t number, const engine::ImportRecord&) { waiting.insert(number); });
    std::vector<std::uint64_t> changed;
    std::ranges::set_symmetric_difference(waiting_, waiting, std::back_inserter(changed));
    for (const std::uint64_t number : changed) {
      if (state->catalog.imports.find(number) == nullptr) continue;  // its record is gone
      const bool waits = waiting.contains(number);
      add("progress", {{"import", number},
                       {"step", waits ? "waiting" : "done"},
                       {"done", waits ? 0 : 1},
                       {"total", 1}});
    }
    waiting_ = std::move(waiting);
  }
  // What an import does before it is stored is in no version either.
  void look_at_the_import() {
    if (site_.queue == nullptr) return;
    const auto now = site_.queue->progress().now();
    if (now == import_) return;
    import_ = now;
    if (!now) return;
    add("progress", {{"import", now->import},
                     {"step", step_name(now->step)},
                     {"done", now->done},
                     {"total", now->total}});
  }
  static const char* step_name(ImportStep step) {
    switch (step) {
      case ImportStep::reading:
        return "reading";
      case ImportStep::planning:
        return "planning";
      case ImportStep::storing:
        return "storing";
    }
    return "";
  }
  // What a poll does in between is in no version, so it is told about now and then.
  void look_at_polls(std::chrono::nanoseconds now) {
    const bool busy = site_.services.poller.busy();
    const bool due = busy ? now >= next_poll_event_ : polling_;
    polling_ = busy;
    if (!due) return;
    next_poll_event_ = now + kPollEvents;
    const engine::StatePtr state = site_.services.node.version().state;
    add("poll", {{"number", state->catalog.poll_batches.next_number() - 1}});
  }
  void add(const char* event, const json::object& data) {
    text_ += fmt::format("event: {}\ndata: {}\n\n", event, json::serialize(data));
  }

  Site& site_;
  const std::uint64_t session_;
  const std::shared_ptr<void> slot_;
  std::optional<Lsn> known_;
  bool polling_ = false;
  std::chrono::nanoseconds next_poll_event_{};
  std::set<std::uint64_t> waiting_;  // imports in progress
  std::optional<ImportProgress::Now> import_;
  std::string text_;
};

Result<Response> events(const Call& call) {
  std::shared_ptr<void> slot = call.site.event_streams.take();
  if (slot == nullptr) {
    Response busy = refuse(503, "busy", "too many pages listen already; ask now and then instead");
    busy.headers.set("Retry-After", "15");
    return busy;
  }
  Response response;
  response.headers.set("Content-Type", "text/event-stream");
  response.headers.set("X-Accel-Buffering", "no");
  response.body = net::StreamBody{
      std::make_unique<Events>(call.site, call.who->session, std::move(slot)), std::nullopt};
  return response;
}

}  // namespace

void add_activity(Routes& routes) {
  routes.add(Method::get, "tasks", {Needs::viewer}, tasks);
  routes.add(Method::get, "events", {Needs::viewer}, events);
}

}  // namespace netml::admin::web

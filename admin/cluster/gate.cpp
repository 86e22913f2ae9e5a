#include "admin/cluster/gate.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "admin/answers/body_file.hpp"
#include "admin/cluster/leader_routes.hpp"
#include "admin/cluster/refusals.hpp"

namespace netml::admin {

namespace {

// What tells of the process itself must not wait for anything.
bool is_exempt(const net::Router::Route& route) {
  return route.pattern.starts_with("/health/") || route.pattern == "/metrics";
}

bool wants_newest(const net::Request& request) {
  return net::query_parameter(request.query, "fresh") == "1";
}

// A sink of a handler, and what is kept as long as it.
class SinkAround : public net::BodySink {
 public:
  explicit SinkAround(std::unique_ptr<net::BodySink> sink) : sink_(std::move(sink)) {}

  NamedLimit bytes_max() const override { return sink_->bytes_max(); }
  std::size_t kept_bytes() const override { return sink_->kept_bytes(); }
  std::string_view client() const override { return sink_->client(); }
  std::optional<net::Response> write(std::string_view piece) override {
    return sink_->write(piece);
  }
  net::Response finish() override { return sink_->finish(); }

 protected:
  std::unique_ptr<net::BodySink> sink_;
};

// A handler's sink may go on using the request that the handler was given, as the server keeps its
// own that long: so does this one.
class SinkOfRequest final : public SinkAround {
 public:
  SinkOfRequest(std::unique_ptr<const net::Request> request, std::unique_ptr<net::BodySink> sink)
      : SinkAround(std::move(sink)), request_(std::move(request)) {}
  ~SinkOfRequest() override { sink_.reset(); }  // before what it uses
  SinkOfRequest(const SinkOfRequest&) = delete;
  SinkOfRequest& operator=(const SinkOfRequest&) = delete;

 private:
  const std::unique_ptr<const net::Request> request_;
};

net::Response with_defaults(net::Response response, const net::Headers& defaults) {
  for (const net::Headers::Field& field : defaults.fields())
    response.headers.set_default(field.name, field.value);
  return response;
}

class SinkWithDefaults final : public SinkAround {
 public:
  SinkWithDefaults(std::unique_ptr<net::BodySink> sink, net::Headers defaults)
      : SinkAround(std::move(sink)), defaults_(std::move(defaults)) {}

  std::optional<net::Response> write(std::string_view piece) override {
    auto answered = sink_->write(piece);
    if (!answered) return answered;
    return with_defaults(*std::move(answered), defaults_);
  }
  net::Response finish() override { return with_defaults(sink_->finish(), defaults_); }

 private:
  const net::Headers defaults_;
};

// What `answer` gives for a request that is not the server's.
net::Answer answer_to(net::Request request,
                      const std::function<net::Answer(const net::Request&)>& answer) {
  auto kept = std::make_unique<const net::Request>(std::move(request));
  net::Answer given = answer(*kept);
  auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&given);
  if (sink == nullptr) return given;
  return std::make_unique<SinkOfRequest>(std::move(kept), std::move(*sink));
}

net::Response too_many_wait(const net::Request& request) {
  return refuse(request, {.code = "busy", .message = "too many requests wait; try again later"});
}

net::Response forked(const net::Request& request, const wal::Head& wanted) {
  return refuse(request, {.status = 409,
                          .code = "history-forked",
                          .message = fmt::format(
                              "history forked: at LSN {} this member has another hash than the "
                              "token; what the token stands for is not part of this history",
                              wanted.lsn.value)});
}

}  // namespace

net::Router Gate::guarded(const net::Router& routes) {
  return routes.wrapped([this](const net::Router::Route& route, net::Handler handler) {
    if (is_exempt(route)) return handler;
    return net::Handler([this, route, handler = std::move(handler)](const net::Request& request) {
      return judge(route, handler, request);
    });
  });
}

void Gate::add_member_routes(net::Router& routes, const net::Router& control) {
  routes.add_any(
      std::string(kMemberPath) + "/{rest...}",
      [this, &control](const net::Request& request) { return answer_member(control, request); });
}

// Behind the gate, so the header is there and right, or there is none.
net::Answer Gate::answer_member(const net::Router& control, const net::Request& request) const {
  const bool proved = request.headers.has(kForwardedHeader) && request.control;
  if (!proved)
    return refuse(request, {.status = 403,
                            .code = "not-a-member",
                            .message = "only members of the cluster may ask this"});
  net::Request asked = request;
  asked.path = request.path.substr(kMemberPath.size());
  const net::Router::Resolution found = control.resolve(asked.method, asked.path);
  const auto* route = std::get_if<net::Router::Found>(&found);
  if (route == nullptr) return net::refusal(404, "no such path");
  asked.parameters = route->parameters;
  return answer_to(std::move(asked), *route->handler);
}

void Gate::add_fields(net::Headers& headers) const {
  const wal::MembershipStatus status = member_.status();
  headers.set_default(kHeadHeader, wal::to_string(status.own));
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(status.lag);
  headers.set_default(kAgeHeader, std::to_string(age.count()));
}

net::Answer Gate::judge(const net::Router::Route& route, const net::Handler& handler,
                        const net::Request& request) {
  if (!request.headers.has(kForwardedHeader))
    return pass(route, handler, request, Way::from_client);
  const Result<RequestOrigin> origin = verify(secrets_, request, clock_.wall());
  if (!origin)
    return refuse(request,
                  {.status = 403, .code = "not-a-member", .message = origin.error().message});
  return answer_to(as_asked(request, *origin), [&](const net::Request& asked) {
    return pass(route, handler, asked, Way::from_member);
  });
}

net::Answer Gate::pass(const net::Router::Route& route, const net::Handler& handler,
                       const net::Request& request, Way way) {
  const bool leads = member_.status().role == wal::Role::leader;
  const bool fresh = wants_newest(request);
  if (!leads && (fresh || is_for_leader(route, request))) return to_leader(request, way);
  if (auto refused = check_token(request)) return *std::move(refused);
  if (fresh)
    if (auto refused = check_fresh(request)) return *std::move(refused);
  return is_for_leader(route, request) ? handler(request) : read(handler, request);
}

// Another version may be published while the handler reads: a token of that one would let its
// holder believe that it has been seen.
net::Answer Gate::read(const net::Handler& handler, const net::Request& request) const {
  net::Headers before;
  add_fields(before);
  net::Answer answer = handler(request);
  if (auto* response = std::get_if<net::Response>(&answer))
    return with_defaults(std::move(*response), before);
  return std::make_unique<SinkWithDefaults>(
      std::get<std::unique_ptr<net::BodySink>>(std::move(answer)), std::move(before));
}

// One hop: a member that was thought to lead and does not is not asked to look for the one that
// does.
net::Answer Gate::to_leader(const net::Request& request, Way way) const {
  const wal::MembershipStatus status = member_.status();
  if (way == Way::from_member || status.role == wal::Role::leader)
    return refuse(request,
                  {.code = "not-leader",
                   .message = "the request was forwarded to a member that does not lead now; try "
                              "again later"});
  if (status.role == wal::Role::stopped)
    return refuse(request, {.code = "member-stopped",
                            .message = fmt::format(
                                "this member follows the cluster no more: {}; ask another member",
                                status.reason)});
  if (status.leader_address.empty())
    return refuse(request,
                  {.code = "no-leader",
                   .message = fmt::format("no member of the cluster takes changes now{}{}; reads "
                                          "go on, try again later",
                                          status.reason.empty() ? "" : ": ", status.reason)});
  if (request.control) return control_to_leader(status.leader_address, request);
  if (options_.changes == ChangesAtFollower::forwarded)
    return forwarder_.forward(status.leader_address, request);
  net::Response response;
  response.status = 307;
  response.headers.set("Location", status.leader_address + target_of(request));
  return response;
}

// A file that the command only names is on this machine: the command sends it then.
net::Answer Gate::control_to_leader(const std::string& leader, const net::Request& request) const {
  if (request.headers.has(cli::kBodyFileHeader))
    return net::refusal(cli::kSendTheBytes, "the leader is another machine: send the file");
  net::Request asked = request;
  asked.path = std::string(kMemberPath) + request.path;
  return forwarder_.forward(leader, asked);
}

std::optional<net::Response> Gate::check_token(const net::Request& request) {
  const std::size_t given = request.headers.count(kAtLeastHeader);
  if (given == 0) return std::nullopt;
  const auto wanted = wal::parse_head(request.headers.get(kAtLeastHeader));
  if (given > 1 || !wanted)
    return refuse(request, {.status = 400,
                            .code = "invalid-input",
                            .message = "X-NetML-At-Least: send what X-NetML-Head was, LSN:HASH, "
                                       "once"});
  // An export through a view has such a place in the field of the head: all have reached it.
  if (wanted->lsn == Lsn{}) return std::nullopt;
  const wal::Head own = member_.status().own;
  const auto judged = [&](const Sha256& hash) -> std::optional<net::Response> {
    if (hash == wanted->chain) return std::nullopt;
    return forked(request, *wanted);
  };
  if (own.lsn == wanted->lsn) return judged(own.chain);
  const auto place = waiting_.take();
  if (place == nullptr) return too_many_wait(request);
  if (own.lsn < wanted->lsn && !member_.wait_for(wanted->lsn, options_.wait_max))
    return refuse(request, {.code = "behind",
                            .message = fmt::format("this member has not reached LSN {} yet; try "
                                                   "again later, or ask another",
                                                   wanted->lsn.value)});
  const Result<Sha256> hash = member_.hash_at(wanted->lsn);
  if (hash) return judged(*hash);
  // Before the own journal begins there is nothing to compare with.
  if (hash.error().code == Errc::not_found) return std::nullopt;
  return net::refusal(hash.error());
}

std::optional<net::Response> Gate::check_fresh(const net::Request& request) {
  const auto place = waiting_.take();
  if (place == nullptr) return too_many_wait(request);
  const Status confirmed = member_.confirm_fresh();
  if (confirmed) return std::nullopt;
  return refuse(request, {.code = "not-confirmed",
                          .message = fmt::format("nobody confirms that this is the newest: {}; try "
                                                 "again later",
                                                 confirmed.error().message)});
}

}  // namespace netml::admin

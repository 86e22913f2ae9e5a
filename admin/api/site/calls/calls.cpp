#include "admin/api/site/calls/calls.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/access/request_credentials.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/request_values.hpp"
#include "engine/base/guarded.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

constexpr std::string_view kRoot = "/api/v1/";
constexpr std::string_view kRetryAfter = "2";  // seconds
constexpr std::string_view kSecureCookie = "__Host-netml";
constexpr std::string_view kLocalCookie = "netml";

bool changes_something(Method method) {
  return method != Method::get && method != Method::head && method != Method::options;
}

bool has_role(const SignedIn& who, Needs needs) {
  const auto role = static_cast<int>(who.account->role);
  return needs == Needs::nothing || role >= static_cast<int>(needs) - 1;
}

std::string_view cookie_secret(const Request& request) {
  return net::cookie(request.headers, request.secure ? kSecureCookie : kLocalCookie);
}

// Who asks: by the control socket, by cookie, or by password with the request itself. Nobody is no
// error.
using MaybeSignedIn = std::optional<SignedIn>;
using Identified = tl::expected<MaybeSignedIn, Response>;
Identified identify(Site& site, const Request& request) {
  if (request.control) return local_administrator();
  if (const auto given = basic_credentials(request.headers)) {
    PasswordCheck who = check_password(site, request, given->name, given->password);
    if (!who) return tl::unexpected(std::move(who.error()));
    return std::optional(*std::move(who));
  }
  return who_by_cookie(site, request);
}

Response nobody() {
  return refuse(401, "not-signed-in", "sign in first");
}

// Whoever asks for a preview in whatever way does not want the deed.
bool has_unknown_preview(const Request& request, Method method, Access access) {
  const auto preview = net::query_parameter(request.query, "preview");
  return changes_something(method) && preview && !(access.previewed && *preview == "true");
}

// Nothing when the caller may go on.
std::optional<Response> judge(Site& site, const Request& request, Method method, Access access,
                              const std::optional<SignedIn>& who) {
  if (access.needs == Needs::nothing) return std::nullopt;
  if (!who) return nobody();
  if (!has_role(*who, access.needs))
    return refuse(403, "not-allowed", "your role does not allow this");
  const bool by_cookie = who->session != 0;
  if (changes_something(method)) {
    const bool meant = !by_cookie || is_meant(*who, request.headers.get("X-Netml-Csrf"));
    if (!meant || !is_same_origin(request, by_cookie))
      return refuse(403, "cross-site", "the request does not come from a page of this node");
  }
  if (has_unknown_preview(request, method, access))
    return refuse(400, "invalid-input",
                  "preview: only `true`, of requests that have one; nothing was done");
  if (access.confirmed && !is_confirmed(site, *who)) return confirm_first();
  return std::nullopt;
}

// What a handler throws is an error in the form of all others.
Response answer(const Handle& handle, const Call& call) {
  Result<Response> made = guarded([&] { return handle(call); });
  Response response = made ? std::move(*made) : refuse(call, made.error());
  if (call.who) response.client = call.who->account->name;
  if (const std::uint64_t lsn = *call.lsn; lsn != 0)
    response.headers.set("X-NetML-LSN", std::to_string(lsn));
  return response;
}

}  // namespace

SignedIn local_administrator() {
  engine::Account account;
  account.name = "command line";
  account.role = engine::Role::admin;
  SignedIn who;
  who.account = std::make_shared<const engine::Account>(std::move(account));
  return who;
}

bool is_confirmed(const Site& site, const SignedIn& who) {
  return who.session == 0 || site.sessions.is_confirmed(who.session);
}

Response confirm_first() {
  return refuse(403, "confirm-password", "give your password again");
}

Response refuse(int status, std::string_view code, std::string_view message) {
  return json_answer(status, {{"error", {{"code", code}, {"message", message}}}});
}

Response refuse(const Error& error) {
  const int status = net::http_status(error.code);
  const bool ours = status == 500;
  const Error shown = ours ? Error{error.code, "the node failed; its log says why"} : error;
  Response response = json_answer(status, {{"error", error_json(shown, {})}});
  if (error.code == Errc::unavailable) response.headers.set("Retry-After", kRetryAfter);
  return response;
}

Response refuse(const Call& call, const Error& error) {
  if (call.request.control)
    return error_answer(error);  // nothing is hidden from who holds the node
  if (net::http_status(error.code) >= 500) call.services.node.note_failure(call.caller(), error);
  return refuse(error);
}

Caller caller_of(const Request& request, const SignedIn& who) {
  if (!request.control)
    return {engine::ActorKind::account, who.account->name, request.client_address, request.id};
  const bool offline = request.id == kOfflineRequest;
  return {engine::ActorKind::command_line, query_text(request, "actor").value_or(who.account->name),
          offline ? "command line" : "control socket", request.id};
}

Caller Call::caller() const {
  if (!who) return {engine::ActorKind::system, "site", request.client_address, request.id};
  Caller caller = caller_of(request, *who);
  caller.committed = [lsn = lsn](Lsn committed) { *lsn = committed.value; };
  return caller;
}

Result<std::uint64_t> Call::view() const {
  if (who) return kWholeMap;
  return services.views.public_view();
}

// Through a view neither what LSNs there are nor what else is wrong with a point in time is shown:
// both follow from changes that may be hidden.
Result<engine::StatePtr> Call::state_at(const std::optional<std::string>& when) const {
  NETML_TRY(const std::uint64_t through, view());
  if (through != kWholeMap && when && !parse_instant(*when))
    return fail(Errc::invalid_input, "at", "must be a time, such as 2026-03-01T12:00:00Z");
  auto whole = site.past.at(services.audit, when);
  if (through == kWholeMap) return whole;
  if (!whole && whole.error().code != Errc::unavailable)
    return fail(Errc::not_found, "there is no map of that time");
  NETML_TRY_VOID(whole);
  return services.views.seen(*whole, through);
}

Result<Change> Call::change(engine::Cause cause) const {
  Change change{.caller = caller(), .cause = cause};
  const std::optional<std::string> keep = query("keep");
  if (!keep) return change;
  if (*keep != "true") return wrong_field("keep", "must be true where it is given");
  engine::OverrideTerms terms{.reason = query("reason").value_or(""),
                              .author = change.caller.actor};
  constexpr std::size_t kReasonMax = engine::characters_max(&engine::Override::reason);
  if (engine::character_count(terms.reason) > kReasonMax)
    return wrong_field("reason", fmt::format("has at most {} characters", kReasonMax));
  if (const auto until = query("until")) {
    const auto end = parse_instant(*until);
    if (!end || *end <= services.node.clock().wall().instant())
      return wrong_field("until", "is no time to come, such as 2100-03-01T12:00:00Z");
    terms.until = *end;
  }
  change.keep = std::move(terms);
  return change;
}

Result<Lsn> Call::commit(engine::Cause cause, Plan plan) const {
  NETML_TRY(Change change, this->change(cause));
  change.plan = std::move(plan);
  return services.node.commit(std::move(change));
}

void Routes::add_judged(Method method, std::string_view pattern, Access access, Admitted admitted) {
  const std::string path = std::string(kRoot) + std::string(pattern);
  all_.push_back({method, path, access.needs, access.confirmed, access.previewed});
  router_.add(method, path,
              [&site = site_, method, access,
               admitted = std::move(admitted)](const Request& request) -> Answer {
                Identified who = identify(site, request);
                if (!who) return std::move(who.error());
                if (auto refused = judge(site, request, method, access, *who))
                  return *std::move(refused);
                return admitted(site, request, *std::move(who));
              });
}

namespace {
NamedLimit body_limit(const Site& site, const Access& access) {
  if (access.body_bytes_max != 0) return access.body_bytes_max;
  const auto limits = site.services.limits.get();
  return access.needs == Needs::nothing ? net::open_form_limit(limits->http)
                                        : net::form_limit(limits->http);
}
}  // namespace

void Routes::add(Method method, std::string_view pattern, Access access, Handle handle) {
  if (!changes_something(method)) {
    add_judged(method, pattern, access,
               [handle = std::move(handle)](Site& site, const Request& request, MaybeSignedIn who) {
                 return answer(handle, {site, site.services, request, {}, std::move(who)});
               });
    return;
  }
  add_judged(
      method, pattern, access,
      [access, handle = std::move(handle)](Site& site, const Request& request, MaybeSignedIn who) {
        return net::collect_body(
            body_limit(site, access),
            [handle, &site, request, who = std::move(who)](const std::string& body) {
              return answer(handle, {site, site.services, request, body, who});
            });
      });
}

void Routes::add(Method method, std::string_view pattern, Access access, ItemHandle handle) {
  add(method, pattern, access,
      Handle([handle = std::move(handle)](const Call& call) -> Result<Response> {
        NETML_TRY(const std::uint64_t number, path_number(call.request));
        return handle(call, number);
      }));
}

void Routes::add_entries(const std::string& pattern, Access read, Access write, Entries handles) {
  const std::string entry = pattern + "/{n}";
  add(Method::get, pattern, read, std::move(handles.list));
  add(Method::post, pattern, write, std::move(handles.create));
  add(Method::get, entry, read, std::move(handles.show));
  add(Method::put, entry, write, std::move(handles.change));
  if (handles.remove) add(Method::del, entry, write, std::move(handles.remove));
}

namespace {
Result<Response> remove_entries(const Call& call, const Routes::Removal& removal,
                                const std::vector<std::uint64_t>& numbers) {
  const auto plan = [&](const engine::State& state, WallTime now) {
    return plan_in_turn(state, numbers, [&](const engine::State& then, std::uint64_t number) {
      return removal.plan(then, number, now);
    });
  };
  NETML_TRY_VOID(call.commit(removal.cause, plan));
  return no_content();
}
}  // namespace

void Routes::add_removal(const std::string& pattern, Access access, Removal removal) {
  add(Method::del, pattern + "/{n}", access, [removal](const Call& call, std::uint64_t number) {
    return remove_entries(call, removal, {number});
  });
  add(Method::post, pattern + "/delete", access,
      [removal = std::move(removal)](const Call& call) -> Result<Response> {
        NETML_TRY(const std::vector<std::uint64_t> numbers, numbers_wanted(call));
        return remove_entries(call, removal, numbers);
      });
}

void Routes::add_upload(std::string_view pattern, Access access, Begin begin) {
  NETML_ASSERT(access.needs != Needs::nothing);
  add_judged(
      Method::post, pattern, access,
      [begin = std::move(begin)](Site& site, const Request& request, const MaybeSignedIn& who) {
        return begin(site, request, *who);
      });
}

bool is_meant(const SignedIn& who, std::string_view csrf) {
  return csrf.size() == who.csrf.size() &&
         sodium_memcmp(csrf.data(), who.csrf.data(), csrf.size()) == 0;
}

// `Sec-Fetch-Site` cannot be set by scripts; `Origin` comes with every request that changes
// something. Whatever is there must agree.
bool is_same_origin(const Request& request, bool needed) {
  const std::string_view site = request.headers.get("Sec-Fetch-Site");
  const std::string_view origin = request.headers.get("Origin");
  if (site.empty() && origin.empty()) return !needed;
  if (!site.empty() && site != "same-origin") return false;
  return origin.empty() || origin == fmt::format("{}://{}", request.secure ? "https" : "http",
                                                 request.headers.get("Host"));
}

bool may_hold_cookies(const Request& request) {
  return request.secure || net::contains(net::loopback_networks(), request.client_address);
}

std::string session_cookie(const Request& request, std::string_view secret) {
  const std::string_view name = request.secure ? kSecureCookie : kLocalCookie;
  return fmt::format("{}={}; {}HttpOnly; SameSite=Lax; Path=/{}", name, secret,
                     request.secure ? "Secure; " : "", secret.empty() ? "; Max-Age=0" : "");
}

std::optional<SignedIn> who_by_cookie(Site& site, const Request& request) {
  if (!may_hold_cookies(request)) return std::nullopt;
  return site.sessions.find(cookie_secret(request));
}

PasswordCheck check_password(Site& site, const Request& request, const std::string& name,
                             const std::string& password) {
  const auto wait = site.throttle.wait(name, request.client_address);
  if (wait > std::chrono::seconds(0)) {
    Response response = refuse(429, "too-many-attempts", "too many failed attempts; wait a while");
    response.headers.set("Retry-After", std::to_string(wait.count()));
    return tl::unexpected(std::move(response));
  }
  const auto identity = site.services.accounts.check(name, password);
  const engine::StatePtr state = site.services.node.version().state;
  const std::uint64_t number = identity ? find_account(state->catalog, identity->name) : 0;
  if (number == 0) {
    site.throttle.failed(name, request.client_address);
    site.services.node.events().warning(
        "sign-in",
        fmt::format("refused for {} from {}", net::excerpt(name), request.client_address));
    return tl::unexpected(refuse(401, "wrong-credentials", "the name or the password is wrong"));
  }
  site.throttle.succeeded(name, request.client_address);
  SignedIn who;
  who.number = number;
  who.account = state->catalog.accounts.find(number);
  return who;
}

Response redirect(std::string_view path) {
  Response response;
  response.status = 302;
  response.headers.set("Location", path);
  return response;
}

net::Handler of_site(Site& site, SiteHandle handle) {
  return [&site, handle = std::move(handle)](const Request& request) -> Answer {
    return handle(site, request);
  };
}

Response versioned(const Request& request, std::string_view etag,
                   const std::function<Response()>& make) {
  const std::string quoted = fmt::format("\"{}\"", etag);
  Response response;
  if (net::etag_matches(request.headers.get("If-None-Match"), quoted))
    response.status = 304;
  else
    response = make();
  if (response.status < 400) response.headers.set("ETag", quoted);
  return response;
}

Result<std::vector<std::uint64_t>> numbers_wanted(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(std::vector<std::uint64_t> numbers, numbers_of(fields, "numbers"));
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  if (numbers.empty()) return fail(Errc::invalid_input, "numbers", "at least one is needed");
  return numbers;
}

Result<Response> created(Result<Response> shown) {
  if (shown) shown->status = 201;
  return shown;
}

}  // namespace netml::admin::web

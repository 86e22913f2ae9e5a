// What all sections of /api/v1/ share: who asks and what they may, the body, errors as JSON.
//
// A request on the control socket, or of a command that opened the data directory itself, is an
// administrator's: the user id of the peer was judged when it connected. It needs no session, and
// so neither its token nor the password again. Any other is judged in this order: who it is,
// whether their role is enough, whether a change was meant by the page that holds the session
// (A12), whether the password was given again (A13). Only then is its body read.
#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/answers/request_values.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/api/site/calls/web_route.hpp"
#include "net/http/http.hpp"
#include "net/server/router.hpp"

namespace netml::admin::web {

// {"error": {"code", "message"}}
net::Response refuse(int status, std::string_view code, std::string_view message);
// The code is the kind of the error; a message that begins with a field's name and a colon names
// the field. What concerns our own disk or defects is not reported.
net::Response refuse(const Error& error);
struct Call;
// The same, and what is the node's own fault goes to its log.
net::Response refuse(const Call& call, const Error& error);

// Whether the password was given again in the last minutes, as Access::confirmed demands; HTTP
// Basic gives it each time.
bool is_confirmed(const Site& site, const SignedIn& who);
net::Response confirm_first();  // what is answered otherwise

// Whoever reaches the control socket, or has opened the data directory in this process: may do all.
SignedIn local_administrator();
// The id of every request that this process answers itself, because no server runs.
inline constexpr std::string_view kOfflineRequest = "local";
// Whom the journal names. On the control socket the query's `actor` may name somebody.
Caller caller_of(const net::Request& request, const SignedIn& who);

// One request with its whole body.
struct Call {
  Site& site;
  Services& services;
  const net::Request& request;
  const std::string& body;
  std::optional<SignedIn> who;
  // The newest transaction that the request became; 0: none. A poll that it started may tell it
  // after the answer.
  std::shared_ptr<std::atomic<std::uint64_t>> lsn = std::make_shared<std::atomic<std::uint64_t>>(0);

  Caller caller() const;
  // All of the node as of now. What is open to everybody takes its settings from it, and the map
  // from state_at().
  engine::StatePtr state() const { return services.node.version().state; }
  // As the caller may see it (docs/views.md): the state at that point in time; none = now.
  Result<engine::StatePtr> state_at(const std::optional<std::string>& when) const;
  // The same at the time that the query's `at` names; the newest without one.
  Result<engine::StatePtr> wanted_state() const { return state_at(query("at")); }
  // The view that the caller sees the map through; kWholeMap for all who are signed in.
  Result<std::uint64_t> view() const;
  // What request_values.hpp reads of the query and the body.
  std::optional<std::string> query(std::string_view name) const {
    return query_text(request, name);
  }
  Result<std::optional<std::uint64_t>> query_number(std::string_view name) const {
    return admin::query_number(request, name);
  }
  Result<boost::json::object> fields() const { return parse_object(body); }

  // A change for the caller. An edit with `?keep=true` is kept whatever sources deliver
  // (docs/overrides.md), for the `reason` and up to the time `until` that the query has.
  Result<Change> change(engine::Cause cause) const;
  // Commits what `plan` makes. `plan` may be called once, on another thread.
  using Plan = std::function<Result<engine::Transaction>(const engine::State&, WallTime)>;
  Result<Lsn> commit(engine::Cause cause, Plan plan) const;
  // With `?preview=true` a request that can be previewed is answered with what it would change.
  bool is_preview() const { return query("preview") == "true"; }
};

using Handle = std::function<Result<net::Response>(const Call&)>;
// Of one item: with the number that the path begins with; what is no number is answered 404.
using ItemHandle = std::function<Result<net::Response>(const Call&, std::uint64_t number)>;

struct Access {
  Needs needs = Needs::viewer;
  bool confirmed = false;
  bool previewed = false;            // answers `?preview=true`, which is refused elsewhere
  std::uint64_t body_bytes_max = 0;  // 0: the limit of forms
};

class Routes {
 public:
  // The site must outlive the router.
  Routes(net::Router& router, Site& site) : router_(router), site_(site) {}

  // Patterns begin behind "/api/v1/".
  void add(net::Method method, std::string_view pattern, Access access, Handle handle);
  void add(net::Method method, std::string_view pattern, Access access, ItemHandle handle);
  // What one may do with entries of a table: `list` and `create` at the pattern, the others at an
  // entry, PATTERN/{n}.
  struct Entries {
    Handle list;
    Handle create;
    ItemHandle show;
    ItemHandle change;
    ItemHandle remove = {};  // none: see add_removal()
  };
  void add_entries(const std::string& pattern, Access read, Access write, Entries handles);
  // How one entry is deleted.
  struct Removal {
    engine::Cause cause = engine::Cause::edit;
    std::function<Result<engine::Transaction>(const engine::State&, std::uint64_t number,
                                              WallTime now)>
        plan;
  };
  // DELETE of an entry, and POST PATTERN/delete of several, as one transaction.
  void add_removal(const std::string& pattern, Access access, Removal removal);
  // For a body that is not kept in memory: `begin` is called when the caller was judged.
  using Begin = std::function<net::Answer(Site&, const net::Request&, const SignedIn&)>;
  void add_upload(std::string_view pattern, Access access, Begin begin);

  std::vector<WebRoute> take() { return std::move(all_); }

 private:
  // `admitted` is called when the caller was judged.
  using Admitted = std::function<net::Answer(Site&, const net::Request&, std::optional<SignedIn>)>;
  void add_judged(net::Method method, std::string_view pattern, Access access, Admitted admitted);

  net::Router& router_;
  Site& site_;
  std::vector<WebRoute> all_;
};

// Whether a browser says that the request comes from a page of this node. `needed`: whether it must
// say so, which every browser does.
bool is_same_origin(const net::Request& request, bool needed);
// Whether that is the token of the session, which only its own pages know (A12).
bool is_meant(const SignedIn& who, std::string_view csrf);
// Cookies are safe over TLS, and on this machine.
bool may_hold_cookies(const net::Request& request);
std::string session_cookie(const net::Request& request, std::string_view secret);
// Whose session the request's cookie is of.
std::optional<SignedIn> who_by_cookie(Site& site, const net::Request& request);

// Who sends a password with the request (HTTP Basic); slowed down like the sign-in. A response when
// it was not taken.
using PasswordCheck = tl::expected<SignedIn, net::Response>;
PasswordCheck check_password(Site& site, const net::Request& request, const std::string& name,
                             const std::string& password);

net::Response redirect(std::string_view path);
// A handler of a path outside of /api/v1/. The site must outlive it.
using SiteHandle = std::function<net::Response(Site&, const net::Request&)>;
net::Handler of_site(Site& site, SiteHandle handle);

// Adds the tag of the data; 304 when the client has it.
net::Response versioned(const net::Request& request, std::string_view etag,
                        const std::function<net::Response()>& make);

// What shows a new item, as the answer to whoever made it.
Result<net::Response> created(Result<net::Response> shown);

// The `numbers` of what a request wants to be done with as one: ascending, each once, at least one.
Result<std::vector<std::uint64_t>> numbers_wanted(const Call& call);

}  // namespace netml::admin::web

// What the handlers of the functional-test endpoints share: the switch, the caller, bodies in any
// of the accepted types, and answers (docs/requirements/http-api.md, sections 1 and 11).
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "admin/api/records/field_values.hpp"
#include "admin/api/reference/functional_api.hpp"
#include "admin/node/node.hpp"
#include "net/http/http.hpp"

namespace netml::admin::functional {

enum class Access : std::uint8_t {
  test,   // test mode is enough
  basic,  // HTTP Basic with an account that may change things
};

// One request with its whole body.
struct Call {
  Services& services;
  const net::Request& request;
  const std::string& body;
  const net::Limits& limits;
  Caller caller;

  // A JSON object, or a form; a field that a form repeats is a list. Errc::invalid_input.
  Result<boost::json::object> fields() const;

  engine::StatePtr state() const { return services.node.version().state; }
  // Commits what `plan` makes. Rules do not run on it: functional tests run them when they mean to.
  Result<Lsn> commit(
      engine::Cause cause,
      std::function<Result<engine::Transaction>(const engine::State&, WallTime)> plan) const;
};

using Handle = std::function<Result<net::Response>(const Call&)>;
// Of one item: with the number in the path; what is no number is answered 404.
using ItemHandle = std::function<Result<net::Response>(const Call&, std::uint64_t number)>;

// Registers handlers for the functional-test endpoints.
class Routes {
 public:
  Routes(net::Router& router, Services& services, const net::Limits& limits)
      : router_(router), services_(services), limits_(limits) {}

  void add(net::Method method, std::string_view pattern, Access access, Handle handle,
           std::optional<NamedLimit> bytes_max = {});  // none: that of forms
  void add(net::Method method, std::string_view pattern, Access access, ItemHandle handle);
  // What one may do with the items of a collection, for those who may change things.
  struct Collection {
    Handle list;
    Handle create;
    ItemHandle show;
    std::function<Result<net::Response>(const Call&, std::uint64_t number, Completeness)> change;
    ItemHandle remove;
  };
  void add_collection(const std::string& path, const Collection& collection);
  // Where GET has effects.
  void refuse_head(std::string_view pattern);

 private:
  net::Router& router_;
  Services& services_;
  const net::Limits limits_;
};

// 400 {"field": ["text"]} when the message begins with a field's name and a colon, as those of
// record edits do; {"detail": text} otherwise. What is taken already is 400 here, too.
net::Response refused(const Error& error);
tl::unexpected<Error> no_such_item();
// A JSON text as the whole body.
net::Response text_answer(int status, std::string_view text);

// The value of that setting as the whole body.
Handle show_setting(std::string_view name);
// Sets it, and answers with it. Errc::invalid_input unless the setting allows that value.
Result<net::Response> set_setting(const Call& call, std::string_view name,
                                  const std::string& value);

// {"nodes": "http://host/network_topology/test/nodes/", ...}
Handle show_collections(std::string_view root, std::vector<std::string> names);

// ---- the sections, each in its own source ----

void add_basics(Routes& routes);
void add_import_records(Routes& routes, const net::Limits& limits);
void add_network_topology(Routes& routes, WallTime start);
void add_collation(Routes& routes);   // rulesets, rules, types
void add_rule_parts(Routes& routes);  // criteria, actions, infos
void add_polling(Routes& routes);
void add_collation_calls(Routes& routes);  // running, health, exchange
void add_visualization(Routes& routes);

}  // namespace netml::admin::functional

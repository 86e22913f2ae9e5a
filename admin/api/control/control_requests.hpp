// What the handlers of the control API share: reading requests, answering with values or errors.
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "admin/answers/request_values.hpp"
#include "admin/api/services.hpp"
#include "admin/node/node.hpp"
#include "net/http/http.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

Caller caller_of(const net::Request& request);

// A handler for a small JSON body; an error becomes its answer.
using BodyHandler =
    std::function<Result<net::Response>(const net::Request&, const boost::json::object&)>;
net::Handler with_body(BodyHandler handle);
net::Handler without_body(std::function<Result<net::Response>(const net::Request&)> handle);

// The sections of the API, each registered by its own source.
void register_data_api(net::Router& router, Services& services);  // init, import, export
void register_published_api(net::Router& router, Services& services);
void register_token_api(net::Router& router, Services& services);
void register_account_api(net::Router& router, Services& services);
void register_source_api(net::Router& router, Services& services);
void register_poll_api(net::Router& router, Services& services);
void register_rules_api(net::Router& router, Services& services);
void register_setting_api(net::Router& router, Services& services);
void register_audit_api(net::Router& router, Services& services);
void register_undo_api(net::Router& router, Services& services);
void register_plan_api(net::Router& router, Services& services);
void register_maintenance_api(net::Router& router, Services& services);
void register_backup_api(net::Router& router, Services& services);
void register_archive_api(net::Router& router, Services& services);

}  // namespace netml::admin

// JSON shapes of what the catalog and the graph hold (docs/control-api.md), shared by all APIs.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "admin/services/importer.hpp"
#include "admin/services/settings.hpp"
#include "engine/catalog.hpp"
#include "net/http.hpp"

namespace netml::admin {

// "topologies" and its kin: the collection of a kind, as paths and counts name it.
const char* collection_name(Kind kind);
const char* published_status_name(engine::PublishedStatus status);
boost::json::object counts_json(const std::array<engine::ImportCounts, kKindCount>& counts);

// Topologies that get another parent: `topology`, `from`, `to` (null: the top level), each `id` and
// `name`; `leaves_export`; `text`, the same in words.
boost::json::array moves_json(const std::vector<engine::TopologyMove>& moves);
boost::json::object import_result_json(const ImportResult& result, bool dry_run);
boost::json::object import_failure_json(const ImportFailure& failure);
int import_failure_status(const ImportFailure& failure);  // of HTTP
// `detail` and `code`, and the errors of a file if there are any.
boost::json::object error_json(const Error& error, const engine::InputErrors& errors);
boost::json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                        bool latest);
// `state` names the parent.
boost::json::object kept_plan_json(std::uint64_t number, const engine::KeptPlan& plan,
                                   const engine::State& state);
boost::json::object token_json(std::uint64_t number, const engine::Token& token);
boost::json::object account_json(std::uint64_t number, const engine::Account& account);
boost::json::object source_json(std::uint64_t number, const engine::PollingSource& source);
boost::json::object setting_json(const SettingDefinition& definition,
                                 const engine::Catalog& catalog, Mode mode);

net::Response json_answer(int status, const boost::json::value& value);
// A table: describe(number, entry) gives the object for each entry.
template <class T, class Describe>
net::Response table_answer(const engine::Table<T>& table, Describe&& describe) {
  boost::json::array entries;
  table.for_each(
      [&](std::uint64_t number, const T& entry) { entries.push_back(describe(number, entry)); });
  return json_answer(200, entries);
}
net::Response no_content();
// "not_found" and its kin: `code` of an error.
const char* error_code_name(Errc code);
// {"detail", "code"} with the status of the error's code.
net::Response error_answer(const Error& error);

}  // namespace netml::admin

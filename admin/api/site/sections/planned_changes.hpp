// What a planned change would do, as pages list it (docs/api.md, "Conventions"): elements with
// their fields before and after, and entries of the catalog.
//
// Thread: any.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/api/site/calls/calls.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::admin::web {

// {"items", "next", "total"} of the page that the request asks for: entries, then elements by kind
// and identifier; of those alone that `action`, `kind` and `topology` of the query name.
// "groups": how many there are of each. "map", where `map` is true: what planned_map() draws.
Result<boost::json::object> changes_page_json(const Call& call, const Preview& preview);

// The same with {"created", "updated", "deleted"} of the elements, the "rules" that would do
// something, "export" as in /status/ if it would fail from then on, and the "etag" of all that it
// would do.
Result<boost::json::object> planned_changes_json(const Call& call, const Preview& preview);
Result<boost::json::object> planned_changes_json(const Call& call, PlannedChange change);

// The preview of a change, planned once for all of its pages. `key` says what the change is.
using PlanChange = std::function<Result<PlannedChange>()>;
Result<PreviewPtr> preview_of(const Call& call, const std::string& key, const PlanChange& plan);
Result<PreviewPtr> preview_of(const Call& call, const std::string& key, const Change& change);

// The answer to `?preview=true`: that of the change, which the path and the body describe.
Result<net::Response> preview_answer(const Call& call, const Change& change);

// Commits what was previewed, or nothing: where the map has moved, so that the change would do
// something else than the preview said whose tag `If-Match` has, it is refused with 412
// `preview-moved`. `commit` hands the check to the change; without the header it refuses nothing.
using CommitChecked = std::function<Result<net::Response>(decltype(Change::check) as_previewed)>;
Result<net::Response> commit_as_previewed(const Call& call, const CommitChecked& commit);

// Of each rule that changed records or was skipped: {"number", "name", "matched", "changed",
// "problem"}.
boost::json::array rules_that_acted_json(const std::vector<engine::RuleLog>& logs);

// An entry as an item of such a list. `title`: what people call it; empty when nothing is known.
boost::json::object entry_change_json(const wal::EntryEffect& effect, std::string_view title);

}  // namespace netml::admin::web

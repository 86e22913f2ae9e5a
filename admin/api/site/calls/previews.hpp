// What changes would do that people look at before they are made. To plan one may run rules over
// the whole map, and its list is asked for page by page, so the previews asked for last are cached
// (Site::previews) while the map stays as it is.
//
// Thread: any (immutable).
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <vector>

#include "admin/node/node.hpp"
#include "engine/transaction/difference.hpp"

namespace netml::admin::web {

// A planned change, and what it would lead to.
struct Preview {
  PlannedChange change;  // holds the memory of it all
  engine::State after;
  engine::Difference difference;             // of the two graphs
  std::vector<boost::json::object> entries;  // of the catalog that it would change
  boost::json::object summary;               // what every page of it says
};
using PreviewPtr = std::shared_ptr<const Preview>;

}  // namespace netml::admin::web

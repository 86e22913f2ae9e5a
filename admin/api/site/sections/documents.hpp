// Streams of documents, one a line (admin/history/audit.hpp), read whole: for answers that are a
// page.
//
// Thread: any.
#pragma once

#include <boost/json/value.hpp>
#include <vector>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

Result<std::vector<boost::json::value>> read_documents(net::BodySource& source);

}  // namespace netml::admin::web

// JSON shape of what an undo did or would do (docs/api.md).
#pragma once

#include <boost/json/object.hpp>

#include "admin/history/undo.hpp"

namespace netml::admin {

boost::json::object undo_json(const UndoResult& result);

}  // namespace netml::admin

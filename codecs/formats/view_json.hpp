// Views as JSON (docs/views.md): one object for each, in the form that files, the API and its
// answers share.
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "engine/views/view.hpp"

namespace netml::codecs {

// Errc::invalid_input, with the field that is wrong ("steps.2.round.degrees"); none where the text
// is no JSON object. Fields that are not known are wrong: a step that is not read would seem to
// hide something. A byte-order mark is passed over.
Result<engine::View> read_view(std::string_view text);

// In one form, whatever form it was read from: equal views have equal texts.
boost::json::object view_json(const engine::View& view);

}  // namespace netml::codecs

// Answers that are expensive to make, and are the same for equal data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "admin/api/site/calls/calls.hpp"

namespace netml::admin::web {

// What `make` gives, errors too, or was given for the same key lately. Making it takes about
// `bytes` of memory. Errc::unavailable while too many are being made, or the memory is taken.
Result<net::Response> cached_answer(const Call& call, Cache<std::string, std::string>& answers,
                                    const std::string& key, std::uint64_t bytes,
                                    const std::function<Result<boost::json::object>()>& make);

// The same of what is made as text of JSON.
Result<net::Response> cached_text(const Call& call, Cache<std::string, std::string>& answers,
                                  const std::string& key, std::uint64_t bytes,
                                  const std::function<Result<std::string>()>& make);

// The media type of MapForm::binary.
inline constexpr const char* kBinaryMap = "application/vnd.netml.map.v2";

// All that a map of the state draws, as columns (admin/analysis/map_answers.hpp): compressed for
// who takes that. In binary the second section is made when the first is sent. Errc::unavailable as
// above.
Result<net::Response> map_answer(const Call& call, const engine::StatePtr& state,
                                 MapForm form = MapForm::json);

}  // namespace netml::admin::web

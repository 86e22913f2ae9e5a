// The body of an upload: multipart parts to the intake, then their outcome to an answer
// (docs/requirements/http-api.md, section 9; decisions 10 and 25).
//
// Thread: one at a time (workers).
#pragma once

#include <memory>
#include <string_view>

#include "admin/api/services.hpp"
#include "admin/imports/intake.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// What 400 and 406 look like: an object with all that is known, or one text, as clients of the
// reference node expect it where they are answered before the import (decision 25).
enum class RefusalShape : std::uint8_t { object, text };
inline RefusalShape refusal_shape(UploadEnd end) {
  return end == UploadEnd::queue ? RefusalShape::text : RefusalShape::object;
}

// {"detail": ..., "errors": [...], "error_count": n}; 400 and 406 as a text where that is wanted.
net::Response upload_refusal(RefusalShape shape, int status, std::string_view detail);
net::Response upload_refusal(RefusalShape shape, const ImportFailure& failure);

// The services and the request outlive the sink. `wanted` lacks what the form says.
std::unique_ptr<net::BodySink> upload_sink(Services& services, std::string_view boundary,
                                           const net::Request& request, ImportRequest wanted,
                                           UploadEnd end);

}  // namespace netml::admin

// The body of an upload: multipart parts to the intake, then their outcome to an answer
// (docs/requirements/http-api.md, section 9; decisions 10 and 25).
//
// Thread: one at a time (workers).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "admin/api/services.hpp"
#include "admin/imports/intake.hpp"
#include "engine/base/utf8.hpp"
#include "net/http/limits.hpp"
#include "net/http/multipart.hpp"

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

class UploadSink : public net::BodySink, private net::MultipartHandler {
 public:
  // The services and the request outlive the sink. `wanted` lacks what the form says.
  UploadSink(Services& services, std::string_view boundary, const net::Request& request,
             ImportRequest wanted, UploadEnd end);

  NamedLimit bytes_max() const override { return services_.intake.bytes_max(); }
  std::string_view client() const override { return wanted_.token_client_name; }
  std::optional<net::Response> write(std::string_view piece) override;
  net::Response finish() override;

 private:
  enum class Part { file, parent, name, other };

  Status part_begin(const net::PartHead& head) override;
  Status part_data(std::string_view piece) override;
  Status part_end() override;

  Status begin_file(const net::PartHead& head);
  Status begin_field(Part part, bool& seen);
  Status append_field(std::string_view piece);
  // Once all parts are known. The answer when it cannot be imported as they say.
  std::optional<net::Response> take_fields();
  // Keeps the answer and stops the parser.
  Status refuse(net::Response response);
  net::Response take_refusal(const Error& error);

  Services& services_;
  const RefusalShape shape_;
  const net::Limits& limits_;
  const net::Request& request_;
  const UploadEnd end_;
  ImportRequest wanted_;
  net::MultipartParser parser_;
  std::unique_ptr<Upload> upload_;
  std::optional<Utf8Checker> encoding_;  // of a text that is not read before the answer
  std::string parent_;                   // a number or an identifier; empty: none
  Part part_ = Part::other;
  std::string text_;  // of the field being read
  bool parent_seen_ = false;
  bool name_seen_ = false;
  std::optional<net::Response> refused_;
};

}  // namespace netml::admin

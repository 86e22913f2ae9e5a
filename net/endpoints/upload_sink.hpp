// The body of an upload: multipart parts to an Upload, then its outcome to an answer
// (docs/requirements/http-api.md, section 9; decisions 10 and 25).
//
// Thread: one at a time (workers).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/endpoints/ports.hpp"
#include "net/http/multipart.hpp"

namespace netml::net {

// {"detail": ..., "errors": [...], "error_count": n}; 400 and 406 as a text where that is wanted.
Response upload_refusal(RefusalShape shape, int status, std::string_view detail);
Response upload_refusal(RefusalShape shape, const ImportRefused& refused,
                        const UploadFields& fields);

class UploadSink : public BodySink, private MultipartHandler {
 public:
  // The service and the request outlive the sink.
  UploadSink(ImportService& imports, const Limits& limits, std::string_view boundary,
             const Request& request, Identity identity);

  NamedLimit bytes_max() const override { return upload_limit(limits_); }
  std::string_view client() const override { return identity_.client_name; }
  std::optional<Response> write(std::string_view piece) override;
  Response finish() override;

 private:
  enum class Part { file, parent, name, other };

  Status part_begin(const PartHead& head) override;
  Status part_data(std::string_view piece) override;
  Status part_end() override;

  Status begin_file(const PartHead& head);
  Status begin_field(Part part, bool& seen);
  Status append_field(std::string_view piece);
  // Keeps the answer and stops the parser.
  Status refuse(Response response);
  Response take_refusal(const Error& error);

  ImportService& imports_;
  const RefusalShape shape_;
  const Limits limits_;
  const Request& request_;
  const Identity identity_;
  MultipartParser parser_;
  std::unique_ptr<Upload> upload_;
  UploadFields fields_;
  Part part_ = Part::other;
  std::string text_;  // of the field being read
  bool parent_seen_ = false;
  bool name_seen_ = false;
  std::optional<Response> refused_;
};

}  // namespace netml::net

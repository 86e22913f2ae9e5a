#include "net/endpoints/upload_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codecs/formats/file_format.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/utf8.hpp"

namespace netml::net {
namespace {

constexpr std::size_t kErrorsMax = 1000;

std::string error_json(const engine::InputError& error) {
  std::string out = fmt::format(R"({{"code":{},"message":{})", json_string(error.code),
                                json_string(error.message));
  if (!error.sheet.empty()) out += fmt::format(R"(,"sheet":{})", json_string(error.sheet));
  if (error.line > 0) out += fmt::format(R"(,"line":{})", error.line);
  if (error.column > 0) out += fmt::format(R"(,"column":{})", error.column);
  if (!error.id.empty()) out += fmt::format(R"(,"id":{})", json_string(error.id));
  return out + '}';
}

Response refusal_with_errors(int status, std::string_view detail,
                             const std::vector<engine::InputError>& errors, std::uint64_t count) {
  Response response = refusal(status, detail);
  std::string& body = std::get<std::string>(response.body);
  body.pop_back();  // the closing brace
  body += R"(,"errors":[)";
  const std::size_t shown = std::min(errors.size(), kErrorsMax);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) body += ',';
    body += error_json(errors[i]);
  }
  body += fmt::format(R"(],"error_count":{}}})", count);
  return response;
}

int status_of(ImportRefusal reason) {
  switch (reason) {
    case ImportRefusal::invalid:
    case ImportRefusal::unknown_parent:
    case ImportRefusal::name_required:
      return 400;
    case ImportRefusal::held:
      return 409;
    case ImportRefusal::too_large:
      return 413;
    case ImportRefusal::busy:
      return 503;
    case ImportRefusal::no_space:
      return 507;
    case ImportRefusal::read_only:
      return 503;
    case ImportRefusal::failed:
      return 500;
  }
  return 500;
}

std::string detail_of(const ImportRefused& refused, const UploadFields& fields) {
  switch (refused.reason) {
    case ImportRefusal::unknown_parent:
      return fmt::format("parent_topology_id {} names no topology",
                         excerpt(fields.parent_topology_id.value_or("")));
    case ImportRefusal::name_required:
      return "a spreadsheet needs topology_name";
    case ImportRefusal::failed:
      return "internal error; see the log under the request id";
    case ImportRefusal::invalid:
    case ImportRefusal::held:
    case ImportRefusal::too_large:
    case ImportRefusal::busy:
    case ImportRefusal::no_space:
    case ImportRefusal::read_only:
      return refused.detail;
  }
  return refused.detail;
}

bool is_text(RefusalShape shape, int status) {
  return shape == RefusalShape::text && (status == 400 || status == 406);
}

}  // namespace

Response upload_refusal(RefusalShape shape, int status, std::string_view detail) {
  if (is_text(shape, status)) return json_response(status, json_string(detail));
  return refusal_with_errors(status, detail, {}, 0);
}

Response upload_refusal(RefusalShape shape, const ImportRefused& refused,
                        const UploadFields& fields) {
  const int status = status_of(refused.reason);
  if (is_text(shape, status)) return json_response(status, json_string(detail_of(refused, fields)));
  Response response =
      refusal_with_errors(status, detail_of(refused, fields), refused.errors, refused.error_count);
  if (status == 503)
    response.headers.add("Retry-After", std::to_string(refused.retry_after.count()));
  return response;
}

UploadSink::UploadSink(ImportService& imports, const Limits& limits, std::string_view boundary,
                       const Request& request, Identity identity)
    : imports_(imports),
      shape_(imports.refusal_shape()),
      limits_(limits),
      request_(request),
      identity_(std::move(identity)),
      parser_(boundary, limits_, *this) {}

std::optional<Response> UploadSink::write(std::string_view piece) {
  if (const Status pushed = parser_.push(piece); !pushed) return take_refusal(pushed.error());
  return std::nullopt;
}

Response UploadSink::finish() {
  if (const Status whole = parser_.finish(); !whole) return take_refusal(whole.error());
  if (!upload_) return take_refusal({Errc::invalid_input, "no part named 'file' with a file name"});
  const ImportOutcome outcome = upload_->finish(fields_);
  Response response;
  if (const auto* accepted = std::get_if<ImportAccepted>(&outcome)) {
    const bool alias = request_.path.find("grenml_import") != std::string::npos;
    response.status = 201;
    response.headers.add("Location", fmt::format("/{}_import/records/{}/",
                                                 alias ? "grenml" : "netml", accepted->record_id));
  } else {
    response = upload_refusal(shape_, std::get<ImportRefused>(outcome), fields_);
  }
  response.client = identity_.client_name;
  return response;
}

Status UploadSink::part_begin(const PartHead& head) {
  text_.clear();
  part_ = Part::other;
  if (head.name == "file" && head.file_name) return begin_file(head);
  if (head.name == "parent_topology_id") return begin_field(Part::parent, parent_seen_);
  if (head.name == "topology_name") return begin_field(Part::name, name_seen_);
  return {};
}

Status UploadSink::begin_file(const PartHead& head) {
  part_ = Part::file;
  if (upload_) return fail(Errc::invalid_input, "two parts named 'file'");
  if (!codecs::format_of(*head.file_name))
    return refuse(upload_refusal(shape_, 406,
                                 fmt::format("{}: only files named {} are accepted",
                                             excerpt(*head.file_name), codecs::kAcceptedNames)));
  UploadInfo info;
  info.file_name = *head.file_name;
  info.identity = identity_;
  info.request_id = request_.id;
  info.client_address = request_.client_address;
  info.body_bytes = request_.content_length;
  tl::expected<std::unique_ptr<Upload>, ImportRefused> upload = imports_.begin(info);
  if (!upload) return refuse(upload_refusal(shape_, upload.error(), fields_));
  upload_ = *std::move(upload);
  return {};
}

Status UploadSink::begin_field(Part part, bool& seen) {
  part_ = part;
  if (std::exchange(seen, true)) return fail(Errc::invalid_input, "two parts of one name");
  return {};
}

Status UploadSink::part_data(std::string_view piece) {
  switch (part_) {
    case Part::file: {
      if (std::optional<ImportRefused> refused = upload_->write(piece))
        return refuse(upload_refusal(shape_, *refused, fields_));
      return {};
    }
    case Part::parent:
    case Part::name:
      return append_field(piece);
    case Part::other:
      return {};  // parts we do not know are skipped, as form readers do
  }
  return {};
}

Status UploadSink::append_field(std::string_view piece) {
  text_ += piece;
  if (text_.size() > limits_.multipart_text_field_bytes_max)
    return fail(Errc::too_large,
                beyond_limit("bytes of a text field", limit_names::kMultipartTextFieldBytes,
                             limits_.multipart_text_field_bytes_max));
  return {};
}

// Empty means absent, for both fields.
Status UploadSink::part_end() {
  if (part_ != Part::parent && part_ != Part::name) return {};
  if (!is_utf8(text_)) return fail(Errc::invalid_input, "a text field is not UTF-8");
  if (text_.empty()) return {};
  (part_ == Part::parent ? fields_.parent_topology_id : fields_.topology_name) = std::move(text_);
  return {};
}

Status UploadSink::refuse(Response response) {
  refused_ = std::move(response);
  return fail(Errc::invalid_input, "refused");
}

Response UploadSink::take_refusal(const Error& error) {
  Response response = refused_ ? *std::exchange(refused_, std::nullopt)
                               : upload_refusal(shape_, http_status(error.code), error.text());
  response.client = identity_.client_name;
  return response;
}

}  // namespace netml::net

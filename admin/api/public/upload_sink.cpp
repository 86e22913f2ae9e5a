#include "admin/api/public/upload_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "admin/imports/format_probe.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/utf8.hpp"
#include "engine/edit/plan_edit.hpp"
#include "net/http/multipart.hpp"

namespace netml::admin {

using net::Response;

namespace {

constexpr std::size_t kErrorsMax = 1000;

std::string error_json(const engine::InputError& error) {
  std::string out = fmt::format(R"({{"code":{},"message":{})", json_string(error.code),
                                json_string(error.message));
  if (!error.sheet.empty()) out += fmt::format(R"(,"sheet":{})", json_string(error.sheet));
  if (error.line > 0) out += fmt::format(R"(,"line":{})", error.line);
  if (error.column > 0) out += fmt::format(R"(,"column":{})", error.column);
  if (!error.pointer.empty()) out += fmt::format(R"(,"pointer":{})", json_string(error.pointer));
  if (!error.id.empty()) out += fmt::format(R"(,"id":{})", json_string(error.id));
  return out + '}';
}

Response refusal_with_errors(int status, std::string_view detail,
                             const std::vector<engine::InputError>& errors, std::uint64_t count) {
  Response response = net::refusal(status, detail);
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

// As net::refusal() has it.
void add_code(Response& response, std::string_view code) {
  std::string& body = std::get<std::string>(response.body);
  body.pop_back();  // the closing brace
  body += fmt::format(R"(,"code":{}}})", json_string(code));
}

// Whatever is wrong with the upload is 400, also what it would be in conflict with.
int status_of(const ImportFailure& failure) {
  if (failure.no_room) return 507;
  if (failure.plan != 0) return 409;  // held: it would delete too much; an administrator decides
  switch (failure.error.code) {
    case Errc::conflict:
    case Errc::not_found:
      return 400;
    case Errc::denied:
      return 500;
    default:
      return net::http_status(failure.error.code);
  }
}

bool is_text(RefusalShape shape, int status) {
  return shape == RefusalShape::text && (status == 400 || status == 406);
}

class UploadSink : public net::BodySink, private net::MultipartHandler {
 public:
  UploadSink(Services& services, std::string_view boundary, const net::Request& request,
             ImportRequest wanted, UploadEnd end)
      : services_(services),
        shape_(refusal_shape(end)),
        limits_(services.limits.get()->http),
        request_(request),
        end_(end),
        wanted_(std::move(wanted)),
        parser_(boundary, limits_, *this) {}

  NamedLimit bytes_max() const override { return services_.intake.bytes_max(); }
  std::string_view client() const override { return wanted_.token_client_name; }
  std::optional<Response> write(std::string_view piece) override {
    if (const Status pushed = parser_.push(piece); !pushed) return take_refusal(pushed.error());
    return std::nullopt;
  }
  Response finish() override {
    if (const Status whole = parser_.finish(); !whole) return take_refusal(whole.error());
    if (!upload_)
      return take_refusal({Errc::invalid_input, "no part named 'file' with a file name"});
    std::optional<Response> refused = take_fields();
    Response response;
    if (refused) {
      response = *std::move(refused);
    } else if (const ImportOutcome outcome = upload_->finish(end_)) {
      const bool alias = request_.path.find("grenml_import") != std::string::npos;
      response.status = 201;
      response.headers.add("Location", fmt::format("/{}_import/records/{}/",
                                                   alias ? "grenml" : "netml", outcome->record));
    } else {
      response = upload_refusal(shape_, outcome.error());
    }
    response.client = wanted_.token_client_name;
    return response;
  }

 private:
  enum class Part { file, parent, name, other };

  Status part_begin(const net::PartHead& head) override {
    text_.clear();
    part_ = Part::other;
    if (head.name == "file" && head.file_name) return begin_file(head);
    if (head.name == "parent_topology_id") return begin_field(Part::parent, parent_seen_);
    if (head.name == "topology_name") return begin_field(Part::name, name_seen_);
    return {};
  }
  Status part_data(std::string_view piece) override {
    switch (part_) {
      case Part::file:
        if (upload_) return write_file(piece);
        probe_.take(piece);
        return probe_.is_ready() ? start_upload() : Status();
      case Part::parent:
      case Part::name:
        return append_field(piece);
      case Part::other:
        return {};  // parts we do not know are skipped, as form readers do
    }
    return {};
  }
  // Empty means absent, for both fields.
  Status part_end() override {
    if (part_ == Part::file && !upload_) return start_upload();
    if (part_ != Part::parent && part_ != Part::name) return {};
    if (!is_utf8(text_)) return fail(Errc::invalid_input, "a text field is not UTF-8");
    if (text_.empty()) return {};
    (part_ == Part::parent ? parent_ : wanted_.topology_name) = std::move(text_);
    return {};
  }

  Status begin_file(const net::PartHead& head) {
    part_ = Part::file;
    if (upload_) return fail(Errc::invalid_input, "two parts named 'file'");
    wanted_.file_name = *head.file_name;
    const codecs::FileFormat* const format = codecs::format_of(wanted_.file_name);
    if (format == nullptr || !format->is_read())
      return refuse(
          upload_refusal(shape_, 406,
                         fmt::format("{}: only files named {} are accepted",
                                     net::excerpt(*head.file_name), codecs::accepted_endings())));
    NETML_TRY(probe_, FormatProbe::begin({}, wanted_.file_name));
    return {};
  }
  // Once the format is known.
  Status start_upload() {
    const auto format = probe_.decide();
    if (!format) return refuse(upload_refusal(shape_, {.error = format.error()}));
    ImportRequest request = wanted_;
    request.format = said_format(**format, request.file_name);
    const bool read_now = end_ == UploadEnd::import;
    auto upload = services_.intake.begin(std::move(request),
                                         read_now ? ReadWhen::arriving : ReadWhen::stored);
    if (!upload) return refuse(upload_refusal(shape_, upload.error()));
    upload_ = *std::move(upload);
    // As the reference node judges them.
    if (!read_now && *format == &codecs::netml_format()) encoding_.emplace();
    NETML_TRY_VOID(write_file(probe_.first_bytes()));
    probe_.forget_bytes();
    return {};
  }
  Status write_file(std::string_view piece) {
    const Status written = upload_->write(piece);
    if (!written)
      return refuse(
          upload_refusal(shape_, {.error = written.error(), .no_room = lacks_room(written)}));
    if (encoding_) static_cast<void>(encoding_->push(piece));
    return {};
  }
  Status begin_field(Part part, bool& seen) {
    part_ = part;
    if (std::exchange(seen, true)) return fail(Errc::invalid_input, "two parts of one name");
    return {};
  }
  Status append_field(std::string_view piece) {
    text_ += piece;
    if (text_.size() > limits_.multipart_text_field_bytes_max)
      return fail(Errc::too_large,
                  beyond_limit("bytes of a text field", net::limit_names::kMultipartTextFieldBytes,
                               limits_.multipart_text_field_bytes_max));
    return {};
  }

  // Once all parts are known: text parts may come before or after the file. What is judged here the
  // reference node judges before it answers. The answer when it cannot be imported as they say.
  std::optional<Response> take_fields() {
    if (encoding_ && !encoding_->finish())
      return upload_refusal(shape_, 400, "the file is not in UTF-8");
    ImportRequest& request = upload_->request();
    request.topology_name = wanted_.topology_name;
    if (!parent_.empty()) {
      const engine::StatePtr state = services_.node.version().state;
      const auto parent = find_topology(state->graph, parent_);
      if (!parent)
        return upload_refusal(
            shape_, 400,
            fmt::format("parent_topology_id {} names no topology", net::excerpt(parent_)));
      request.parent_record = *parent;
    }
    if (upload_->lacks_name())
      return upload_refusal(shape_, 400, "a spreadsheet needs topology_name");
    return std::nullopt;
  }
  // Keeps the answer and stops the parser.
  Status refuse(Response response) {
    refused_ = std::move(response);
    return fail(Errc::invalid_input, "refused");
  }
  Response take_refusal(const Error& error) {
    Response response = refused_
                            ? *std::exchange(refused_, std::nullopt)
                            : upload_refusal(shape_, net::http_status(error.code), error.text());
    response.client = wanted_.token_client_name;
    return response;
  }

  Services& services_;
  const RefusalShape shape_;
  const net::Limits limits_;
  const net::Request& request_;
  const UploadEnd end_;
  ImportRequest wanted_;
  net::MultipartParser parser_;
  FormatProbe probe_;
  std::unique_ptr<Upload> upload_;
  std::optional<Utf8Checker> encoding_;  // of a text that is not read before the answer
  std::string parent_;                   // a number or an identifier; empty: none
  Part part_ = Part::other;
  std::string text_;  // of the field being read
  bool parent_seen_ = false;
  bool name_seen_ = false;
  std::optional<Response> refused_;
};

}  // namespace

Response upload_refusal(RefusalShape shape, int status, std::string_view detail) {
  if (is_text(shape, status)) return net::json_response(status, json_string(detail));
  return refusal_with_errors(status, detail, {}, 0);
}

Response upload_refusal(RefusalShape shape, const ImportFailure& failure) {
  const int status = status_of(failure);
  if (status == 500)
    return upload_refusal(shape, 500, "internal error; see the log under the request id");
  const std::string detail = failure.error.text();
  if (is_text(shape, status)) return net::json_response(status, json_string(detail));
  Response response =
      refusal_with_errors(status, detail, failure.errors.first, failure.errors.count);
  if (failure.error.code == Errc::outcome_unknown)
    add_code(response, "outcome-unknown");  // sent again by itself, the file might come in twice
  else if (status == 503)
    response.headers.add("Retry-After", "5");
  return response;
}

std::unique_ptr<net::BodySink> upload_sink(Services& services, std::string_view boundary,
                                           const net::Request& request, ImportRequest wanted,
                                           UploadEnd end) {
  return std::make_unique<UploadSink>(services, boundary, request, std::move(wanted), end);
}

}  // namespace netml::admin

#include "net/http/multipart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "net/http/http.hpp"
#include "net/http/uri.hpp"

namespace netml::net {
namespace {

constexpr std::size_t kBoundaryCharactersMax = 70;
constexpr std::size_t kTransportPaddingMax = 64;

tl::unexpected<Error> malformed(std::string_view what) {
  return fail(Errc::invalid_input, fmt::format("malformed multipart body: {}", what));
}

// Takes `name=value` or `name="value"` from the front of "; a=b; c=d". Only \" and \\ are escapes:
// browsers of old send unescaped backslashes.
struct Parameter {
  std::string_view name;
  std::string value;
};

Result<std::string> take_quoted(std::string_view& text) {
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (escape) {
      value += text[++i];
    } else if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    } else {
      value += text[i];
    }
  }
  return malformed("a quoted value does not end");
}

Result<Parameter> take_parameter(std::string_view& text) {
  text = trimmed(text);
  if (!text.starts_with(';')) return malformed("parameters are not separated by semicolons");
  text = trimmed(text.substr(1));
  const std::size_t equals = text.find('=');
  if (equals == text.npos) return malformed("a parameter without value");
  Parameter parameter;
  parameter.name = trimmed(text.substr(0, equals));
  text = trimmed(text.substr(equals + 1));
  if (text.starts_with('"')) {
    NETML_TRY(parameter.value, take_quoted(text));
  } else {
    parameter.value = trimmed(text.substr(0, text.find(';')));
    text.remove_prefix(std::min(text.size(), text.find(';')));
  }
  text = trimmed(text);
  return parameter;
}

// filename*=utf-8''na%C3%AFve.xml, which some clients send for names that are not ASCII.
Result<std::string> decode_extended(std::string_view value) {
  constexpr std::string_view kPrefix = "utf-8'";
  const std::size_t quote = value.rfind('\'');
  if (value.size() < kPrefix.size() ||
      !equals_ignoring_case(value.substr(0, kPrefix.size()), kPrefix) || quote < kPrefix.size())
    return malformed("an extended value that is not UTF-8");
  std::optional<std::string> decoded = percent_decode(value.substr(quote + 1));
  if (!decoded) return malformed("an extended value with a bad escape");
  return *std::move(decoded);
}

bool is_label(std::string_view text) {
  return is_utf8(text) && std::none_of(text.begin(), text.end(),
                                       [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
}

Status check_file_name(const std::string& name, std::size_t bytes_max) {
  if (name.size() > bytes_max)
    return fail(Errc::invalid_input, beyond_limit("bytes of a file name",
                                                  limit_names::kMultipartFileNameBytes, bytes_max));
  if (!is_label(name) || name.find_first_of("/\\") != name.npos)
    return fail(Errc::invalid_input, "file name with a path or a control character");
  return {};
}

Status read_disposition(std::string_view value, std::size_t file_name_bytes_max, PartHead& head) {
  const std::size_t semicolon = std::min(value.find(';'), value.size());
  if (!equals_ignoring_case(trimmed(value.substr(0, semicolon)), "form-data"))
    return malformed("a part that is not form-data");
  std::string_view rest = value.substr(semicolon);
  bool named = false;
  std::optional<std::string> extended;
  while (!trimmed(rest).empty()) {
    NETML_TRY(Parameter parameter, take_parameter(rest));
    if (equals_ignoring_case(parameter.name, "name")) {
      if (std::exchange(named, true)) return malformed("a part with two names");
      head.name = std::move(parameter.value);
    } else if (equals_ignoring_case(parameter.name, "filename")) {
      if (head.file_name) return malformed("a part with two file names");
      head.file_name = std::move(parameter.value);
    } else if (equals_ignoring_case(parameter.name, "filename*")) {
      NETML_TRY(extended, decode_extended(parameter.value));
    }
  }
  if (!named || !is_label(head.name)) return malformed("a part without a proper name");
  if (extended) head.file_name = std::move(extended);
  if (head.file_name) NETML_TRY_VOID(check_file_name(*head.file_name, file_name_bytes_max));
  return {};
}

Status read_field(std::string_view line, std::size_t file_name_bytes_max, bool& disposition_seen,
                  PartHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || colon == 0 || line.front() == ' ' || line.front() == '\t')
    return malformed("a header line of a part");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (equals_ignoring_case(name, "Content-Disposition")) {
    if (std::exchange(disposition_seen, true)) return malformed("two Content-Disposition fields");
    return read_disposition(value, file_name_bytes_max, head);
  }
  if (equals_ignoring_case(name, "Content-Type")) head.content_type = value;
  if (equals_ignoring_case(name, "Content-Transfer-Encoding") &&
      !equals_ignoring_case(value, "binary") && !equals_ignoring_case(value, "8bit") &&
      !equals_ignoring_case(value, "7bit"))
    return malformed("a transfer encoding of a part");
  return {};
}

// `text`: header lines, each with its line end.
Result<PartHead> parse_part_head(std::string_view text, std::size_t file_name_bytes_max) {
  PartHead head;
  bool disposition_seen = false;
  while (!text.empty()) {
    const std::size_t end = text.find("\r\n");
    NETML_ASSERT(end != text.npos);
    NETML_TRY_VOID(read_field(text.substr(0, end), file_name_bytes_max, disposition_seen, head));
    text.remove_prefix(end + 2);
  }
  if (!disposition_seen) return malformed("a part without Content-Disposition");
  return head;
}

}  // namespace

Result<std::string> multipart_boundary(std::string_view content_type) {
  const std::size_t semicolon = std::min(content_type.find(';'), content_type.size());
  if (!equals_ignoring_case(trimmed(content_type.substr(0, semicolon)), "multipart/form-data"))
    return fail(Errc::invalid_input, "the body must be multipart/form-data");
  std::string_view rest = content_type.substr(semicolon);
  std::optional<std::string> boundary;
  while (!trimmed(rest).empty()) {
    NETML_TRY(Parameter parameter, take_parameter(rest));
    if (!equals_ignoring_case(parameter.name, "boundary")) continue;
    if (boundary) return malformed("two boundaries");
    boundary = std::move(parameter.value);
  }
  if (!boundary || boundary->empty()) return malformed("no boundary");
  if (boundary->size() > kBoundaryCharactersMax)
    return malformed("a boundary longer than 70 characters");
  return *std::move(boundary);
}

// The first boundary may begin the body: pending_ starts with the line end that it then lacks.
MultipartParser::MultipartParser(std::string_view boundary, const Limits& limits,
                                 MultipartHandler& handler)
    : delimiter_(fmt::format("\r\n--{}", boundary)),
      parts_max_(limits.multipart_parts_max),
      part_header_bytes_max_(limits.multipart_part_header_bytes_max),
      file_name_bytes_max_(limits.multipart_file_name_bytes_max),
      handler_(handler),
      pending_("\r\n") {}

Status MultipartParser::push(std::string_view bytes) {
  if (state_ == State::epilogue) return {};
  // Without a remainder of the last push the bytes are used where they are.
  const bool joined = !pending_.empty();
  if (joined) pending_ += bytes;
  std::string_view input = joined ? std::string_view(pending_) : bytes;
  for (bool more = true; more;) {
    NETML_TRY(more, step(input));
  }
  if (state_ == State::epilogue) input = {};
  if (joined)
    pending_.erase(0, pending_.size() - input.size());
  else
    pending_.assign(input);
  return {};
}

Status MultipartParser::finish() const {
  if (state_ != State::epilogue) return malformed("it ends before its closing boundary");
  return {};
}

Result<bool> MultipartParser::step(std::string_view& input) {
  switch (state_) {
    case State::preamble:
      return skip_preamble(input);
    case State::after_boundary:
      return read_after_boundary(input);
    case State::part_header:
      return read_part_header(input);
    case State::part_body:
      return read_part_body(input);
    case State::epilogue:
      return false;
  }
  return false;
}

Result<bool> MultipartParser::skip_preamble(std::string_view& input) {
  const std::size_t found = input.find(delimiter_);
  if (found == input.npos) {
    input.remove_prefix(input.size() - std::min(input.size(), delimiter_.size() - 1));
    return false;
  }
  input.remove_prefix(found + delimiter_.size());
  state_ = State::after_boundary;
  return true;
}

Result<bool> MultipartParser::read_after_boundary(std::string_view& input) {
  if (input.size() < 2) return false;
  if (input.starts_with("--")) {
    state_ = State::epilogue;
    return false;
  }
  const std::size_t text = std::min(input.find_first_not_of(" \t"), input.size());
  if (text > kTransportPaddingMax) return malformed("a boundary line");
  if (input.size() < text + 2) return false;
  if (input.substr(text, 2) != "\r\n") return malformed("a boundary line");
  if (++parts_ > parts_max_)
    return fail(Errc::too_large,
                beyond_limit("parts of the body", limit_names::kMultipartParts, parts_max_));
  input.remove_prefix(text);  // the line end stays: it may begin the blank line
  state_ = State::part_header;
  return true;
}

Result<bool> MultipartParser::read_part_header(std::string_view& input) {
  const std::size_t end = input.find("\r\n\r\n");
  if (std::min(end, input.size()) > part_header_bytes_max_)
    return fail(Errc::invalid_input,
                beyond_limit("bytes of a part's header", limit_names::kMultipartPartHeaderBytes,
                             part_header_bytes_max_));
  if (end == input.npos) return false;
  const std::string_view lines = end == 0 ? std::string_view() : input.substr(2, end);
  NETML_TRY(const PartHead head, parse_part_head(lines, file_name_bytes_max_));
  NETML_TRY_VOID(handler_.part_begin(head));
  input.remove_prefix(end + 4);
  state_ = State::part_body;
  return true;
}

Result<bool> MultipartParser::read_part_body(std::string_view& input) {
  const std::size_t found = input.find(delimiter_);
  // A tail that could begin a delimiter waits for more.
  const std::size_t undecided = std::min(input.size(), delimiter_.size() - 1);
  const std::size_t data = found != input.npos ? found : input.size() - undecided;
  if (data > 0) NETML_TRY_VOID(handler_.part_data(input.substr(0, data)));
  input.remove_prefix(data);
  if (found == input.npos) return false;
  NETML_TRY_VOID(handler_.part_end());
  input.remove_prefix(delimiter_.size());
  state_ = State::after_boundary;
  return true;
}

}  // namespace netml::net

#include "admin/base/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <type_traits>

#include "admin/base/limit_texts.hpp"
#include "codecs/document/limit_names.hpp"

namespace netml::admin::cli {

namespace {

net::Limits& http(Limits& limits) {
  return limits.http;
}
codecs::ReadLimits& xml(Limits& limits) {
  return limits.files.xml;
}
codecs::XlsxLimits& xlsx(Limits& limits) {
  return limits.files.xlsx;
}
PollLimits& polls(Limits& limits) {
  return limits.polls;
}
Limits& itself(Limits& limits) {
  return limits;
}

template <auto kPart, auto kMember>
using Value = std::remove_cvref_t<decltype(kPart(std::declval<Limits&>()).*kMember)>;

template <auto kPart, auto kMember>
std::uint64_t get(const Limits& limits) {
  Limits copy = limits;
  const auto value = kPart(copy).*kMember;
  if constexpr (std::is_integral_v<Value<kPart, kMember>>)
    return value;
  else
    return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(value).count());
}

template <auto kPart, auto kMember>
void set(Limits& limits, std::uint64_t value) {
  if constexpr (std::is_integral_v<Value<kPart, kMember>>)
    kPart(limits).*kMember = static_cast<Value<kPart, kMember>>(value);
  else
    kPart(limits).*kMember = std::chrono::seconds(value);
}

// The member `kMember` of what `kPart` gives of all limits.
template <auto kPart, auto kMember>
constexpr LimitDefinition limit(std::string_view name) {
  return {name, get<kPart, kMember>, set<kPart, kMember>};
}

namespace names = codecs::limit_names;
using Http = net::Limits;
using Xml = codecs::ReadLimits;
using Xlsx = codecs::XlsxLimits;

constexpr std::array kDefinitions{
    limit<http, &Http::request_line_bytes_max>(net::limit_names::kRequestLineBytes),
    limit<http, &Http::header_bytes_max>(net::limit_names::kHeaderBytes),
    limit<http, &Http::header_fields_max>(net::limit_names::kHeaderFields),
    limit<http, &Http::receive_buffer_bytes>("receive_buffer_bytes"),
    limit<http, &Http::body_buffer_bytes>("body_buffer_bytes"),
    limit<http, &Http::upload_bytes_max>(net::limit_names::kUploadBytes),
    limit<http, &Http::form_bytes_max>(net::limit_names::kFormBytes),
    limit<http, &Http::open_form_bytes_max>(net::limit_names::kOpenFormBytes),
    limit<http, &Http::open_body_bytes_per_second_max>("open_body_bytes_per_second_max"),
    limit<http, &Http::chunk_line_bytes_max>("chunk_line_bytes_max"),
    limit<http, &Http::trailer_bytes_max>("trailer_bytes_max"),
    limit<http, &Http::multipart_parts_max>(net::limit_names::kMultipartParts),
    limit<http, &Http::multipart_part_header_bytes_max>(
        net::limit_names::kMultipartPartHeaderBytes),
    limit<http, &Http::multipart_text_field_bytes_max>(net::limit_names::kMultipartTextFieldBytes),
    limit<http, &Http::multipart_file_name_bytes_max>("multipart_file_name_bytes_max"),
    limit<http, &Http::tls_handshake_max>("tls_handshake_seconds_max"),
    limit<http, &Http::header_complete_max>("header_complete_seconds_max"),
    limit<http, &Http::transfer_bytes_per_second_min>("transfer_bytes_per_second_min"),
    limit<http, &Http::transfer_window>("transfer_window_seconds"),
    limit<http, &Http::transfer_grace>("transfer_grace_seconds"),
    limit<http, &Http::keep_alive_idle_max>("keep_alive_idle_seconds_max"),
    limit<http, &Http::discard_bytes_max>("discard_bytes_max"),
    limit<http, &Http::discard_max>("discard_seconds_max"),
    limit<http, &Http::linger_bytes_max>("linger_bytes_max"),
    limit<http, &Http::linger_max>("linger_seconds_max"),
    limit<http, &Http::connections_max>("connections_max"),
    limit<http, &Http::connections_per_address_max>("connections_per_address_max"),
    limit<http, &Http::requests_per_connection_max>("requests_per_connection_max"),
    limit<http, &Http::requests_waiting_max>(net::limit_names::kRequestsWaiting),
    limit<http, &Http::connection_memory_bytes_max>(net::limit_names::kConnectionMemoryBytes),
    limit<itself, &Limits::uploads_at_once_max>("uploads_at_once_max"),
    limit<itself, &Limits::imports_waiting_max>("imports_waiting_max"),
    limit<itself, &Limits::export_cache_bytes_max>("export_cache_bytes_max"),
    limit<polls, &PollLimits::connect_max>("poll_connect_seconds_max"),
    limit<polls, &PollLimits::tls_max>("poll_tls_seconds_max"),
    limit<polls, &PollLimits::first_byte_max>("poll_first_byte_seconds_max"),
    limit<polls, &PollLimits::bytes_per_second_min>("poll_bytes_per_second_min"),
    limit<polls, &PollLimits::rate_window>("poll_window_seconds"),
    limit<polls, &PollLimits::total_max>("poll_total_seconds_max"),
    limit<polls, &PollLimits::fetches_at_once_max>("poll_fetches_at_once_max"),
    limit<polls, &PollLimits::attempts_max>("poll_attempts_max"),
    limit<polls, &PollLimits::retry_after>("poll_retry_seconds"),
    limit<xml, &Xml::depth>(names::kXmlDepth),
    limit<xml, &Xml::elements>(names::kXmlElements),
    limit<xml, &Xml::attributes>(names::kXmlAttributes),
    limit<xml, &Xml::name_bytes>(names::kXmlNameBytes),
    limit<xml, &Xml::text_bytes>(names::kXmlTextBytes),
    limit<xml, &Xml::markup_bytes>(names::kXmlMarkupBytes),
    limit<xml, &Xml::record_bytes>(names::kXmlRecordBytes),
    limit<xml, &Xml::errors>("xml_errors_kept_max"),
    limit<xlsx, &Xlsx::file_bytes>(names::kXlsxFileBytes),
    limit<xlsx, &Xlsx::expanded_bytes>(names::kXlsxExpandedBytes),
    limit<xlsx, &Xlsx::expanded_ratio>(names::kXlsxExpandedRatio),
    limit<xlsx, &Xlsx::entries>(names::kXlsxEntries),
    limit<xlsx, &Xlsx::shared_strings>(names::kXlsxSharedStrings),
    limit<xlsx, &Xlsx::shared_string_bytes>(names::kXlsxSharedStringBytes),
    limit<xlsx, &Xlsx::row_bytes>(names::kXlsxRowBytes),
    limit<xlsx, &Xlsx::errors>("xlsx_errors_kept_max"),
};

// As in version 0.1; taken for one release.
constexpr std::string_view name_now(std::string_view name) {
  return name == "export_kept_bytes_max" ? "export_cache_bytes_max" : name;
}

// Beyond it a value is a slip of the finger, and sums of values might overflow.
constexpr std::uint64_t kValueMax = std::uint64_t{1} << 48;

}  // namespace

std::span<const LimitDefinition> limit_definitions() {
  return kDefinitions;
}

std::string limit_list() {
  const Limits defaults;
  std::string list;
  for (const LimitDefinition& definition : kDefinitions)
    list += fmt::format("  {:<32} {}\n", definition.name, definition.get(defaults));
  return list;
}

bool speaks_of_limit(std::string_view text) {
  return std::ranges::any_of(kDefinitions, [&](const LimitDefinition& definition) {
    return text.find(fmt::format("--limit {}=N", definition.name)) != text.npos;
  });
}

Status set_limit(Limits& limits, std::string_view assignment) {
  const std::size_t sign = std::min(assignment.find('='), assignment.size());
  const std::string_view name = name_now(assignment.substr(0, sign));
  const auto found = std::ranges::find(kDefinitions, name, &LimitDefinition::name);
  if (found == kDefinitions.end())
    return fail(
        Errc::invalid_input,
        fmt::format("there is no limit {}; netml status --help lists them", name.substr(0, 64)));
  const std::string_view digits = assignment.substr(std::min(sign + 1, assignment.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && value > 0 &&
      value <= kValueMax) {
    found->set(limits, value);
    if (found->get(limits) == value) {
      // A head must fit into the buffer that it is read into.
      std::size_t& buffer = limits.http.receive_buffer_bytes;
      buffer = std::max(buffer, 2 * limits.http.header_bytes_max);
      return {};
    }
  }
  return fail(Errc::invalid_input,
              fmt::format("a limit is set as {}=NUMBER, a whole number from 1 that fits it", name));
}

}  // namespace netml::admin::cli

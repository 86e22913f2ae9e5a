#include "admin/base/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <type_traits>

#include "admin/base/limit_texts.hpp"
#include "codecs/document/read_limits.hpp"
#include "engine/base/texts.hpp"

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
constexpr LimitDefinition limit(std::string_view name, std::string_view unit,
                                std::string_view meaning) {
  return {name, unit, meaning, get<kPart, kMember>, set<kPart, kMember>};
}

namespace names = codecs::limit_names;
using Http = net::Limits;
using Xml = codecs::ReadLimits;
using Xlsx = codecs::XlsxLimits;

constexpr LimitDefinition kDefinitions[] = {
    limit<http, &Http::request_line_bytes_max>(net::limit_names::kRequestLineBytes, "bytes",
                                               "of the first line of a request"),
    limit<http, &Http::header_bytes_max>(net::limit_names::kHeaderBytes, "bytes",
                                         "of the head of a request"),
    limit<http, &Http::header_fields_max>(net::limit_names::kHeaderFields, "fields",
                                          "of the head of a request"),
    limit<http, &Http::receive_buffer_bytes>(
        "receive_buffer_bytes", "bytes",
        "of the buffer that a head is received in; at least twice header_bytes_max"),
    limit<http, &Http::body_buffer_bytes>("body_buffer_bytes", "bytes",
                                          "of the buffer that a long body is received in"),
    limit<http, &Http::upload_bytes_max>(net::limit_names::kUploadBytes, "bytes",
                                         "of an uploaded file, and of the map that a peer sends"),
    limit<http, &Http::form_bytes_max>(net::limit_names::kFormBytes, "bytes",
                                       "of a JSON or form body"),
    limit<http, &Http::open_form_bytes_max>(
        net::limit_names::kOpenFormBytes, "bytes",
        "of a JSON or form body of anybody who is not signed in"),
    limit<http, &Http::open_body_bytes_per_second_max>(
        "open_body_bytes_per_second_max", "bytes/s",
        "of all bodies together whose senders are not signed in"),
    limit<http, &Http::chunk_line_bytes_max>(net::limit_names::kChunkLineBytes, "bytes",
                                             "of the line before a chunk of a body"),
    limit<http, &Http::trailer_bytes_max>(net::limit_names::kTrailerBytes, "bytes",
                                          "of the trailers behind a chunked body"),
    limit<http, &Http::multipart_parts_max>(net::limit_names::kMultipartParts, "parts",
                                            "of a form with a file"),
    limit<http, &Http::multipart_part_header_bytes_max>(net::limit_names::kMultipartPartHeaderBytes,
                                                        "bytes", "of the head of such a part"),
    limit<http, &Http::multipart_text_field_bytes_max>(net::limit_names::kMultipartTextFieldBytes,
                                                       "bytes", "of a text in such a form"),
    limit<http, &Http::multipart_file_name_bytes_max>(net::limit_names::kMultipartFileNameBytes,
                                                      "bytes", "of the name of an uploaded file"),
    limit<http, &Http::tls_handshake_max>("tls_handshake_seconds_max", "s",
                                          "until a connection over TLS is ready"),
    limit<http, &Http::header_complete_max>(net::limit_names::kHeaderSeconds, "s",
                                            "from the first byte of a head to its last"),
    limit<http, &Http::transfer_bytes_per_second_min>(
        net::limit_names::kTransferRate, "bytes/s", "that a body or an answer must move at least"),
    limit<http, &Http::transfer_window>("transfer_window_seconds", "s",
                                        "by which a transfer may fall behind that rate"),
    limit<http, &Http::transfer_grace>("transfer_grace_seconds", "s",
                                       "more at the start of a transfer"),
    limit<http, &Http::keep_alive_idle_max>("keep_alive_idle_seconds_max", "s",
                                            "that a connection may wait for its next request"),
    limit<http, &Http::discard_bytes_max>(
        "discard_bytes_max", "bytes",
        "of a refused body that are read and dropped, if upload_bytes_max is not more"),
    limit<http, &Http::discard_max>("discard_seconds_max", "s", "that this may take"),
    limit<http, &Http::linger_bytes_max>(
        "linger_bytes_max", "bytes",
        "that are read and dropped after an answer that closes the connection"),
    limit<http, &Http::linger_max>("linger_seconds_max", "s", "that this may take"),
    limit<http, &Http::connections_max>("connections_max", "connections", "at once"),
    limit<http, &Http::connections_per_address_max>("connections_per_address_max", "connections",
                                                    "at once of one address"),
    limit<http, &Http::requests_per_connection_max>("requests_per_connection_max", "requests",
                                                    "until a connection is closed"),
    limit<http, &Http::requests_waiting_max>(
        net::limit_names::kRequestsWaiting, "requests",
        "that wait for a worker; at most a quarter of connections_max"),
    limit<http, &Http::connection_memory_bytes_max>(net::limit_names::kConnectionMemoryBytes,
                                                    "bytes",
                                                    "that all connections together keep in memory"),
    limit<itself, &Limits::uploads_at_once_max>(limit_names::kUploadsAtOnce, "uploads",
                                                "that are received at once"),
    limit<itself, &Limits::imports_waiting_max>(limit_names::kImportsWaiting, "imports",
                                                "that are received and wait while one is applied"),
    limit<itself, &Limits::export_cache_bytes_max>("export_cache_bytes_max", "bytes",
                                                   "of exports that are cached in memory"),
    limit<polls, &PollLimits::connect_max>("poll_connect_seconds_max", "s",
                                           "until a peer accepts a connection"),
    limit<polls, &PollLimits::tls_max>("poll_tls_seconds_max", "s",
                                       "until a connection to a peer is encrypted"),
    limit<polls, &PollLimits::first_byte_max>("poll_first_byte_seconds_max", "s",
                                              "until a peer begins its answer"),
    limit<polls, &PollLimits::bytes_per_second_min>("poll_bytes_per_second_min", "bytes/s",
                                                    "that a peer must send at least"),
    limit<polls, &PollLimits::rate_window>("poll_window_seconds", "s",
                                           "by which a peer may fall behind that rate"),
    limit<polls, &PollLimits::total_max>("poll_total_seconds_max", "s",
                                         "that a peer may take in total"),
    limit<polls, &PollLimits::fetches_at_once_max>("poll_fetches_at_once_max", "polls",
                                                   "that fetch at once"),
    limit<polls, &PollLimits::attempts_max>("poll_attempts_max", "attempts", "to reach a peer"),
    limit<polls, &PollLimits::retry_after>("poll_retry_seconds", "s",
                                           "until the second attempt; the pauses grow"),
    limit<xml, &Xml::depth>(names::kXmlDepth, "levels", "of elements in a file"),
    limit<xml, &Xml::elements>(names::kXmlElements, "elements", "of a file"),
    limit<xml, &Xml::attributes>(names::kXmlAttributes, "attributes", "of an element"),
    limit<xml, &Xml::name_bytes>(names::kXmlNameBytes, "bytes",
                                 "of the name of an element or attribute"),
    limit<xml, &Xml::text_bytes>(names::kXmlTextBytes, "bytes",
                                 "of a text or the value of an attribute"),
    limit<xml, &Xml::markup_bytes>(names::kXmlMarkupBytes, "bytes", "of a tag or comment"),
    limit<xml, &Xml::record_bytes>(names::kXmlRecordBytes, "bytes",
                                   "of all texts of one topology or element"),
    limit<xml, &Xml::errors>("xml_errors_kept_max", "errors",
                             "of a file that are listed; all are counted"),
    limit<xlsx, &Xlsx::file_bytes>(names::kXlsxFileBytes, "bytes", "of a spreadsheet"),
    limit<xlsx, &Xlsx::expanded_bytes>(names::kXlsxExpandedBytes, "bytes",
                                       "that a spreadsheet expands to"),
    limit<xlsx, &Xlsx::expanded_ratio>(names::kXlsxExpandedRatio, "times",
                                       "that a part may expand, beyond its first 16 MiB"),
    limit<xlsx, &Xlsx::entries>(names::kXlsxEntries, "files",
                                "in the archive that a spreadsheet is"),
    limit<xlsx, &Xlsx::shared_strings>(names::kXlsxSharedStrings, "texts", "that cells share"),
    limit<xlsx, &Xlsx::shared_string_bytes>(names::kXlsxSharedStringBytes, "bytes",
                                            "of the texts that cells share"),
    limit<xlsx, &Xlsx::row_bytes>(names::kXlsxRowBytes, "bytes", "of the texts of a row"),
    limit<xlsx, &Xlsx::errors>("xlsx_errors_kept_max", "errors",
                               "of a spreadsheet that are listed; all are counted"),
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
    list += fmt::format("  {:<32} {} {} {}\n", definition.name, definition.get(defaults),
                        definition.unit, definition.meaning);
  return list;
}

bool speaks_of_limit(std::string_view text) {
  return std::ranges::any_of(kDefinitions, [&](const LimitDefinition& definition) {
    return text.find(fmt::format("--limit {}=N", definition.name)) != text.npos;
  });
}

Status set_limit(Limits& limits, std::string_view assignment) {
  const std::string_view name = name_now(take_until(assignment, '='));
  const auto found = std::ranges::find(kDefinitions, name, &LimitDefinition::name);
  if (found == std::end(kDefinitions))
    return fail(
        Errc::invalid_input,
        fmt::format("there is no limit {}; netml status --help lists them", name.substr(0, 64)));
  const auto value = parse_integer<std::uint64_t>(assignment);
  if (value && *value > 0 && *value <= kValueMax) {
    found->set(limits, *value);
    if (found->get(limits) == *value) {
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

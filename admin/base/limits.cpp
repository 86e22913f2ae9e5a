#include "admin/base/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <type_traits>

#include "codecs/document/read_limits.hpp"
#include "engine/base/nearest_word.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin::cli {

namespace {

// Where each kind of limits stands among all of them.
template <class Part, class All>
auto& part_of(All& limits) {
  if constexpr (std::is_same_v<Part, net::Limits>)
    return limits.http;
  else if constexpr (std::is_same_v<Part, PollLimits>)
    return limits.polls;
  else if constexpr (std::is_same_v<Part, codecs::ReadLimits>)
    return limits.files.xml;
  else if constexpr (std::is_same_v<Part, codecs::XlsxLimits>)
    return limits.files.xlsx;
  else
    return limits;
}

template <auto kMember>
struct Access;
template <class Part, class Value, Value Part::* kMember>
struct Access<kMember> {
  static std::uint64_t get(const Limits& limits) {
    const Value value = part_of<Part>(limits).*kMember;
    if constexpr (std::is_integral_v<Value>)
      return value;
    else
      return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(value).count());
  }
  static void set(Limits& limits, std::uint64_t value) {
    if constexpr (std::is_integral_v<Value>)
      part_of<Part>(limits).*kMember = static_cast<Value>(value);
    else
      part_of<Part>(limits).*kMember = std::chrono::seconds(value);
  }
};

template <auto kMember>
constexpr LimitDefinition limit(std::string_view name, std::string_view unit,
                                std::string_view meaning) {
  return {name, unit, meaning, Access<kMember>::get, Access<kMember>::set};
}

namespace names = codecs::limit_names;
using Http = net::Limits;
using Xml = codecs::ReadLimits;
using Xlsx = codecs::XlsxLimits;

constexpr LimitDefinition kDefinitions[] = {
    limit<&Http::request_line_bytes_max>(net::limit_names::kRequestLineBytes, "bytes",
                                         "of the first line of a request"),
    limit<&Http::header_bytes_max>(net::limit_names::kHeaderBytes, "bytes",
                                   "of the head of a request"),
    limit<&Http::header_fields_max>(net::limit_names::kHeaderFields, "fields",
                                    "of the head of a request"),
    limit<&Http::receive_buffer_bytes>(
        "receive_buffer_bytes", "bytes",
        "of the buffer that a head is received in; at least twice header_bytes_max"),
    limit<&Http::body_buffer_bytes>("body_buffer_bytes", "bytes",
                                    "of the buffer that a long body is received in"),
    limit<&Http::upload_bytes_max>(net::limit_names::kUploadBytes, "bytes",
                                   "of an uploaded file, and of the map that a peer sends"),
    limit<&Http::form_bytes_max>(net::limit_names::kFormBytes, "bytes", "of a JSON or form body"),
    limit<&Http::open_form_bytes_max>(net::limit_names::kOpenFormBytes, "bytes",
                                      "of a JSON or form body of anybody who is not signed in"),
    limit<&Http::open_body_bytes_per_second_max>(
        "open_body_bytes_per_second_max", "bytes/s",
        "of all bodies together whose senders are not signed in"),
    limit<&Http::chunk_line_bytes_max>(net::limit_names::kChunkLineBytes, "bytes",
                                       "of the line before a chunk of a body"),
    limit<&Http::trailer_bytes_max>(net::limit_names::kTrailerBytes, "bytes",
                                    "of the trailers behind a chunked body"),
    limit<&Http::multipart_parts_max>(net::limit_names::kMultipartParts, "parts",
                                      "of a form with a file"),
    limit<&Http::multipart_part_header_bytes_max>(net::limit_names::kMultipartPartHeaderBytes,
                                                  "bytes", "of the head of such a part"),
    limit<&Http::multipart_text_field_bytes_max>(net::limit_names::kMultipartTextFieldBytes,
                                                 "bytes", "of a text in such a form"),
    limit<&Http::multipart_file_name_bytes_max>(net::limit_names::kMultipartFileNameBytes, "bytes",
                                                "of the name of an uploaded file"),
    limit<&Http::tls_handshake_max>("tls_handshake_seconds_max", "s",
                                    "until a connection over TLS is ready"),
    limit<&Http::header_complete_max>(net::limit_names::kHeaderSeconds, "s",
                                      "from the first byte of a head to its last"),
    limit<&Http::transfer_bytes_per_second_min>(net::limit_names::kTransferRate, "bytes/s",
                                                "that a body or an answer must move at least"),
    limit<&Http::transfer_window>("transfer_window_seconds", "s",
                                  "by which a transfer may fall behind that rate"),
    limit<&Http::transfer_grace>("transfer_grace_seconds", "s", "more at the start of a transfer"),
    limit<&Http::keep_alive_idle_max>("keep_alive_idle_seconds_max", "s",
                                      "that a connection may wait for its next request"),
    limit<&Http::discard_bytes_max>(
        "discard_bytes_max", "bytes",
        "of a refused body that are read and dropped, if upload_bytes_max is not more"),
    limit<&Http::discard_max>("discard_seconds_max", "s", "that this may take"),
    limit<&Http::linger_bytes_max>(
        "linger_bytes_max", "bytes",
        "that are read and dropped after an answer that closes the connection"),
    limit<&Http::linger_max>("linger_seconds_max", "s", "that this may take"),
    limit<&Http::connections_max>("connections_max", "connections", "at once"),
    limit<&Http::connections_per_address_max>("connections_per_address_max", "connections",
                                              "at once of one address"),
    limit<&Http::requests_per_connection_max>("requests_per_connection_max", "requests",
                                              "until a connection is closed"),
    limit<&Http::requests_waiting_max>(
        net::limit_names::kRequestsWaiting, "requests",
        "that wait for a worker; at most a quarter of connections_max"),
    limit<&Http::connection_memory_bytes_max>(net::limit_names::kConnectionMemoryBytes, "bytes",
                                              "that all connections together keep in memory"),
    limit<&Limits::uploads_at_once_max>(limit_names::kUploadsAtOnce, "uploads",
                                        "that are received at once"),
    limit<&Limits::imports_waiting_max>(limit_names::kImportsWaiting, "imports",
                                        "that are received and wait while one is applied"),
    limit<&Limits::export_cache_bytes_max>("export_cache_bytes_max", "bytes",
                                           "of exports that are cached in memory"),
    limit<&PollLimits::connect_max>("poll_connect_seconds_max", "s",
                                    "until a peer accepts a connection"),
    limit<&PollLimits::tls_max>("poll_tls_seconds_max", "s",
                                "until a connection to a peer is encrypted"),
    limit<&PollLimits::first_byte_max>("poll_first_byte_seconds_max", "s",
                                       "until a peer begins its answer"),
    limit<&PollLimits::bytes_per_second_min>("poll_bytes_per_second_min", "bytes/s",
                                             "that a peer must send at least"),
    limit<&PollLimits::rate_window>("poll_window_seconds", "s",
                                    "by which a peer may fall behind that rate"),
    limit<&PollLimits::total_max>("poll_total_seconds_max", "s", "that a peer may take in total"),
    limit<&PollLimits::fetches_at_once_max>("poll_fetches_at_once_max", "polls",
                                            "that fetch at once"),
    limit<&PollLimits::attempts_max>("poll_attempts_max", "attempts", "to reach a peer"),
    limit<&PollLimits::retry_after>("poll_retry_seconds", "s",
                                    "until the second attempt; the pauses grow"),
    limit<&Xml::depth>(names::kXmlDepth, "levels", "of elements in a file"),
    limit<&Xml::elements>(names::kXmlElements, "elements", "of a file"),
    limit<&Xml::attributes>(names::kXmlAttributes, "attributes", "of an element"),
    limit<&Xml::name_bytes>(names::kXmlNameBytes, "bytes",
                            "of the name of an element or attribute"),
    limit<&Xml::text_bytes>(names::kXmlTextBytes, "bytes",
                            "of a text or the value of an attribute"),
    limit<&Xml::markup_bytes>(names::kXmlMarkupBytes, "bytes", "of a tag or comment"),
    limit<&Xml::record_bytes>(names::kXmlRecordBytes, "bytes",
                              "of all texts of one topology or element"),
    limit<&Xml::errors>("xml_errors_kept_max", "errors",
                        "of a file that are listed; all are counted"),
    limit<&Xlsx::file_bytes>(names::kXlsxFileBytes, "bytes", "of a spreadsheet"),
    limit<&Xlsx::expanded_bytes>(names::kXlsxExpandedBytes, "bytes",
                                 "that a spreadsheet expands to"),
    limit<&Xlsx::expanded_ratio>(names::kXlsxExpandedRatio, "times",
                                 "that a part may expand, beyond its first 16 MiB"),
    limit<&Xlsx::entries>(names::kXlsxEntries, "files", "in the archive that a spreadsheet is"),
    limit<&Xlsx::shared_strings>(names::kXlsxSharedStrings, "texts", "that cells share"),
    limit<&Xlsx::shared_string_bytes>(names::kXlsxSharedStringBytes, "bytes",
                                      "of the texts that cells share"),
    limit<&Xlsx::row_bytes>(names::kXlsxRowBytes, "bytes", "of the texts of a row"),
    limit<&Xlsx::errors>("xlsx_errors_kept_max", "errors",
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
        fmt::format("there is no limit {}{}; netml status --help lists them", name.substr(0, 64),
                    did_you_mean(name, words_of(kDefinitions, &LimitDefinition::name))));
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

#include "codecs/netml/delta/delta_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codecs/document/xml_text.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"
#include "engine/base/sha256.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kDeltaBegin = "<delta:Delta";
constexpr std::string_view kDeltaNamespace = "urn:netml:delta:1";

}  // namespace

tl::unexpected<Error> not_a_delta(const ExportedText& text) {
  return fail(Errc::invalid_input,
              fmt::format("at byte {}: not as a delta is written", text.place()));
}

void put_attribute(TextBuffer& out, std::string_view name, std::string_view value) {
  out.append(" ");
  out.append(name);
  out.append("=");
  out.wrote(put_quoted(out.room(quoted_bytes_max(value.size())), value));
}

void put_label(TextBuffer& out, const DeltaLabel& label) {
  out.append(kXmlDeclaration);
  out.append(kDeltaBegin);
  put_attribute(out, "xmlns:delta", kDeltaNamespace);
  put_attribute(out, "xmlns:grenml", kNetmlNamespace);
  put_attribute(out, "xmlns:nml", kNmlNamespace);
  put_attribute(out, "stream", label.stream);
  put_attribute(out, "from", label.from);
  put_attribute(out, "to", label.to);
  put_attribute(out, "before", to_hex(label.before));
  put_attribute(out, "after", to_hex(label.after));
  out.append(">");
}

Result<DeltaLabel> take_label(ExportedText& text) {
  const auto is = [&](std::string_view name, std::string_view value) {
    return text.take(" ") && text.take_attribute(name) == value;
  };
  const auto take = [&](std::string_view name) {
    return text.take(" ") ? text.take_attribute(name) : std::nullopt;
  };
  if (!text.take(kXmlDeclaration) || !text.take(kDeltaBegin) ||
      !is("xmlns:delta", kDeltaNamespace) || !is("xmlns:grenml", kNetmlNamespace) ||
      !is("xmlns:nml", kNmlNamespace))
    return not_a_delta(text);
  auto stream = take("stream");
  auto from = take("from");
  auto to = take("to");
  const auto before = parse_sha256(take("before").value_or(""));
  const auto after = parse_sha256(take("after").value_or(""));
  if (!stream || !from || !to || !before || !after || !text.take(">")) return not_a_delta(text);
  return DeltaLabel{*std::move(stream), *std::move(from), *std::move(to), *before, *after};
}

void put_deleted(TextBuffer& out, Kind kind, std::string_view id) {
  out.append(kDeltaDeleted);
  put_attribute(out, "kind", kind_name(kind));
  put_attribute(out, "id", id);
  out.append(kDeltaDeletedEnd);
}

Result<std::optional<Deleted>> take_deleted(ExportedText& text) {
  if (!text.take(kDeltaDeleted)) return std::optional<Deleted>();
  const auto kind = text.take(" ") ? text.take_attribute("kind") : std::nullopt;
  auto id = text.take(" ") ? text.take_attribute("id") : std::nullopt;
  const auto known =
      std::ranges::find_if(kKinds, [&](Kind each) { return kind && *kind == kind_name(each); });
  if (known == kKinds.end() || !id || !text.take(kDeltaDeletedEnd)) return not_a_delta(text);
  return Deleted{*known, *std::move(id)};
}

}  // namespace netml::codecs

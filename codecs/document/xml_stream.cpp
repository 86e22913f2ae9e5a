#include "codecs/document/xml_stream.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/base/guarded.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

// Expat reads an unfinished tag anew with every piece, so small pieces make long tags quadratic.
constexpr std::size_t kParserBufferBytes = 256 << 10;

// Between namespace and local name; no character of XML, so neither can contain it.
constexpr char kSeparator = '\x1f';

XmlName split_name(const char* name) {
  const std::string_view whole(name);
  const std::size_t separator = whole.find(kSeparator);
  if (separator == std::string_view::npos) return {{}, whole};
  return {whole.substr(0, separator), whole.substr(separator + 1)};
}

std::uint32_t saturated(std::uint64_t value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(value, kMax));
}

}  // namespace

std::string_view value_of(std::span<const XmlAttribute> attributes, std::string_view name) {
  const auto found = std::ranges::find(
      attributes, name, [](const XmlAttribute& attribute) { return attribute.name.local; });
  return found == attributes.end() ? std::string_view() : found->value;
}

// What expat calls. Nothing may be thrown through it: it is stopped, and what was thrown goes on
// when it has returned.
struct XmlCallbacks {
  template <class Tell>
  static void event(void* self, Tell tell) noexcept {
    static_cast<XmlStream*>(self)->silent_bytes_ = 0;
    tell_of(self, tell);
  }
  static void declaration(void* self, const char* version, const char* encoding, int) noexcept {
    tell_of(self, [&](XmlStream& stream) {
      stream.events_.declaration(or_empty(version), or_empty(encoding));
    });
  }
  static void declare_namespace(void* self, const char* prefix, const char* space) noexcept {
    tell_of(self, [&](XmlStream& stream) {
      stream.events_.declare_namespace(or_empty(prefix), or_empty(space));
    });
  }
  static void start_element(void* self, const char* name, const char** attributes) noexcept {
    event(self, [&](XmlStream& stream) { stream.start_element(name, attributes); });
  }
  static void end_element(void* self, const char*) noexcept {
    event(self, [](XmlStream& stream) {
      --stream.depth_;
      stream.events_.end_element();
    });
  }
  static void text(void* self, const char* piece, int bytes) noexcept {
    event(self, [&](XmlStream& stream) {
      stream.events_.text({piece, static_cast<std::size_t>(bytes)});
    });
  }
  static void comment(void* self, const char*) noexcept { nothing(self); }
  static void instruction(void* self, const char*, const char*) noexcept { nothing(self); }
  static void doctype(void* self, const char*, const char*, const char*, int) noexcept {
    event(self, [](XmlStream& stream) {
      stream.fault("dtd-forbidden", "document type declarations are not accepted");
    });
  }

 private:
  template <class Tell>
  static void tell_of(void* self, Tell tell) noexcept {
    auto* stream = static_cast<XmlStream*>(self);
    if (stream->stopped_) return;  // expat may still send an event after a stop
    try {
      tell(*stream);
    } catch (...) {
      stream->thrown_ = std::current_exception();
      stream->stop();
    }
  }
  static std::string_view or_empty(const char* text) { return text == nullptr ? "" : text; }
  static void nothing(void* self) noexcept {
    event(self, [](XmlStream&) {});
  }
};

void XmlStream::FreeParser::operator()(XML_ParserStruct* parser) const {
  XML_ParserFree(parser);
}

XmlStream::XmlStream(const ReadLimits& limits, XmlEvents& events, LimitsAre settable)
    : limits_(limits),
      settable_(settable),
      events_(events),
      parser_(XML_ParserCreateNS(nullptr, kSeparator)) {
  check_allocated(parser_ != nullptr);
  XML_Parser parser = parser_.get();
  XML_SetUserData(parser, this);
  XML_SetXmlDeclHandler(parser, &XmlCallbacks::declaration);
  XML_SetStartNamespaceDeclHandler(parser, &XmlCallbacks::declare_namespace);
  XML_SetElementHandler(parser, &XmlCallbacks::start_element, &XmlCallbacks::end_element);
  XML_SetCharacterDataHandler(parser, &XmlCallbacks::text);
  XML_SetCommentHandler(parser, &XmlCallbacks::comment);
  XML_SetProcessingInstructionHandler(parser, &XmlCallbacks::instruction);
  XML_SetStartDoctypeDeclHandler(parser, &XmlCallbacks::doctype);
  XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER);
}

void XmlStream::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty() && !stopped_) {
    if (buffer_ == nullptr) {
      buffer_ = static_cast<char*>(XML_GetBuffer(parser_.get(), kParserBufferBytes));
      check_allocated(buffer_ != nullptr);
    }
    const std::size_t count = std::min(bytes.size(), kParserBufferBytes - buffered_);
    std::memcpy(buffer_ + buffered_, bytes.data(), count);
    buffered_ += count;
    bytes = bytes.subspan(count);
    if (buffered_ == kParserBufferBytes) parse(false);
  }
}

void XmlStream::finish() {
  if (!stopped_) parse(true);
}

void XmlStream::parse(bool last) {
  silent_bytes_ += buffered_;
  XML_Parser parser = parser_.get();
  const int length = static_cast<int>(std::exchange(buffered_, 0));
  const XML_Status status = std::exchange(buffer_, nullptr) == nullptr
                                ? XML_Parse(parser, nullptr, 0, last)
                                : XML_ParseBuffer(parser, length, last);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (stopped_) return;
  if (status != XML_STATUS_OK) {
    const XML_Error error = XML_GetErrorCode(parser);
    check_allocated(error != XML_ERROR_NO_MEMORY);
    fault("not-well-formed",
          fmt::format("the file is not well-formed XML: {}", XML_ErrorString(error)));
  } else if (silent_bytes_ > limits_.markup_bytes) {
    fault("too-large", beyond("a tag or comment is too long", limit_names::kXmlMarkupBytes,
                              limits_.markup_bytes));
  }
}

void XmlStream::stop() {
  if (stopped_) return;
  stopped_ = true;
  XML_StopParser(parser_.get(), XML_FALSE);
}

TextPosition XmlStream::position() const {
  return {saturated(XML_GetCurrentLineNumber(parser_.get())),
          saturated(std::uint64_t{XML_GetCurrentColumnNumber(parser_.get())} + 1)};
}

std::size_t XmlStream::bytes_to_end() const {
  return static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get()) +
                                  XML_GetCurrentByteCount(parser_.get()));
}

std::string XmlStream::beyond(std::string_view what, std::string_view limit,
                              std::uint64_t value) const {
  return settable_ == LimitsAre::settable ? beyond_limit(what, limit, value)
                                          : fmt::format("{}: at most {}", what, value);
}

void XmlStream::fault(std::string_view code, std::string_view message) {
  events_.fault(code, message);
  stop();
}

void XmlStream::start_element(const char* name, const char** attributes) {
  const XmlName element = split_name(name);
  if (!within_limits(element, attributes)) return;
  events_.start_element(element, attributes_);
}

// Fills attributes_ on the way.
bool XmlStream::within_limits(const XmlName& name, const char** attributes) {
  const auto too_large = [this](std::string_view what, std::string_view limit,
                                std::uint64_t value) {
    fault("too-large", beyond(what, limit, value));
    return false;
  };
  if (++depth_ > limits_.depth) {
    fault("too-deep",
          beyond("elements are nested too deeply", limit_names::kXmlDepth, limits_.depth));
    return false;
  }
  if (++elements_ > limits_.elements)
    return too_large("there are too many elements", limit_names::kXmlElements, limits_.elements);
  if (name.local.size() > limits_.name_bytes)
    return too_large("an element's name is too long", limit_names::kXmlNameBytes,
                     limits_.name_bytes);
  attributes_.clear();
  for (const char** at = attributes; *at != nullptr; at += 2) {
    const XmlAttribute attribute{split_name(at[0]), at[1]};
    if (attributes_.size() == limits_.attributes)
      return too_large("an element has too many attributes", limit_names::kXmlAttributes,
                       limits_.attributes);
    if (attribute.name.local.size() > limits_.name_bytes)
      return too_large("an attribute's name is too long", limit_names::kXmlNameBytes,
                       limits_.name_bytes);
    if (attribute.value.size() > limits_.text_bytes)
      return too_large("an attribute's value is too long", limit_names::kXmlTextBytes,
                       limits_.text_bytes);
    attributes_.push_back(attribute);
  }
  return true;
}

}  // namespace netml::codecs

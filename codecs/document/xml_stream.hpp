// XML as a stream of events: expat with namespaces, limits and places, and without document type
// declarations. What comes out is well-formed XML; entities and external files are never read.
//
// Ownership: the views handed to XmlEvents live during the call. Failure: the event fault(), once
// and as the last. What an event throws, and std::bad_alloc where expat gets no memory, leaves
// feed() or finish(), after which the stream is of no more use. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"

struct XML_ParserStruct;

namespace netml::codecs {

inline constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";

struct XmlName {
  std::string_view space;  // namespace, empty if none
  std::string_view local;
};

struct XmlAttribute {
  XmlName name;
  std::string_view value;
};

// Of the attributes that tell a validator where the schema is.
inline constexpr std::string_view kXsiNamespace = "http://www.w3.org/2001/XMLSchema-instance";

// Of the first attribute of that name, whatever its namespace; empty where there is none.
std::string_view value_of(std::span<const XmlAttribute> attributes, std::string_view name);

class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  // The XML declaration, `encoding` empty if it names none.
  virtual void declaration(std::string_view /*version*/, std::string_view /*encoding*/) {}
  // A namespace that the next element declares; `prefix` is empty for the default one.
  virtual void declare_namespace(std::string_view /*prefix*/, std::string_view /*space*/) {}
  virtual void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) = 0;
  virtual void end_element() = 0;
  // The text of an element may come in several pieces.
  virtual void text(std::string_view piece) = 0;
  // The stream ended before its time: not well-formed, forbidden or beyond a limit.
  virtual void fault(std::string_view code, std::string_view message) = 0;
};

// Whether a refusal tells how its limit is raised.
enum class LimitsAre : std::uint8_t { settable, fixed };

class XmlStream {
 public:
  XmlStream(const ReadLimits& limits, XmlEvents& events, LimitsAre settable = LimitsAre::settable);
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  void feed(std::span<const std::byte> bytes);
  void finish();
  // No further event, also when called from one.
  void stop();
  bool stopped() const { return stopped_; }
  // During an event: where what it tells of begins.
  TextPosition position() const;
  // Likewise: the bytes of the text up to its end.
  std::size_t bytes_to_end() const;

 private:
  friend struct XmlCallbacks;
  struct FreeParser {
    void operator()(XML_ParserStruct* parser) const;
  };

  void parse(bool last);
  void start_element(const char* name, const char** attributes);
  bool within_limits(const XmlName& name, const char** attributes);
  void fault(std::string_view code, std::string_view message);
  std::string beyond(std::string_view what, std::string_view limit, std::uint64_t value) const;

  ReadLimits limits_;
  const LimitsAre settable_;
  XmlEvents& events_;
  std::unique_ptr<XML_ParserStruct, FreeParser> parser_;
  char* buffer_ = nullptr;  // expat's, kept full before it is parsed
  std::size_t buffered_ = 0;
  std::size_t silent_bytes_ = 0;  // parsed since the last event
  std::uint32_t depth_ = 0;
  std::uint64_t elements_ = 0;
  bool stopped_ = false;
  std::exception_ptr thrown_;  // by an event, while expat is being left
  std::vector<XmlAttribute> attributes_;
};

}  // namespace netml::codecs

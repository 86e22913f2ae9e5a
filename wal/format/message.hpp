// Cap'n Proto messages as this project stores them: one segment, unpacked, without the segment
// table (rule C2). The only place where the library's exceptions are caught.
#pragma once

// clang from 16 on rejects two operators of Cap'n Proto 0.9 in C++20 mode without these.
#include <kj/string.h>
#if defined(__clang__) && __clang_major__ >= 16
namespace kj {
inline bool operator==(const char* a, const StringPtr& b) {
  return b == StringPtr(a);
}
inline bool operator!=(const char* a, const StringPtr& b) {
  return !(b == StringPtr(a));
}
}  // namespace kj
#endif

#include <capnp/message.h>
#include <kj/exception.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"

namespace netml::wal {

// Memory that messages are built in, one after another. Thread: its owner.
class MessageScratch {
 public:
  // Calls fill(Root::Builder) and then consume(payload), which is valid during that call only.
  // `words` is an upper bound of the message's size.
  template <class Root, class Fill, class Consume>
  auto build(std::size_t words, Fill&& fill, Consume&& consume) {
    if (words_.size() < words) words_.resize(words);
    ::capnp::MallocMessageBuilder message(
        kj::arrayPtr(reinterpret_cast<::capnp::word*>(words_.data()), words));
    fill(message.initRoot<Root>());
    const auto segments = message.getSegmentsForOutput();
    NETML_ASSERT(segments.size() == 1);
    const auto bytes = segments[0].asBytes();
    return consume(std::as_bytes(std::span(bytes.begin(), bytes.size())));
  }  // the builder zeroes what it used

 private:
  std::vector<std::uint64_t> words_;
};

// Words that a text or data of this size takes beside its pointer.
constexpr std::size_t text_words(std::size_t bytes) {
  return bytes / sizeof(std::uint64_t) + 1;
}

// A payload whose checksum was found right. Thread: its owner.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> payload)
      : segment_(reinterpret_cast<const ::capnp::word*>(payload.data()),
                 payload.size() / sizeof(::capnp::word)),
        reader_(kj::arrayPtr(&segment_, 1), options(payload.size())) {}

  template <class Root>
  typename Root::Reader root() {
    return reader_.getRoot<Root>();
  }

 private:
  static ::capnp::ReaderOptions options(std::size_t bytes) {
    constexpr std::uint64_t kWordsMin = 64 << 10;
    return {std::max<std::uint64_t>(kWordsMin, bytes / sizeof(::capnp::word) * 4), 64};
  }
  kj::ArrayPtr<const ::capnp::word> segment_;
  ::capnp::SegmentArrayMessageReader reader_;
};

// Returns visit(Root::Reader), a Status or Result; Errc::corruption when the library finds fault.
template <class Root, class Visit>
auto read_message(std::span<const std::byte> payload, Visit&& visit)
    -> decltype(visit(std::declval<typename Root::Reader>())) {
  try {
    MessageReader reader(payload);
    return visit(reader.template root<Root>());
  } catch (const kj::Exception& exception) {
    return fail(Errc::corruption,
                std::string("the payload cannot be read: ") + exception.getDescription().cStr());
  }
}

// ---- texts and data without the detour over a terminated copy ----

template <class Builder>
void copy_bytes(Builder&& builder, const void* data, std::size_t size) {
  if (size != 0) std::memcpy(builder.begin(), data, size);
}

// Into a text or data of a struct: put_bytes<&schema::Property::Builder::initName>(out, name).
template <auto kInit, class Builder, class Bytes>
void put_bytes(Builder&& out, const Bytes& bytes) {
  copy_bytes((out.*kInit)(static_cast<unsigned>(bytes.size())), bytes.data(), bytes.size());
}

inline std::string_view view(::capnp::Text::Reader text) {
  return {text.begin(), text.size()};
}
inline std::string_view view(::capnp::Data::Reader data) {
  return {reinterpret_cast<const char*>(data.begin()), data.size()};
}

inline Result<Sha256> read_hash(::capnp::Data::Reader data) {
  Sha256 hash;
  if (data.size() != hash.size())
    return fail(Errc::corruption, "a hash in the payload has not 32 bytes");
  std::memcpy(hash.data(), data.begin(), hash.size());
  return hash;
}

}  // namespace netml::wal

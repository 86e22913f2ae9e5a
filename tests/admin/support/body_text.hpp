// What an answer's body holds, as whoever is sent it gets it. A stream is drained by that, and one
// that ends in an error fails the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <variant>

#include "net/http/http.hpp"

namespace netml::admin::testing {

inline std::string body_text(net::BodySource& source) {
  std::string text;
  while (true) {
    const auto piece = source.next();
    EXPECT_TRUE(piece.has_value()) << piece.error().message;
    if (!piece || piece->empty()) return text;
    text += *piece;
  }
}

inline std::string body_text(const net::Body& body) {
  if (const auto* const text = std::get_if<std::string>(&body)) return *text;
  if (const auto* const stream = std::get_if<net::StreamBody>(&body))
    return body_text(*stream->source);
  const auto& file = std::get<net::FileBody>(body);
  std::string text(file.length, '\0');
  EXPECT_EQ(::pread(file.file.get(), text.data(), text.size(), static_cast<off_t>(file.offset)),
            static_cast<ssize_t>(text.size()));
  return text;
}

}  // namespace netml::admin::testing

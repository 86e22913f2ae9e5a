// Reads text that is in memory already, as imports read files.
#pragma once

#include <span>
#include <string_view>

#include "codecs/netml/netml_reader.hpp"

namespace netml::codecs {

inline ReadResult read_netml(std::string_view text, const ReadLimits& limits = {},
                             unsigned threads = 2) {
  const auto bytes = std::as_bytes(std::span(text));
  const auto replay = [bytes](const ByteSink& sink) {
    sink(bytes);
    return Status();
  };
  NetmlReader reader(limits, {replay, threads});
  reader.feed(bytes);
  return reader.finish();
}

}  // namespace netml::codecs

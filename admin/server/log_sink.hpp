// Where log lines go (O8): to a descriptor, whole, for as long as somebody takes them. A line for
// which a pipe or terminal has no room is left out, so that a log that nobody reads stops nobody.
//
// Thread: any (locks).
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace netml::admin {

class LogSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  // The descriptor stays open, and as it is: other programs may write to it as well.
  explicit LogSink(int descriptor) : descriptor_(descriptor) {}

  // How many lines were left out since it was asked last, once there is room again; else 0.
  std::uint64_t take_left_out();

 private:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}
  bool has_room() const;
  bool finish_line();

  const int descriptor_;
  std::string line_;            // under way
  std::size_t written_ = 0;     // of it
  std::uint64_t left_out_ = 0;  // lines
};

}  // namespace netml::admin

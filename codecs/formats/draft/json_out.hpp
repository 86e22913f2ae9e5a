// JSON that is written piece by piece: commas come by themselves. One value a line where a list of
// many is asked for.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/json_string.hpp"

namespace netml::codecs {

class JsonOut {
 public:
  // ---- of an object ----
  void name(std::string_view name) {
    item();
    append_json_string(out_, name);
    out_ += ':';
    follows_ = false;
  }
  void member(std::string_view name, std::string_view text) {
    this->name(name);
    string(text);
  }
  // As it is spelled.
  void number_member(std::string_view name, std::string_view number) {
    this->name(name);
    raw(number);
  }

  // ---- values ----
  void string(std::string_view text) {
    item();
    append_json_string(out_, text);
  }
  void raw(std::string_view json) {
    item();
    out_ += json;
  }
  void open(char bracket) {
    item();
    out_ += bracket;
    follows_ = false;
  }
  void close(char bracket) {
    out_ += bracket;
    follows_ = true;
  }
  // A member that is a list of so many objects, one a line; write_one(i) writes what is in one.
  template <class WriteOne>
  void objects(std::string_view name, std::size_t count, WriteOne&& write_one) {
    this->name(name);
    open('[');
    for (std::size_t i = 0; i < count; ++i) {
      line();
      open('{');
      write_one(i);
      close('}');
    }
    close(']');
  }
  // The next value stands on a line of its own.
  void line() {
    if (follows_) out_ += ',';
    out_ += '\n';
    follows_ = false;
  }

  std::string take() && { return std::move(out_); }

 private:
  void item() {
    if (follows_) out_ += ',';
    follows_ = true;
  }

  std::string out_;
  bool follows_ = false;  // a value, after which there is a comma
};

}  // namespace netml::codecs

// The one-time code that makes the first administrator of a node without accounts (rule A9). It is
// printed where the server was started, opens nothing else, and is worth nothing after 30 minutes,
// once it was used, or once there is an account.
//
// Guesses at it slow nobody down: of 80 bits nobody finds one in half an hour, and who has the code
// shall come in whatever others send. It is Accounts::create that lets only one of several
// holders in.
//
// Thread: any.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/base/random.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

class FirstCode {
 public:
  static constexpr std::chrono::minutes kValidFor{30};

  FirstCode(const Clock& clock, Random& random);

  const std::string& text() const { return text_; }
  // Whether that is the code, and it still counts. In constant time with regard to the value.
  bool matches(std::string_view given) const;
  void use_up();

 private:
  const Clock& clock_;
  const std::string text_;
  const std::chrono::nanoseconds until_;
  mutable std::mutex mutex_;
  bool used_ = false;  // guarded by mutex_
};

}  // namespace netml::admin

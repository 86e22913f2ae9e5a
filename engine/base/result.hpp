// The one kind of error value of the code base, and the macros that pass it on.
//
// A function that can fail returns Result<T>. What cannot happen is asserted with NETML_ASSERT,
// in every build; the journal makes an abort safe. Exceptions come from libraries only and are
// caught at the boundary to that library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace netml {

// What a program does about an error. The mapping to HTTP status stands in net/, the one to exit
// codes in admin/cli/; both are switches without default.
enum class Errc : std::uint8_t {
  invalid_input,  // the request or file is wrong; nothing was changed
  not_found,
  conflict,       // contradicts what is stored, or what happened since
  unavailable,    // try again later: busy, shutting down, out of memory
  no_space,       // the disk is full; try again when there is room
  io_error,       // the operating system refused; the message holds path and errno text
  corruption,     // stored bytes are damaged; never repaired silently
  newer_version,  // stored by a newer version: nothing is damaged, and nothing may be changed
  too_large,      // a limit was exceeded; the message names it
  denied,         // the caller may not do this
  internal,       // a defect of this program
  // Done or not done, and nobody can tell now: of a change that a cluster may have. Not to be
  // repeated blindly.
  outcome_unknown,
};

struct Error {
  Errc code = Errc::internal;
  std::string message;     // what, where, and what to do
  std::string field = {};  // of the request or the record; empty: none is to blame

  // For a reader of one line: "name: must not be empty". Answers that have a place for the field
  // take `field` and `message`.
  std::string text() const { return field.empty() ? message : field + ": " + message; }
};

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error>&& other) : tl::expected<T, Error>(std::move(other)) {}
};

using Status = Result<void>;

inline tl::unexpected<Error> fail(Errc code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

// An error in `field`, whose name the message does not repeat.
inline tl::unexpected<Error> fail(Errc code, std::string_view field, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::string(field)});
}

// What the system calls this error number. Takes no memory.
const char* error_text(int error);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace netml

#define NETML_ASSERT(condition)                        \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::netml::assertion_failed(#condition, __FILE__, __LINE__))

#define NETML_CONCAT_INNER(a, b) a##b
#define NETML_CONCAT(a, b) NETML_CONCAT_INNER(a, b)

// NETML_TRY(const Lsn lsn, journal.append(txn)): declares the value or returns the error.
#define NETML_TRY_IMPL(temporary, declaration, expression)                                \
  auto temporary = (expression);                                                          \
  if (!temporary.has_value()) return ::tl::make_unexpected(std::move(temporary).error()); \
  declaration = std::move(temporary).value()
#define NETML_TRY(declaration, expression) \
  NETML_TRY_IMPL(NETML_CONCAT(netml_try_, __LINE__), declaration, expression)

// NETML_TRY_VOID(file.sync()): returns the error, if there is one.
#define NETML_TRY_VOID(expression)                                       \
  do {                                                                   \
    auto netml_try_status = (expression);                                \
    if (!netml_try_status.has_value())                                   \
      return ::tl::make_unexpected(std::move(netml_try_status).error()); \
  } while (false)

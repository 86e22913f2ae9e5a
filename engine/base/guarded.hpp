// The boundary to whatever throws: the allocator, libraries, the start of a thread.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/result.hpp"
#include "engine/base/unreadable.hpp"

namespace netml {

// Texts so short that a std::string holds them without memory of its own.
inline constexpr const char* kOutOfMemory = "out of memory";
inline constexpr const char* kOutOfThreads = "out of threads";

// Whether guarded() made it of an allocation that failed.
inline bool is_out_of_memory(const Error& error) {
  return error.message == kOutOfMemory;
}

// C libraries answer with null or a code when they get no memory. That is thrown, as the failure of
// any other allocation is, and ends at the same boundary.
inline void check_allocated(bool allocated) {
  if (!allocated) throw std::bad_alloc();
}

// What `call` returns, a Result. `no_memory` when there was no memory for it, Errc::unavailable
// when there was no thread, what is wrong with stored data, Errc::internal when it threw anything
// else.
template <class Call>
auto guarded(Call&& call, Errc no_memory = Errc::unavailable) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return fail(no_memory, kOutOfMemory);
  } catch (const UnreadableError& unreadable) {
    return tl::make_unexpected(unreadable.error());
  } catch (const std::system_error& error) {
    const bool no_thread = error.code() == std::errc::resource_unavailable_try_again ||
                           error.code() == std::errc::not_enough_memory;
    return fail(no_thread ? Errc::unavailable : Errc::internal,
                no_thread ? kOutOfThreads : error.what());
  } catch (const std::exception& exception) {
    return fail(Errc::internal, std::string("an exception ended it: ") + exception.what());
  }
}

}  // namespace netml

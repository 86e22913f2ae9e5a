// The boundary to whatever throws: the allocator, and libraries.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "engine/result.hpp"

namespace netml::wal {

// What `call` returns, a Result. Errc::unavailable when there was no memory for it, Errc::internal
// when it threw anything else.
template <class Call>
auto guarded(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return fail(Errc::unavailable, "not enough memory");
  } catch (const std::exception& exception) {
    return fail(Errc::internal, std::string("an exception ended it: ") + exception.what());
  }
}

}  // namespace netml::wal

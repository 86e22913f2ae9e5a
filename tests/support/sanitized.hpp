// Whether a sanitizer makes everything several times slower. It looks for other faults than the
// tests do, in the same code, so a part of their rounds is enough there.
#pragma once

namespace netml::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace netml::test

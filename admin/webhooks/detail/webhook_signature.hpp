// Signatures of messages as Standard Webhooks 1.0.0 has them (standardwebhooks.com, "Signature
// scheme", symmetric): HMAC-SHA256 of "ID.TIMESTAMP.BODY" under the bytes of a secret.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/random.hpp"
#include "engine/base/result.hpp"

namespace netml::admin {

// "whsec_" and 32 random bytes in base64.
std::string make_webhook_secret(Random& random);

// "v1," and the signature in base64. `seconds` since 1970. Errc::corruption when the secret is not
// written as above.
Result<std::string> webhook_signature(std::string_view secret, std::string_view id,
                                      std::int64_t seconds, std::string_view body);

}  // namespace netml::admin

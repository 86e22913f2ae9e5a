// Ed25519 signatures (RFC 8032). Thread: any (pure functions).
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace netml {

using Ed25519Seed = std::array<std::byte, 32>;  // the secret
using Ed25519PublicKey = std::array<std::byte, 32>;
using Ed25519Signature = std::array<std::byte, 64>;

Ed25519PublicKey ed25519_public_key(const Ed25519Seed& seed);
Ed25519Signature ed25519_sign(const Ed25519Seed& seed, std::span<const std::byte> message);
bool ed25519_verify(const Ed25519PublicKey& key, std::span<const std::byte> message,
                    const Ed25519Signature& signature);

}  // namespace netml

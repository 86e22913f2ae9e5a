// Goal: signatures are those of RFC 8032. Method: its test vectors (section 7.1), and changed bits.
#include "engine/base/ed25519.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <string_view>
#include <vector>

namespace netml {
namespace {

std::vector<std::byte> bytes(std::string_view hex) {
  std::vector<std::byte> out(hex.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint8_t byte = 0;
    std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, byte, 16);
    out[i] = std::byte{byte};
  }
  return out;
}

template <class Array>
Array array(std::string_view hex) {
  Array out{};
  const std::vector<std::byte> from = bytes(hex);
  EXPECT_EQ(from.size(), out.size());
  std::copy(from.begin(), from.end(), out.begin());
  return out;
}

struct Vector {
  const char* seed;
  const char* key;
  const char* message;
  const char* signature;
};

constexpr Vector kVectors[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb882159"
     "0a33bacc61e39701cf9"
     "b46bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43"
     "e15996e458f3613d0f1"
     "1d8c387b2eaeb4302aeeb00d291612bb0c00"}};

TEST(Ed25519, SignsAsTheStandardDoes) {
  for (const Vector& vector : kVectors) {
    const auto seed = array<Ed25519Seed>(vector.seed);
    const auto key = array<Ed25519PublicKey>(vector.key);
    const auto signature = array<Ed25519Signature>(vector.signature);
    EXPECT_EQ(ed25519_public_key(seed), key);
    EXPECT_EQ(ed25519_sign(seed, bytes(vector.message)), signature);
    EXPECT_TRUE(ed25519_verify(key, bytes(vector.message), signature));
  }
}

TEST(Ed25519, RefusesWhatDiffersInABit) {
  const Vector& vector = kVectors[1];
  const auto key = array<Ed25519PublicKey>(vector.key);
  const auto message = bytes(vector.message);
  const auto signature = array<Ed25519Signature>(vector.signature);
  for (std::size_t i = 0; i < signature.size(); ++i) {
    Ed25519Signature changed = signature;
    changed[i] ^= std::byte{4};
    EXPECT_FALSE(ed25519_verify(key, message, changed)) << i;
  }
  for (std::size_t i = 0; i < key.size(); ++i) {
    Ed25519PublicKey changed = key;
    changed[i] ^= std::byte{4};
    EXPECT_FALSE(ed25519_verify(changed, message, signature)) << i;
  }
  EXPECT_FALSE(ed25519_verify(key, bytes("73"), signature));
}

}  // namespace
}  // namespace netml

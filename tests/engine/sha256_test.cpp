// Hashes against the published test vectors, identifiers against the table of the format.
#include "engine/base/sha256.hpp"

#include <gtest/gtest.h>

namespace netml {
namespace {

Sha256 hash_of(std::string_view text) {
  return Sha256Hasher().hash(std::as_bytes(std::span(text)));
}

TEST(Sha256, AgreesWithThePublishedVectors) {
  EXPECT_EQ(to_hex(hash_of("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(hash_of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, HashesPiecesAsTheWholeAndStartsAfreshAfterwards) {
  Sha256Hasher hasher;
  for (const std::string_view piece : {"a", "", "bc"}) hasher.add(std::as_bytes(std::span(piece)));
  EXPECT_EQ(hasher.finish(), hash_of("abc"));
  EXPECT_EQ(hasher.finish(), hash_of(""));
}

TEST(GeneratedId, IsTheHashOfKindNameAndShortName) {
  EXPECT_EQ(generated_id(Kind::topology, "Example Net"),
            "80097f36dfab0dc23133c9d42ccc0ed7ae8dff9706c4acb2a382af3289ea219c");
  EXPECT_EQ(generated_id(Kind::institution, "Example University"),
            "41c0ddf2884cea05369888b0a713cb5d63c946ea1e72aeb04937b1c5f2efa20c");
  EXPECT_EQ(generated_id(Kind::node, "Halifax POP", "HFX"),
            "2c74429406e3e6c219c97aa03915c5b19f7e75450235f6c04fd0400a2cb72d4c");
  EXPECT_EQ(generated_id(Kind::node, "Halifax POP"),
            "f3c6ea8f4841aa35695a30ff16946cfa3688fcd0cc7655ed8cf42cdf638e63bc");
  EXPECT_EQ(generated_id(Kind::link, "Halifax - Moncton"),
            "00a402e5c98aa00ec00ae0a0ae36eba9ed42e99617acb746d968008fe77739b2");
}

}  // namespace
}  // namespace netml

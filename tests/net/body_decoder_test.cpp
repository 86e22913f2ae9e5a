// Body framing: any split of the bytes gives the same body; trailers and extensions are bounded.
#include "net/http/body_decoder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "net/http/transfer_allowance.hpp"

namespace netml::net {
namespace {

// The body, and what was left of the input; or the error's text.
struct Decoded {
  std::string body;
  std::string rest;
  bool done = false;
  bool failed = false;
};

Decoded decode(BodyDecoder decoder, std::string_view wire, const std::vector<std::size_t>& cuts) {
  Decoded decoded;
  std::size_t next_cut = 0;
  while (!wire.empty() && !decoder.done()) {
    const std::size_t size = cuts.empty() ? wire.size() : 1 + cuts[next_cut++ % cuts.size()];
    const std::string_view piece = wire.substr(0, size);
    std::string_view input = piece;
    while (!input.empty() && !decoder.done()) {
      const Result<std::string_view> data = decoder.next(input);
      if (!data) {
        decoded.failed = true;
        return decoded;
      }
      decoded.body += *data;
    }
    wire.remove_prefix(piece.size() - input.size());
  }
  decoded.rest = wire;
  decoded.done = decoder.done();
  return decoded;
}

RC_GTEST_PROP(BodyDecoder, GivesTheBodyBackForAnyChunksAndAnySplit, ()) {
  const auto chunks = *rc::gen::container<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::string<std::string>()));
  const auto cuts = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(0, 9));
  std::string wire;
  std::string body;
  for (const std::string& chunk : chunks) {
    wire += fmt::format("{:x};ext=\"v\"\r\n{}\r\n", chunk.size(), chunk);
    body += chunk;
  }
  wire += "0\r\nTrailer: x\r\n\r\nnext request";
  const Decoded decoded = decode(BodyDecoder::chunked(Limits{}), wire, cuts);
  RC_ASSERT(decoded.done && !decoded.failed);
  RC_ASSERT(decoded.body == body);
  RC_ASSERT(decoded.rest == "next request");
}

TEST(BodyDecoder, TakesExactlyTheDeclaredLength) {
  const Decoded decoded = decode(BodyDecoder::of_length(5), "helloGET /", {});
  EXPECT_TRUE(decoded.done);
  EXPECT_EQ(decoded.body, "hello");
  EXPECT_EQ(decoded.rest, "GET /");
  EXPECT_TRUE(BodyDecoder::of_length(0).done());
}

TEST(BodyDecoder, RefusesMalformedChunks) {
  for (const char* wire :
       {"\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\nA\r\n", "1 \r\nA\r\n", "1\nA", "1\r\nAB\r\n",
        "1\r\nA\n0\r\n\r\n", "1\r\nAX\n0\r\n\r\n", "1\r\nA\rX0\r\n\r\n", "ffffffffffffffff\r\n",
        "10000000000000000\r\n", "1;a\nA", "0\r\nA: b\n\r\n", "0\r\nA: b\r\r\n"}) {
    EXPECT_TRUE(decode(BodyDecoder::chunked(Limits{}), wire, {}).failed) << wire;
  }
}

TEST(BodyDecoder, BoundsExtensionsAndTrailers) {
  const std::string extension = "1;" + std::string(300, 'x');
  EXPECT_TRUE(decode(BodyDecoder::chunked(Limits{}), extension, {}).failed);
  const std::string trailers = "0\r\n" + std::string(20000, 'x');
  EXPECT_TRUE(decode(BodyDecoder::chunked(Limits{}), trailers, {}).failed);
}

TEST(TransferAllowance, CutsOffBelowTheLeastRateOnly) {
  using std::chrono::seconds;
  Limits limits;  // 1 KiB/s over 30 s after 10 s
  TransferAllowance slow(limits);
  for (int i = 0; i < 41; ++i) slow.spend(seconds(1), 10);
  EXPECT_LT(slow.left().count(), 0);

  TransferAllowance steady(limits);
  for (int i = 0; i < 1000; ++i) steady.spend(seconds(1), 1024);
  EXPECT_GT(steady.left(), seconds(29));

  TransferAllowance bursts(limits);
  for (int i = 0; i < 100; ++i) bursts.spend(seconds(29), 64 * 1024 * 1024);
  EXPECT_EQ(bursts.left(), seconds(30));
}

}  // namespace
}  // namespace netml::net

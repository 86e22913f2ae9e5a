// Goal: the graph of a checkpoint has the bytes of docs/format/checkpoint.md, and its footer comes
// back as it was (C1, C2). Method: the worked example there; footers drawn from a seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>

#include "engine/transaction/state.hpp"
#include "tests/support/sim_storage.hpp"
#include "tests/support/transaction_builder.hpp"
#include "tests/wal/support/page_example.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/checkpoint/detail/graph_sections.hpp"
#include "wal/format/footer_codec.hpp"

namespace netml::wal::test {
namespace {

using testing::TransactionBuilder;

// A main topology with an institution.
std::shared_ptr<const engine::State> state_of_page() {
  const engine::State nothing;
  TransactionBuilder builder(nothing);
  engine::AttributeFields fields;
  fields.kind = Kind::topology;
  fields.main = true;
  fields.id = "urn:t";
  fields.name = "A net";
  const RecordId topology = builder.create(fields, {});
  fields = {};
  fields.kind = Kind::institution;
  fields.id = "urn:i";
  fields.name = "Org";
  fields.short_name = "O";
  fields.coordinates = engine::Coordinates{{44650000}, {-63570000}};
  const engine::Property properties[] = {{"tag", "core"}};
  fields.properties = properties;
  builder.create(fields, {.topologies = std::span(&topology, 1)});
  return std::make_shared<const engine::State>(
      engine::apply(nothing, builder.finish(), Lsn{1}).value());
}

TEST(GraphExample, IsByteForByteTheOneInThePage_K1) {
  testing::SimDisk disk;
  const auto storage = disk.root();
  InlineParallel parallel;
  NodeUuid node;
  for (std::size_t i = 0; i < node.bytes.size(); ++i) node.bytes[i] = std::byte(i);
  const auto files = write_checkpoint(*storage, {node, {Lsn{1}, {}}, state_of_page()}, parallel);
  ASSERT_TRUE(files) << files.error().message;
  const auto read = open_checkpoint(*storage, node, *files, parallel, 0);
  ASSERT_TRUE(read) << read.error().message;
  const std::vector<std::uint32_t> checksums = read->graph_file->footer().body->checksums;
  ASSERT_EQ(checksums.size(), 1U);

  // Header and body; the checksum in the footer; the trailer.
  const std::span<const std::byte> all(disk.content(files->graph.name));
  constexpr std::size_t kBodyEnd = 296;
  ASSERT_GT(all.size(), kBodyEnd + format::kTrailerBytes + sizeof(Sha256));
  std::vector<std::byte> expected(all.begin(), all.begin() + kBodyEnd);
  const auto listed = std::as_bytes(std::span(checksums));
  expected.insert(expected.end(), listed.begin(), listed.end());
  const auto trailer =
      all.last(format::kTrailerBytes + sizeof(Sha256)).first(format::kTrailerBytes);
  expected.insert(expected.end(), trailer.begin(), trailer.end());
  const std::vector<std::byte> page = hex_of_page("checkpoint.md");
  EXPECT_TRUE(std::ranges::equal(page, expected)) << "what is written now:\n" << dump(expected);
}

// ---- footers ----

class FooterSource {
 public:
  explicit FooterSource(std::uint32_t seed) : random_(seed) {}

  Footer next() {
    Footer footer;
    footer.head.lsn = Lsn{number()};
    for (auto& byte : footer.head.chain) byte = static_cast<std::byte>(number());
    footer.state_lsn = Lsn{number()};
    footer.effective_time = WallTime{static_cast<std::int64_t>(number())};
    footer.digest = {number(), number()};
    footer.chunks = number();
    footer.counts = numbers<std::uint64_t>(20);
    footer.next_id = RecordId{static_cast<std::uint32_t>(number())};
    footer.next_number = RecordNumber{number()};
    footer.next_entries = numbers<std::uint64_t>(20);
    if (number() % 4 != 0) footer.body = body();
    return footer;
  }

 private:
  std::uint64_t number() { return random_() >> random_() % 64; }
  template <class T>
  std::vector<T> numbers(std::size_t max) {
    std::vector<T> list(number() % (max + 1));
    for (T& item : list) item = static_cast<T>(number());
    return list;
  }
  GraphBody body() {
    GraphBody body;
    for (const std::uint64_t offset : numbers<std::uint64_t>(2 * kGraphSections))
      body.sections.push_back({offset, number()});
    body.piece_bytes = static_cast<std::uint32_t>(number());
    body.checksums = numbers<std::uint32_t>(5000);
    for (const std::uint32_t main : numbers<std::uint32_t>(50)) body.mains.push_back({main});
    body.number_digest = {number(), number()};
    return body;
  }

  std::mt19937_64 random_;
};

std::vector<std::uint64_t> encoded(const Footer& footer) {
  std::vector<std::uint64_t> words;
  MessageScratch scratch;
  const Status done = encode(footer, scratch, [&](std::span<const std::byte> payload) -> Status {
    words.resize(payload.size() / sizeof(std::uint64_t));
    std::ranges::copy(payload, std::as_writable_bytes(std::span(words)).begin());
    return {};
  });
  EXPECT_TRUE(done);
  return words;
}

TEST(Footers, ComeBackAsTheyWere_C2) {
  FooterSource source(1);
  for (int i = 0; i < 300; ++i) {
    const Footer footer = source.next();
    const std::vector<std::uint64_t> words = encoded(footer);
    const auto decoded = decode_footer(std::as_bytes(std::span(words)));
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, footer) << i;
  }
}

// 32 GiB of it, with many main topologies; the chunks of records have 4 MiB at most.
TEST(Footers, HaveRoomForTheChecksumsOfALargeGraph_C5) {
  Footer footer = FooterSource(2).next();
  footer.body.emplace().checksums.assign((std::size_t{32} << 30) / format::kBodyPieceBytes, 7);
  footer.body->mains.assign(300'000, RecordId{9});
  const std::vector<std::uint64_t> words = encoded(footer);
  EXPECT_GT(words.size() * sizeof(std::uint64_t), 2 * format::kPayloadBytesMax);
  testing::SimDisk disk;
  const auto storage = disk.root();
  const ChunkFileHeader header{format::CheckpointPart::graph, NodeUuid{}, Lsn{1}};
  auto file = ChunkFileWriter::create(*storage, "large", header);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->append(format::ChunkKind::footer, std::as_bytes(std::span(words))));
  InlineParallel parallel;
  const auto written = file->finish(parallel);
  ASSERT_TRUE(written) << written.error().message;
  auto reader = ChunkFileReader::open(*storage, *written, header);
  ASSERT_TRUE(reader) << reader.error().message;
  const auto chunk = reader->next();
  ASSERT_TRUE(chunk && *chunk);
  const auto decoded = decode_footer((*chunk)->payload());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, footer);
}

TEST(Footers, ThatAreDamagedAreRefusedOrAnother_C1_C2) {
  FooterSource source(3);
  for (int i = 0; i < 10; ++i) {
    const Footer footer = source.next();
    const std::vector<std::uint64_t> good = encoded(footer);
    for (std::size_t bit = 0; bit < std::min<std::size_t>(good.size() * 64, 20000); ++bit) {
      std::vector<std::uint64_t> words = good;
      words[bit / 64] ^= std::uint64_t{1} << bit % 64;
      static_cast<void>(decode_footer(std::as_bytes(std::span(words))).has_value());
    }
    for (std::size_t size = 0; size < std::min<std::size_t>(good.size(), 200); ++size)
      static_cast<void>(decode_footer(std::as_bytes(std::span(good).first(size))).has_value());
  }
}

}  // namespace
}  // namespace netml::wal::test

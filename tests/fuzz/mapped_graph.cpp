#include "tests/fuzz/mapped_graph.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "engine/base/guarded.hpp"
#include "engine/base/parallel.hpp"
#include "tests/support/sim_storage.hpp"
#include "tests/support/transaction_builder.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/graph_sections.hpp"
#include "wal/format/footer_codec.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal::test {

namespace {

using engine::Graph;
using engine::State;
using testing::TransactionBuilder;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Something in each section, and several leaves in the larger ones.
std::shared_ptr<const State> some_state() {
  const State nothing;
  const State first =
      engine::apply(nothing, testing::import_topology(nothing, "a", 140), Lsn{1}).value();
  TransactionBuilder edit(first);
  engine::AttributeFields fields;
  fields.id = "urn:main";
  fields.main = true;
  const RecordId main = edit.create(fields, {});
  for (const char* id : {"urn:twice", "urn:twice"}) edit.institution(id, main);
  const engine::Property from[] = {{engine::kFromTopology, "urn:a"}};
  fields = {};
  fields.kind = Kind::institution;
  fields.id = "urn:copy";
  fields.properties = from;
  edit.create(fields, {.topologies = std::span(&main, 1)});
  edit.erase(RecordId{first.graph.next_id().value - 1});
  return std::make_shared<const State>(engine::apply(first, edit.finish(), Lsn{2}).value());
}

class Sample {
 public:
  Sample() {
    InlineParallel parallel;
    const auto files =
        write_checkpoint(*storage_, {NodeUuid{}, {Lsn{2}, {}}, some_state()}, parallel).value();
    footer_ =
        open_checkpoint(*storage_, NodeUuid{}, files, parallel, 0).value().graph_file->footer();
    std::uint64_t end = 0;
    for (const BodySection& section : footer_.body->sections)
      end = std::max(end, section.offset + section.bytes);
    end_ = (end + format::kBodyAlignment - 1) / format::kBodyAlignment * format::kBodyAlignment;
    file_ = disk_.content(files.graph.name);
    file_.resize(end_);
    put_file(file_);
    MessageScratch scratch;
    NETML_ASSERT(encode(footer_, scratch, [&](std::span<const std::byte> payload) -> Status {
                   payload_ = text_of(payload);
                   return {};
                 }).has_value());
  }

  std::string body() const { return text_of(std::span(file_).subspan(kBegin)); }
  const std::string& payload() const { return payload_; }

  // With other bytes, as many, and checksums of them.
  void open_body(std::string_view body) {
    std::vector<std::byte> file = file_;
    const auto in = std::as_bytes(std::span(body)).first(std::min(body.size(), end_ - kBegin));
    std::ranges::fill(std::ranges::copy(in, file.begin() + kBegin).out, file.end(), std::byte{});
    Footer footer = footer_;
    auto rest = std::span<const std::byte>(file).subspan(kBegin);
    for (std::uint32_t& checksum : footer.body->checksums) {
      const auto piece = rest.first(std::min(rest.size(), format::kBodyPieceBytes));
      checksum = crc32c(piece);
      rest = rest.subspan(piece.size());
    }
    put_file(file);
    open(footer);
    put_file(file_);
  }

  // With another footer.
  void open_with(std::string_view payload) {
    std::vector<std::uint64_t> words(payload.size() / sizeof(std::uint64_t));
    if (!words.empty())
      std::memcpy(words.data(), payload.data(), words.size() * sizeof(std::uint64_t));
    const auto footer = decode_footer(std::as_bytes(std::span(words)));
    if (footer && footer->body) open(*footer);
  }

 private:
  static constexpr std::size_t kBegin = format::kCheckpointHeaderBytes;
  static constexpr const char* kName = "body";

  void put_file(const std::vector<std::byte>& bytes) {
    const auto file = storage_->open(kName, OpenMode::create_empty).value();
    NETML_ASSERT(file->write(0, bytes).has_value());
  }

  void open(const Footer& footer) {
    const auto file =
        GraphFile::open(storage_->open(kName, OpenMode::read).value(), kBegin, end_, footer);
    if (!file) return;
    for (const RecordUse use : {RecordUse::in_place, RecordUse::copied}) look(**file, use);
    const bool proved = (*file)->prove().has_value();
    if (proved) look_up(**file);
  }

  // Each leaf by itself: the first that is damaged hides no other.
  static void look(const GraphFile& file, RecordUse use) {
    const auto graph = guarded([&]() -> Result<Graph> { return file.graph(use); });
    if (!graph) return;
    for (RecordId id; id < graph->next_id(); ++id.value)
      static_cast<void>(guarded([&]() -> Status { return look(*graph, id); }).has_value());
    for (const GraphSection section : {GraphSection::edge_keys, GraphSection::id_keys,
                                       GraphSection::crowded_ids, GraphSection::copy_keys})
      static_cast<void>(
          guarded([&]() -> Status { return look(keys_of(*graph, section)); }).has_value());
  }
  static Status look(const Graph& graph, RecordId id) {
    if (!graph.contains(id)) return {};
    const engine::Attributes& attributes = graph.attributes(id);
    const engine::Relations& relations = graph.relations(id);
    fuzz::promise(attributes.kind() == graph.kind(id), "a record has the kind that is listed");
    fuzz::promise(*attributes.copy() == attributes && *relations.copy() == relations,
                  "a copy is as what it was made of");
    fuzz::promise(attributes.properties().size() == attributes.property_count() &&
                      attributes.fields().id == attributes.id(),
                  "a record says the same each time");
    static_cast<void>(attributes.from_topology());
    static_cast<void>(graph.number(id));
    return {};
  }
  static Status look(const engine::OrderedSet& keys) {
    std::size_t count = 0;
    keys.visit_range(0, std::numeric_limits<std::uint64_t>::max(), [&](std::uint64_t key) {
      ++count;
      static_cast<void>(keys.contains(key ^ 1));
      return true;
    });
    fuzz::promise(count <= keys.size(), "a set has no more keys than it says");
    return {};
  }

  // What is proved holds whatever is asked.
  static void look_up(const GraphFile& file) {
    const Graph graph = file.graph(RecordUse::in_place);
    engine::Digest sum;
    graph.for_each_record([&](RecordId id) {
      const engine::Attributes& attributes = graph.attributes(id);
      sum += engine::digest_of(engine::DigestRole::attributes, id.value, attributes.bytes());
      sum +=
          engine::digest_of(engine::DigestRole::relations, id.value, graph.relations(id).bytes());
      const std::vector<RecordId> found = graph.find(attributes.kind(), attributes.id());
      fuzz::promise(std::ranges::find(found, id) != found.end(), "a record is found");
      static_cast<void>(graph.referrers(id).size());
    });
    fuzz::promise(sum == graph.content_digest(), "what is proved has the digest of the footer");
    static_cast<void>(graph.has_duplicates());
    static_cast<void>(graph.copies().size());
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> storage_ = disk_.root();
  Footer footer_;
  std::uint64_t end_ = 0;  // of the body
  std::vector<std::byte> file_;
  std::string payload_;
};

}  // namespace

std::vector<fuzz::Target> mapped_graph_targets() {
  const auto sample = std::make_shared<Sample>();
  sample->open_body(sample->body());
  return {{"mapped_body",
           {sample->body()},
           {},
           [=](std::string_view input) { sample->open_body(input); }},
          {"mapped_footer", {sample->payload()}, {}, [=](std::string_view input) {
             sample->open_with(input);
           }}};
}

}  // namespace netml::wal::test

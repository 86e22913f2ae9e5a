#include "wal/checkpoint/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/base/guarded.hpp"
#include "engine/graph/record_keys.hpp"
#include "wal/checkpoint/detail/graph_body.hpp"

namespace netml::wal {

using engine::Graph;
using engine::OrderedSet;
using engine::Record;

namespace {

using Body = std::shared_ptr<const MappedBody>;

struct BodyOwner {
  Body kept;
};

// Its leaves refer to records that lie in the body: that goes after them, as a base that comes
// first.
class RecordSource final : private BodyOwner, public Graph::Records::Source {
 public:
  RecordSource(const Body& body, MappedBody::Use use)
      : BodyOwner{body}, Graph::Records::Source(body->identities()), use_(use) {}

 private:
  std::optional<std::span<const std::byte>> stored_bytes(std::size_t leaf) const override {
    return kept->records(leaf);
  }
  void read(std::size_t leaf, Graph::Records::Items& items) const override {
    kept->read(leaf, items, use_);
  }
  const MappedBody::Use use_;
};

// Of kinds and of numbers: `bytes` for each item.
template <class Vector>
class ColumnSource final : public Vector::Source {
 public:
  ColumnSource(Body body, GraphSection section, std::size_t bytes)
      : Vector::Source(body->identities()),
        body_(std::move(body)),
        section_(section),
        leaf_bytes_(bytes * std::tuple_size_v<typename Vector::Items>) {}

 private:
  std::optional<std::span<const std::byte>> stored_bytes(std::size_t leaf) const override {
    return body_->bytes(section_, leaf * leaf_bytes_, leaf_bytes_);
  }
  void read(std::size_t leaf, typename Vector::Items& items) const override {
    body_->read(leaf, items);
  }
  const Body body_;
  const GraphSection section_;
  const std::size_t leaf_bytes_;
};

class KeySource final : public OrderedSet::Source {
 public:
  KeySource(Body body, GraphSection section)
      : Source(body->keys(section)),
        body_(std::move(body)),
        section_(section),
        in_order_(leaf_count()) {}

 private:
  std::vector<std::uint64_t> first_keys() const override {
    const auto first = body_->first_keys(section_);
    return {first.begin(), first.end()};
  }
  std::span<const std::uint64_t> keys(std::size_t leaf) const override {
    if (in_order_[leaf].load(std::memory_order_acquire))
      return body_->numbers(section_, leaf * kLeafKeys, key_count(leaf));
    const auto keys = body_->keys(section_, leaf);
    in_order_[leaf].store(true, std::memory_order_release);
    return keys;
  }
  const Body body_;
  const GraphSection section_;
  mutable std::vector<std::atomic<bool>> in_order_;  // by leaf
};

// A fingerprint of a set of keys, whatever their order.
class KeySum {
 public:
  void add(std::uint64_t key) {
    sum_ += engine::digest_of_number(key, 1);
    ++count_;
  }
  bool operator==(const KeySum&) const = default;

 private:
  engine::Digest sum_;
  std::uint64_t count_ = 0;
};

// What the records of a graph amount to, gathered leaf by leaf: memory for one leaf, whatever the
// size of the graph.
class Proof {
 public:
  explicit Proof(const MappedBody& body) : body_(body) {}

  void add_records(const std::stop_token& stop) {
    const std::size_t leaves = leaves_of(body_.identities(), kRecordsOfLeaf);
    for (std::size_t leaf = 0; leaf < leaves && !stop.stop_requested(); ++leaf) {
      Graph::Records::Items records{};
      body_.read(leaf, records, MappedBody::Use::in_place);
      for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i])
          add(RecordId{static_cast<std::uint32_t>(leaf * kRecordsOfLeaf + i)}, records[i]);
    }
  }

  // Numbers of what exists, and of nothing else.
  bool numbers_agree(engine::Digest expected) const {
    engine::Digest sum;
    for (std::size_t id = 0; id < body_.identities(); ++id) {
      const bool exists = body_.bytes(GraphSection::kinds, id, 1).front() != std::byte{};
      const std::uint64_t number = body_.numbers(GraphSection::numbers, id, 1).front();
      if (!exists && number != 0) return false;
      if (number != 0) sum += engine::digest_of_number(id, number);
    }
    return sum == expected;
  }

  bool keys_agree() const {
    return sum_of(GraphSection::edge_keys) == edges_ && sum_of(GraphSection::id_keys) == ids_ &&
           sum_of(GraphSection::copy_keys) == copies_ &&
           sum_of(GraphSection::crowded_ids) == crowded();
  }

  const engine::Digest& content() const { return content_; }
  const std::array<std::uint64_t, kKindCount>& counts() const { return counts_; }
  const std::vector<RecordId>& mains() const { return mains_; }

 private:
  void add(RecordId id, const Record& record) {
    content_ +=
        engine::digest_of(engine::DigestRole::attributes, id.value, record.attributes->bytes());
    content_ +=
        engine::digest_of(engine::DigestRole::relations, id.value, record.relations->bytes());
    ++counts_[static_cast<std::size_t>(record.kind())];
    ids_.add(engine::id_key(id, record));
    if (record.attributes->is_copy()) copies_.add(id.value);
    if (record.attributes->main()) mains_.push_back(id);
    targets_.clear();
    for (const auto targets :
         {engine::topologies_of(record), engine::owners_of(record), engine::ends_of(record)})
      targets_.insert(targets_.end(), targets.begin(), targets.end());
    std::ranges::sort(targets_);
    const auto repeated = std::ranges::unique(targets_);
    targets_.erase(repeated.begin(), repeated.end());
    for (const RecordId target : targets_) edges_.add(engine::edge_key(target, id));
  }

  // Ascending, or it throws.
  template <class Visit>
  void for_each_key(GraphSection section, Visit&& visit) const {
    const std::size_t leaves = leaves_of(body_.keys(section), OrderedSet::Source::kLeafKeys);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
      for (const std::uint64_t key : body_.keys(section, leaf)) visit(key);
  }

  KeySum sum_of(GraphSection section) const {
    KeySum sum;
    for_each_key(section, [&](std::uint64_t key) { sum.add(key); });
    return sum;
  }

  // The hashes of identifiers that more than one record has.
  KeySum crowded() const {
    KeySum sum;
    engine::SharedIdentifier found(
        [this](RecordId id) -> const engine::Attributes& { return attributes(id); });
    std::uint64_t hash = 0;
    for_each_key(GraphSection::id_keys, [&](std::uint64_t key) {
      if (key >> 32 != hash && found.take()) sum.add(hash);
      hash = key >> 32;
      found.add(RecordId{static_cast<std::uint32_t>(key)});
    });
    if (found.take()) sum.add(hash);
    return sum;
  }

  // Part of the mapping.
  const engine::Attributes& attributes(RecordId id) const {
    Graph::Records::Items records{};
    body_.read(id.value / kRecordsOfLeaf, records, MappedBody::Use::in_place);
    const engine::AttributesPtr& found = records[id.value % kRecordsOfLeaf].attributes;
    if (found == nullptr) body_.throw_damaged(GraphSection::id_keys, 0, "there is no such record");
    return *found;
  }

  const MappedBody& body_;
  engine::Digest content_;
  std::array<std::uint64_t, kKindCount> counts_{};
  std::vector<RecordId> mains_;
  std::vector<RecordId> targets_;
  KeySum edges_;
  KeySum ids_;
  KeySum copies_;
};

engine::Digest content_digest(const Footer& footer) {
  engine::Digest digest = footer.digest;
  return digest -= footer.body->number_digest;
}

}  // namespace

GraphFile::~GraphFile() = default;

Result<std::shared_ptr<const GraphFile>> GraphFile::open(std::unique_ptr<File> file,
                                                         std::uint64_t begin, std::uint64_t end,
                                                         const Footer& footer) {
  const std::string path = file->path();
  if (footer.counts.size() != kKindCount || !footer.next_id)
    return fail(Errc::corruption, fmt::format("{}: the footer is wrong about counts", path));
  const std::shared_ptr<GraphFile> opened(new GraphFile(footer));
  NETML_TRY(opened->body_,
            MappedBody::open(std::move(file), {begin, end}, *footer.body, footer.next_id));
  return std::shared_ptr<const GraphFile>(opened);
}

Graph GraphFile::graph(RecordUse use) const {
  const bool copied = use == RecordUse::copied;
  engine::StoredGraph stored;
  stored.records = std::make_shared<RecordSource>(
      body_, copied ? MappedBody::Use::copied : MappedBody::Use::in_place);
  stored.kinds = std::make_shared<ColumnSource<Graph::Kinds>>(body_, GraphSection::kinds,
                                                              sizeof(std::uint8_t));
  stored.numbers = std::make_shared<ColumnSource<Graph::Numbers>>(body_, GraphSection::numbers,
                                                                  sizeof(std::uint64_t));
  stored.edge_keys = std::make_shared<KeySource>(body_, GraphSection::edge_keys);
  stored.id_keys = std::make_shared<KeySource>(body_, GraphSection::id_keys);
  stored.crowded_ids = std::make_shared<KeySource>(body_, GraphSection::crowded_ids);
  stored.copy_keys = std::make_shared<KeySource>(body_, GraphSection::copy_keys);
  stored.mains = footer_.body->mains;
  std::ranges::copy(footer_.counts, stored.counts.begin());
  stored.next_id = footer_.next_id;
  stored.next_number = footer_.next_number;
  stored.content_digest = content_digest(footer_);
  stored.number_digest = footer_.body->number_digest;
  if (copied) stored.record_bytes = body_->size(GraphSection::records);
  return Graph(std::move(stored));
}

Status GraphFile::prove(const std::stop_token& stop) const {
  return guarded([&] { return prove_content(stop); });
}

Status GraphFile::prove_content(const std::stop_token& stop) const {
  for (std::size_t piece = 0; piece < body_->pieces() && !stop.stop_requested(); ++piece) {
    NETML_TRY_VOID(looked());  // another may be ahead
    body_->check_piece(piece);
  }
  Proof proof(*body_);
  proof.add_records(stop);
  if (stop.stop_requested()) return fail(Errc::unavailable, "shutting down");
  if (!(proof.content() == content_digest(footer_)) || proof.mains() != footer_.body->mains ||
      !std::ranges::equal(proof.counts(), footer_.counts) ||
      !proof.numbers_agree(footer_.body->number_digest) || !proof.keys_agree())
    return fail(
        Errc::corruption,
        fmt::format("{}: the content is not the state that the footer names", body_->path()));
  return {};
}

Status GraphFile::looked() const {
  return body_->looked();
}

std::uint64_t GraphFile::bytes() const {
  return std::uint64_t{body_->pieces()} * format::kBodyPieceBytes;
}
std::uint64_t GraphFile::bytes_checked() const {
  return std::uint64_t{body_->pieces_checked()} * format::kBodyPieceBytes;
}

}  // namespace netml::wal

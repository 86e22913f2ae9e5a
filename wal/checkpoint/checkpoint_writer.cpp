#include "engine/base/pipeline.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/checkpoint_parts.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/checkpoint/detail/graph_body_writer.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/footer_codec.hpp"

namespace netml::wal {

using engine::State;

namespace {

// Records are gathered in batches of this many, to be encoded into a few chunks.
constexpr std::size_t kBatchRecords = 4096;

Footer footer_of(const CheckpointSource& source) {
  Footer footer;
  footer.head = source.head;
  footer.state_lsn = source.state->lsn;
  footer.effective_time = source.state->effective_time;
  return footer;
}

class PartWriter {
 public:
  explicit PartWriter(ChunkFileWriter file) : file_(std::move(file)) {}

  Status add(const EffectsView& effects) {
    EffectsSlicer slicer(effects);
    while (!slicer.done())
      NETML_TRY_VOID(encode_effects(slicer.next(), scratch_, [&](auto payload) {
        return file_.append(format::ChunkKind::effects, payload);
      }));
    return {};
  }

  Status add(const OwnedPayload& payload) {
    return file_.append(format::ChunkKind::effects, bytes_of(payload));
  }

  Status add_body(const engine::Graph& graph, Parallel& parallel) {
    NETML_TRY(body_, write_graph_body(file_, graph, parallel));
    return {};
  }

  Result<FileReference> finish(Footer footer, Parallel& parallel) {
    footer.chunks = file_.chunks();
    footer.body = std::move(body_);
    NETML_TRY_VOID(encode(footer, scratch_, [&](auto payload) {
      return file_.append(format::ChunkKind::footer, payload);
    }));
    if (footer.body) NETML_TRY_VOID(file_.append_trailer());
    return file_.finish(parallel);
  }

 private:
  ChunkFileWriter file_;
  MessageScratch scratch_;
  std::optional<GraphBody> body_;
};

// Before version 4: records and numbers in ascending order of identity, as creations, payload after
// payload.
class GraphEncoder {
 public:
  explicit GraphEncoder(const engine::Graph& graph) : graph_(graph) {}

  std::optional<OwnedPayload> next() {
    if (slicer_.done()) take_batch();
    if (slicer_.done()) return std::nullopt;
    return encode_owned(slicer_.next(), scratch_);
  }

 private:
  void take_batch() {
    batch_.records.clear();
    batch_.numberings.clear();
    for (; id_ < graph_.next_id() && batch_.records.size() < kBatchRecords; ++id_.value) {
      if (!graph_.contains(id_)) continue;
      batch_.records.push_back({id_, {}, graph_.record(id_)});
      batch_.numberings.push_back({id_, graph_.number(id_)});
    }
    slicer_ = EffectsSlicer(EffectsView::of(batch_));
  }

  const engine::Graph& graph_;
  RecordId id_{1};
  engine::Transaction batch_;
  EffectsSlicer slicer_{EffectsView{}};
  MessageScratch scratch_;
};

// The next payload is encoded while the one before is hashed and written.
Status add_chunks(PartWriter& part, const engine::Graph& graph, Parallel& parallel) {
  GraphEncoder encoder(graph);
  return run_pipeline<OwnedPayload>(
      parallel, [&]() -> Result<std::optional<OwnedPayload>> { return encoder.next(); },
      [&](const OwnedPayload& payload) { return part.add(payload); });
}

Result<FileReference> write_graph(Storage& directory, const CheckpointSource& source,
                                  Parallel& parallel) {
  NETML_TRY(ChunkFileWriter file,
            ChunkFileWriter::create(
                directory, graph_file_name(source.head.lsn),
                {format::CheckpointPart::graph, source.node, source.head.lsn, source.format}));
  PartWriter part(std::move(file));
  const engine::Graph& graph = source.state->graph;
  NETML_TRY_VOID(source.format >= format::kVersion4 ? part.add_body(graph, parallel)
                                                    : add_chunks(part, graph, parallel));
  Footer footer = footer_of(source);
  footer.digest = graph.digest();
  footer.counts = kind_counts(graph);
  footer.next_id = graph.next_id();
  footer.next_number = graph.next_number();
  return part.finish(std::move(footer), parallel);
}

template <class T>
std::vector<engine::EntryChange<T>> entries_of(const engine::Table<T>& table) {
  std::vector<engine::EntryChange<T>> entries;
  table.for_each([&](std::uint64_t number, const T&) {
    entries.push_back({number, nullptr, table.find(number)});
  });
  return entries;
}

Result<FileReference> write_catalog(Storage& directory, const CheckpointSource& source,
                                    Parallel& parallel) {
  NETML_TRY(ChunkFileWriter file,
            ChunkFileWriter::create(
                directory, catalog_file_name(source.head.lsn),
                {format::CheckpointPart::catalog, source.node, source.head.lsn, source.format}));
  PartWriter part(std::move(file));
  const engine::Catalog& catalog = source.state->catalog;
  engine::Transaction all;
  engine::for_each_catalog_table(
      [&](const auto& table) { all.*table.changes = entries_of(catalog.*table.entries); });
  NETML_TRY_VOID(part.add(EffectsView::of(all)));
  Footer footer = footer_of(source);
  footer.digest = source.state->catalog_digest;
  footer.counts = table_counts(catalog);
  footer.next_entries = table_next_numbers(catalog);
  return part.finish(std::move(footer), parallel);
}

}  // namespace

Result<CheckpointFiles> write_checkpoint(Storage& checkpoints, const CheckpointSource& source,
                                         Parallel& parallel) {
  CheckpointFiles files;
  files.lsn = source.head.lsn;
  files.chain = source.head.chain;
  files.format = source.format;
  NETML_TRY(files.graph, write_graph(checkpoints, source, parallel));
  NETML_TRY(files.catalog, write_catalog(checkpoints, source, parallel));
  return files;
}

}  // namespace netml::wal

#include "wal/checkpoint.hpp"
#include "wal/src/checkpoint_parts.hpp"
#include "wal/src/chunk_file.hpp"
#include "wal/src/effects_encoder.hpp"
#include "wal/src/footer_codec.hpp"

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

  Result<FileReference> finish(Footer footer) {
    footer.chunks = file_.chunks();
    NETML_TRY_VOID(encode(footer, scratch_, [&](auto payload) {
      return file_.append(format::ChunkKind::footer, payload);
    }));
    return file_.finish();
  }

 private:
  ChunkFileWriter file_;
  MessageScratch scratch_;
};

// Records and numbers in ascending order of identity, as creations.
Status add_records(const engine::Graph& graph, PartWriter& part) {
  engine::Transaction batch;
  const auto flush = [&]() -> Status {
    NETML_TRY_VOID(part.add(EffectsView::of(batch)));
    batch.records.clear();
    batch.numberings.clear();
    return {};
  };
  for (RecordId id{1}; id < graph.next_id(); ++id.value) {
    if (!graph.contains(id)) continue;
    batch.records.push_back({id, {}, graph.record(id)});
    batch.numberings.push_back({id, graph.number(id)});
    if (batch.records.size() == kBatchRecords) NETML_TRY_VOID(flush());
  }
  return flush();
}

Result<FileReference> write_graph(Storage& directory, const CheckpointSource& source) {
  NETML_TRY(ChunkFileWriter file,
            ChunkFileWriter::create(directory, graph_file_name(source.head.lsn),
                                    {format::CheckpointPart::graph, source.node, source.head.lsn}));
  PartWriter part(std::move(file));
  const engine::Graph& graph = source.state->graph;
  NETML_TRY_VOID(add_records(graph, part));
  Footer footer = footer_of(source);
  footer.digest = graph.digest();
  footer.counts = kind_counts(graph);
  footer.next_id = graph.next_id();
  footer.next_number = graph.next_number();
  return part.finish(std::move(footer));
}

template <class T>
std::vector<engine::EntryChange<T>> entries_of(const engine::Table<T>& table) {
  std::vector<engine::EntryChange<T>> entries;
  table.for_each([&](std::uint64_t number, const T&) {
    entries.push_back({number, nullptr, table.find(number)});
  });
  return entries;
}

Result<FileReference> write_catalog(Storage& directory, const CheckpointSource& source) {
  NETML_TRY(
      ChunkFileWriter file,
      ChunkFileWriter::create(directory, catalog_file_name(source.head.lsn),
                              {format::CheckpointPart::catalog, source.node, source.head.lsn}));
  PartWriter part(std::move(file));
  const engine::Catalog& catalog = source.state->catalog;
  engine::Transaction all;
  all.tokens = entries_of(catalog.tokens);
  all.settings = entries_of(catalog.settings);
  all.imports = entries_of(catalog.imports);
  all.published = entries_of(catalog.published);
  all.accounts = entries_of(catalog.accounts);
  all.rulesets = entries_of(catalog.rulesets);
  all.rules = entries_of(catalog.rules);
  NETML_TRY_VOID(part.add(EffectsView::of(all)));
  Footer footer = footer_of(source);
  footer.digest = source.state->catalog_digest;
  footer.counts = table_counts(catalog);
  footer.next_entries = table_next_numbers(catalog);
  return part.finish(std::move(footer));
}

}  // namespace

Result<CheckpointFiles> write_checkpoint(Storage& checkpoints, const CheckpointSource& source) {
  CheckpointFiles files;
  files.lsn = source.head.lsn;
  NETML_TRY(files.graph, write_graph(checkpoints, source));
  NETML_TRY(files.catalog, write_catalog(checkpoints, source));
  return files;
}

}  // namespace netml::wal

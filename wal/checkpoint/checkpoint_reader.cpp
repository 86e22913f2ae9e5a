#include <fmt/format.h>

#include <limits>

#include "engine/base/guarded.hpp"
#include "engine/base/pipeline.hpp"
#include "engine/graph/graph_changes.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/checkpoint_parts.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/format/effects_decoder.hpp"
#include "wal/format/footer_codec.hpp"

namespace netml::wal {

namespace {

// The chunks of a part: effects, and a footer that must be the last.
class PartReader {
 public:
  explicit PartReader(ChunkFileReader file) : file_(std::move(file)) {}

  // Nothing when the footer has come.
  Result<std::optional<Chunk>> next_effects() {
    NETML_TRY(std::optional<Chunk> chunk, file_.next());
    if (!chunk) return fail(Errc::corruption, fmt::format("{}: there is no footer", path()));
    if (chunk->kind == format::ChunkKind::effects) {
      ++chunks_;
      return chunk;
    }
    NETML_TRY(footer_, decode_footer(chunk->payload()));
    NETML_TRY(const std::optional<Chunk> more, file_.next());
    if (more || footer_.chunks != chunks_)
      return fail(Errc::corruption, fmt::format("{}: the footer counts other chunks", path()));
    return std::nullopt;
  }
  // Of a graph: whether it is not in chunks.
  bool has_body() const { return file_.format() >= format::kVersion4; }
  Result<std::shared_ptr<const GraphFile>> open_graph() && {
    const std::uint64_t begin = file_.offset();
    NETML_TRY_VOID(file_.skip_body());
    const std::uint64_t end = file_.offset();
    NETML_TRY(const std::optional<Chunk> chunk, next_effects());
    if (chunk || !footer_.body)
      return fail(Errc::corruption, fmt::format("{}: the footer describes no body", path()));
    return GraphFile::open(std::move(file_).take_file(), begin, end, footer_);
  }
  const Footer& footer() const { return footer_; }
  const std::string& path() const { return file_.path(); }

 private:
  ChunkFileReader file_;
  std::uint64_t chunks_ = 0;
  Footer footer_;
};

// Thread: its owner.
class ChunkDecoder {
 public:
  Result<engine::Transaction> decode(const Chunk& chunk) {
    engine::Transaction effects;
    NETML_TRY_VOID(decoder_.decode(chunk.payload(), nothing_, effects));
    return effects;
  }

 private:
  EffectsDecoder decoder_;
  const engine::Graph nothing_;  // creations refer to no stored value
};

Result<PartReader> open_part(Storage& directory, const FileReference& reference,
                             format::CheckpointPart part, const NodeUuid& node, Lsn lsn) {
  NETML_TRY(ChunkFileReader file, ChunkFileReader::open(directory, reference, {part, node, lsn}));
  return PartReader(std::move(file));
}

tl::unexpected<Error> other_state(const std::string& path) {
  return fail(Errc::corruption,
              fmt::format("{}: the content is not the state that the footer names", path));
}

// Takes creations alone: a checkpoint holds nothing else.
Status put_records(const engine::Transaction& effects, engine::GraphChanges& changes) {
  for (const engine::RecordChange& change : effects.records) {
    if (change.before || !change.after || changes.graph().contains(change.id))
      return fail(Errc::corruption, fmt::format("record {} is not created once", change.id.value));
    changes.put(change.id, change.after);
  }
  for (const engine::Numbering& numbering : effects.numberings) {
    if (!changes.graph().contains(numbering.id))
      return fail(Errc::corruption,
                  fmt::format("record {} has a number but does not exist", numbering.id.value));
    changes.set_number(numbering.id, numbering.number);
  }
  return {};
}

struct GraphPart {
  engine::Graph graph;
  Footer footer;
  std::shared_ptr<const GraphFile> file = {};
  bool proved = true;
};

// Chunks are read ahead, and decoded ahead of those that are put into the graph.
Result<GraphPart> decode_graph(PartReader reader, Parallel& parallel) {
  engine::GraphChanges changes{engine::Graph()};
  ChunkDecoder decoder;
  NETML_TRY_VOID((run_pipeline<Chunk, engine::Transaction>(
      parallel, [&] { return reader.next_effects(); },
      [&](const Chunk& chunk) { return decoder.decode(chunk); },
      [&](const engine::Transaction& effects) { return put_records(effects, changes); })));
  changes.set_next(reader.footer().next_id, reader.footer().next_number);
  GraphPart part{std::move(changes).finish(parallel), reader.footer()};
  if (!(part.graph.digest() == part.footer.digest) || kind_counts(part.graph) != part.footer.counts)
    return other_state(reader.path());
  return part;
}

Result<GraphPart> map_graph(PartReader reader, RecordUse use, std::uint64_t proved_bytes) {
  NETML_TRY(const std::shared_ptr<const GraphFile> file, std::move(reader).open_graph());
  GraphPart part{{}, file->footer(), file, file->bytes() <= proved_bytes};
  if (part.proved) NETML_TRY_VOID(file->prove());
  NETML_TRY(part.graph, guarded([&]() -> Result<engine::Graph> { return file->graph(use); }));
  return part;
}

// Numbers of removed entries at the end of a table are not given again.
void reserve_numbers(engine::Catalog& catalog, const std::vector<std::uint64_t>& next) {
  std::size_t index = 0;
  engine::for_each_catalog_table([&](const auto& table) {
    auto& entries = catalog.*table.entries;
    if (entries.next_number() < next[index]) entries.set(next[index] - 1, nullptr);
    ++index;
  });
}

Result<engine::State> read_catalog(PartReader reader, engine::Graph graph, const Footer& expected) {
  engine::State state;
  state.graph = std::move(graph);
  ChunkDecoder decoder;
  while (true) {
    NETML_TRY(const std::optional<Chunk> chunk, reader.next_effects());
    if (!chunk) break;
    NETML_TRY(const engine::Transaction effects, decoder.decode(*chunk));
    NETML_TRY(state, engine::apply(state, effects, expected.state_lsn));
  }
  Footer footer = reader.footer();
  const std::vector<std::uint64_t> counts = table_counts(state.catalog);
  if (footer.next_entries.size() != footer.counts.size() || footer.counts.size() > counts.size())
    return other_state(reader.path());
  footer.counts.resize(counts.size());  // an older program knew fewer tables
  footer.next_entries.resize(counts.size());
  if (!(state.catalog_digest == footer.digest) || counts != footer.counts ||
      !(footer.head == expected.head))
    return other_state(reader.path());
  reserve_numbers(state.catalog, footer.next_entries);
  state.lsn = expected.state_lsn;
  state.effective_time = expected.effective_time;
  return state;
}

Result<Checkpoint> read(Storage& checkpoints, const NodeUuid& node, const CheckpointFiles& files,
                        Parallel& parallel, RecordUse use, std::uint64_t proved_bytes) {
  NETML_TRY(PartReader graph_file,
            open_part(checkpoints, files.graph, format::CheckpointPart::graph, node, files.lsn));
  NETML_TRY(PartReader catalog_file, open_part(checkpoints, files.catalog,
                                               format::CheckpointPart::catalog, node, files.lsn));
  NETML_TRY(GraphPart part, graph_file.has_body()
                                ? map_graph(std::move(graph_file), use, proved_bytes)
                                : decode_graph(std::move(graph_file), parallel));
  NETML_TRY(engine::State state,
            read_catalog(std::move(catalog_file), std::move(part.graph), part.footer));
  return Checkpoint{part.footer.head, std::make_shared<const engine::State>(std::move(state)),
                    std::move(part.file), part.proved};
}

}  // namespace

Result<Checkpoint> read_checkpoint(Storage& checkpoints, const NodeUuid& node,
                                   const CheckpointFiles& files, Parallel& parallel) {
  return read(checkpoints, node, files, parallel, RecordUse::copied,
              std::numeric_limits<std::uint64_t>::max());
}

Result<Checkpoint> open_checkpoint(Storage& checkpoints, const NodeUuid& node,
                                   const CheckpointFiles& files, Parallel& parallel,
                                   std::uint64_t proved_bytes) {
  return read(checkpoints, node, files, parallel, RecordUse::in_place, proved_bytes);
}

Status verify_checkpoint(Storage& checkpoints, const CheckpointFiles& files, Parallel& parallel) {
  NETML_TRY_VOID(verify_chunk_file(checkpoints, files.graph.name, files.graph, parallel));
  return verify_chunk_file(checkpoints, files.catalog.name, files.catalog, parallel);
}

}  // namespace netml::wal

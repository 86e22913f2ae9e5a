// Imports into a node of this process, and restarts from their journals.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "bench/scenario/commands.hpp"
#include "bench/scenario/files.hpp"
#include "bench/support/bench_node.hpp"
#include "bench/support/floors.hpp"
#include "engine/base/parallel.hpp"
#include "tests/support/read_netml.hpp"
#include "tests/support/temporary_directory.hpp"
#include "wal/commit/store.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::bench {

namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

// What an import took, and what it wrote.
struct Figures {
  std::vector<double> seconds;
  std::uint64_t journal_bytes = 0;  // of one run
  std::uint64_t segment_bytes = 0;  // of segments that were made meanwhile, filled with zeros
};

void print(const Figures& figures) {
  fmt::print("{{\"seconds\": [{:.6f}], \"journal_bytes\": {}, \"segment_bytes\": {}}}\n",
             fmt::join(figures.seconds, ", "), figures.journal_bytes, figures.segment_bytes);
}

template <class Import>
double seconds_of(Import&& import) {
  const double begin = now();
  import();
  return now() - begin;
}

double import_file(BenchNode& node, const std::string& path) {
  std::string piece(kPieceBytes, '\0');
  return seconds_of([&] {
    const FilePtr file = open_file(path, "rb");
    node.import_pieces([&] {
      const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get());
      return std::string_view(piece).substr(0, got);
    });
  });
}

generator::GeneratorOptions later(generator::GeneratorOptions options,
                                  const generator::Revision& revision) {
  options.revision = revision;
  return options;
}

}  // namespace

void measure_import(const std::string& file, int runs) {
  Figures figures;
  for (int i = 0; i < runs; ++i) {
    const test::TemporaryDirectory directory;
    BenchNode node(directory.file("data").string(), any_size());
    const std::string journal = directory.file("data/journal").string();
    const std::uint64_t before = directory_bytes(journal);
    figures.seconds.push_back(import_file(node, file));
    figures.segment_bytes = directory_bytes(journal) - before;
    // The status that is shown may be older than the import; not after the writer's next work.
    if (i + 1 == runs && !node.node().checkpoint()) std::abort();
    figures.journal_bytes = node.node().journal_bytes();
  }
  print(figures);
}

void measure_known(const std::string& file, int runs) {
  Figures figures;
  const test::TemporaryDirectory directory;
  BenchNode node(directory.file("data").string(), any_size());
  node.know_files();
  import_file(node, file);
  if (!node.node().checkpoint()) std::abort();  // so that the status is of now
  const std::uint64_t before = node.node().journal_bytes();
  for (int i = 0; i < runs; ++i) figures.seconds.push_back(import_file(node, file));
  if (!node.node().checkpoint()) std::abort();
  figures.journal_bytes =
      (node.node().journal_bytes() - before) / static_cast<std::uint64_t>(std::max(runs, 1));
  print(figures);
}

void measure_growth(const Shape& shape, std::uint32_t elements, int runs) {
  const generator::GeneratorOptions options = shape.options(elements);
  const test::TemporaryDirectory maps;
  const std::string first = maps.file("first.xml").string();
  const std::string next = maps.file("next.xml").string();
  const auto counts = generate_file(options, first);
  if (shape.reimport) generate_file(later(options, *shape.reimport), next);
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const test::TemporaryDirectory directory;
    BenchNode node(directory.file("data").string(), any_size());
    const double fresh = import_file(node, first);
    seconds.push_back(shape.reimport ? import_file(node, next) : fresh);
  }
  fmt::print("{{\"elements\": {}, \"bytes\": {}, \"seconds\": [{:.6f}]}}\n", counts.elements(),
             counts.bytes, fmt::join(seconds, ", "));
}

namespace {

// On a store itself, because a node takes checkpoints when it sees fit.
class JournalStore {
 public:
  explicit JournalStore(const std::string& directory) {
    std::filesystem::create_directories(directory);
    auto storage = wal::PosixStorage::open_path(directory);
    if (!storage) std::abort();
    storage_ = std::move(*storage);
  }

  std::unique_ptr<wal::Store> open() {
    wal::StoreOptions options;
    options.parallel = &parallel_;
    auto store = wal::Store::open(*storage_, clock_, random_, options);
    if (!store) std::abort();
    return std::move(*store);
  }

 private:
  admin::SystemClock clock_;
  admin::SystemRandom random_;
  HelperThreads parallel_;
  std::unique_ptr<wal::PosixStorage> storage_;
};

}  // namespace

void write_journal(const std::string& file, const std::string& directory) {
  JournalStore journal(directory);
  const auto store = journal.open();
  const auto document = codecs::read_netml(read_whole(file), any_size().xml);
  if (!document) std::abort();
  const auto plan = plan_import(*store->next(), *document, {});
  if (!plan || !store->append(plan->transaction) || !store->sync()) std::abort();
  fmt::print("{{}}\n");
}

void measure_replay(const std::string& directory, int runs) {
  JournalStore journal(directory);
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    std::unique_ptr<wal::Store> store;
    seconds.push_back(seconds_of([&] { store = journal.open(); }));
  }
  fmt::print("{{\"seconds\": [{:.6f}]}}\n", fmt::join(seconds, ", "));
}

}  // namespace netml::bench

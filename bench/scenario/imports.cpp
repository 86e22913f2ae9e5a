// Imports into a node of this process, and restarts from their journals.
#include <fmt/format.h>
#include <fmt/ranges.h>

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
    BenchNode node(directory.file("data").string());
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

void measure_growth(const Shape& shape, std::uint32_t elements, int runs) {
  const generator::GeneratorOptions options = shape.options(elements);
  std::string text;
  text.reserve(elements * std::size_t{700});
  const auto counts = generator::generate(options, [&text](std::string_view piece) {
    text += piece;
    return true;
  });
  std::string next;
  if (shape.reimport) next = generator::generate_text(later(options, *shape.reimport));
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const test::TemporaryDirectory directory;
    BenchNode node(directory.file("data").string());
    const double first = seconds_of([&] { node.import(text); });
    seconds.push_back(shape.reimport ? seconds_of([&] { node.import(next); }) : first);
  }
  fmt::print("{{\"elements\": {}, \"bytes\": {}, \"seconds\": [{:.6f}]}}\n", counts->elements(),
             counts->bytes, fmt::join(seconds, ", "));
}

// On the store itself, because a node takes checkpoints when it sees fit.
void measure_replay(const std::string& file, int runs) {
  const test::TemporaryDirectory directory;
  const admin::SystemClock clock;
  admin::SystemRandom random;
  HelperThreads parallel;
  const auto storage = wal::PosixStorage::open_path(directory.path().string());
  if (!storage) std::abort();
  wal::StoreOptions options;
  options.parallel = &parallel;
  const auto open = [&] {
    auto store = wal::Store::open(**storage, clock, random, options);
    if (!store) std::abort();
    return std::move(*store);
  };
  {
    const auto store = open();
    const auto document = codecs::read_netml(read_whole(file));
    if (!document) std::abort();
    const auto plan = plan_import(*store->next(), *document, {});
    if (!plan || !store->append(plan->transaction) || !store->sync()) std::abort();
  }
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    std::unique_ptr<wal::Store> store;
    seconds.push_back(seconds_of([&] { store = open(); }));
  }
  fmt::print("{{\"seconds\": [{:.6f}]}}\n", fmt::join(seconds, ", "));
}

}  // namespace netml::bench

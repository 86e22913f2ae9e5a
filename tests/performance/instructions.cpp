// What callgrind counts: an import, the same map again in a file of other bytes, that very file
// once more, a live export, a restart from a checkpoint. The client requests tell it where each
// begins and ends; without valgrind they do nothing.
//
// Usage: instructions DATA_DIRECTORY
#include <valgrind/callgrind.h>

#include <cstdio>

#include "bench/generator/generator.hpp"
#include "bench/support/bench_node.hpp"
#include "bench/support/pull_export.hpp"

namespace netml::bench {
namespace {

// 20,000 elements.
generator::GeneratorOptions tree() {
  generator::GeneratorOptions options;
  options.topologies = 20;
  options.nodes = 500;
  options.links = 500;
  return options;
}

template <class Work>
void counted(const char* name, Work&& work) {
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS_AT(name);
}

void run(const std::string& data) {
  const std::string text = generate_text(tree());
  const std::string longer = text + '\n';  // changes nothing but the hash of the file
  {
    BenchNode node(data);
    counted("import", [&] { node.import(text); });
    counted("import again", [&] { node.import(longer); });
    node.know_files();
    node.import(longer);
    counted("import known", [&] { node.import(longer); });
    std::size_t exported = 0;
    counted("export",
            [&] { exported = pull_export(node.node().memory(), node.node().version().state); });
    if (exported < text.size() / 2 || !node.node().checkpoint()) std::abort();
  }
  std::unique_ptr<BenchNode> node;
  counted("restart", [&] { node = std::make_unique<BenchNode>(data); });
}

}  // namespace
}  // namespace netml::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: instructions DATA_DIRECTORY\n", stderr);
    return 2;
  }
  netml::bench::run(argv[1]);
}

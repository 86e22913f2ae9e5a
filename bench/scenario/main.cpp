#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "bench/rows/text_files.hpp"
#include "bench/scenario/commands.hpp"
#include "bench/scenario/files.hpp"
#include "bench/sqlite/loader.hpp"
#include "bench/support/floors.hpp"
#include "tests/support/read_netml.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::bench {

void print_unit(const std::string& file) {
  fmt::print("{{\"seconds\": {:.6f}}}\n", pugixml_seconds(read_whole(file)));
}

void print_write(std::uint64_t bytes) {
  fmt::print("{{\"seconds\": {:.6f}}}\n", write_seconds(bytes));
}

generator::GeneratedCounts generate_file(const generator::GeneratorOptions& options,
                                         const std::string& file) {
  const FilePtr out = open_file(file, "wb");
  const auto counts = generator::generate(options, [&](std::string_view piece) {
    return std::fwrite(piece.data(), 1, piece.size(), out.get()) == piece.size();
  });
  if (!counts) std::abort();
  write_back(out.get());  // so that nothing of it is written while something else is measured
  return *counts;
}

namespace {

void print_counts(const generator::GeneratedCounts& counts) {
  fmt::print(
      "{{\"topologies\": {}, \"institutions\": {}, \"nodes\": {}, \"links\": {}, "
      "\"elements\": {}, \"bytes\": {}}}\n",
      counts.topologies, counts.institutions, counts.nodes, counts.links, counts.elements(),
      counts.bytes);
}

// Parsed by the reader that imports use, so that all sides of the comparison parse alike.
codecs::ReadResult read_map(std::string_view text) {
  auto document = codecs::read_netml(text, any_size().xml);
  if (!document) std::abort();
  return document;
}

}  // namespace

void measure_sqlite(const std::string& file) {
  const test::TemporaryDirectory directory;
  const std::string text = read_whole(file);
  const double begin = now();
  const auto document = read_map(text);
  const double parsed = now();
  load_into_sqlite(*document, directory.file("map.sqlite").string());
  const double loaded = now();
  fmt::print("{{\"version\": \"{}\", \"parse\": {:.6f}, \"load\": {:.6f}, \"bytes\": {}}}\n",
             sqlite_version(), parsed - begin, loaded - parsed,
             directory_bytes(directory.path().string()));
}

void print_rows(const std::string& file, const std::string& folder) {
  const std::string text = read_whole(file);
  const double begin = now();
  const auto document = read_map(text);
  const double parsed = now();
  std::filesystem::create_directories(folder);
  write_text_files(*document, folder);
  fmt::print("{{\"parse\": {:.6f}}}\n", parsed - begin);
}

namespace {

void add_generate(CLI::App& app) {
  auto* command = app.add_subcommand("generate", "Write a map");
  auto options = std::make_shared<generator::GeneratorOptions>();
  auto file = std::make_shared<std::string>();
  command->add_option("--topologies", options->topologies)->required();
  command->add_option("--nodes", options->nodes)->required();
  command->add_option("--links", options->links)->required();
  command->add_option("--revision", options->revision.number, "A later state of the same map");
  command->add_option("--changed", options->revision.changed_per_mille, "Per mille");
  command->add_option("--removed", options->revision.removed_per_mille, "Per mille");
  command->add_option("-o,--output", *file)->required();
  command->callback([options, file] { print_counts(generate_file(*options, *file)); });
}

void add_growth(CLI::App& app, int& runs) {
  auto* shapes_command = app.add_subcommand("shapes", "List the shapes");
  shapes_command->callback([] {
    for (const Shape& shape : shapes()) fmt::print("{}\t{}\n", shape.name, shape.title);
  });
  auto* command = app.add_subcommand("growth", "Import a map of a shape and size");
  auto name = std::make_shared<std::string>();
  auto elements = std::make_shared<std::uint32_t>();
  command->add_option("shape", *name)->required()->check([](const std::string& text) {
    return find_shape(text) != nullptr ? "" : "no such shape";
  });
  command->add_option("elements", *elements)->required();
  command->callback(
      [name, elements, &runs] { measure_growth(*find_shape(*name), *elements, runs); });
}

void add_readers(CLI::App& app) {
  auto* command = app.add_subcommand("readers", "Read from a server until standard input ends");
  auto port = std::make_shared<std::uint16_t>();
  auto socket = std::make_shared<std::string>();
  auto topology = std::make_shared<std::string>();
  command->add_option("port", *port)->required();
  command->add_option("socket", *socket)->required();
  command->add_option("topology", *topology)->required();
  command->callback([port, socket, topology] { measure_readers(*port, *socket, *topology); });
}

int run(int argc, char** argv) {
  CLI::App app("Parts of the benchmark of large trees; bench/run puts them together");
  app.require_subcommand(1);
  int runs = 1;
  std::string file;
  std::string folder;
  std::uint64_t bytes = 0;
  app.add_option("--runs", runs, "How often to measure");
  auto* write = app.add_subcommand("write", "Write so many bytes to a file and fdatasync");
  write->add_option("bytes", bytes)->required();
  write->callback([&] { print_write(bytes); });
  auto* unit = app.add_subcommand("unit", "Parse with pugixml");
  auto* import = app.add_subcommand("import", "Import into a new node");
  auto* known = app.add_subcommand("known", "Import again what is known");
  auto* journal = app.add_subcommand("journal", "Make a store that has only a journal");
  auto* replay = app.add_subcommand("replay", "Restart from the journal alone");
  auto* sqlite = app.add_subcommand("sqlite", "Load into SQLite");
  auto* rows = app.add_subcommand("rows", "Write the rows of tables, for other programs");
  for (CLI::App* command : {unit, import, known, journal, sqlite, rows})
    command->add_option("file", file)->required();
  for (CLI::App* command : {journal, rows})
    command->add_option("--to", folder, "An empty folder, made if absent")->required();
  replay->add_option("folder", folder, "What `journal` made")->required();
  unit->callback([&] { print_unit(file); });
  import->callback([&] { measure_import(file, runs); });
  known->callback([&] { measure_known(file, runs); });
  journal->callback([&] { write_journal(file, folder); });
  replay->callback([&] { measure_replay(folder, runs); });
  rows->callback([&] { print_rows(file, folder); });
  sqlite->callback([&] { measure_sqlite(file); });
  add_generate(app);
  add_growth(app, runs);
  add_readers(app);
  CLI11_PARSE(app, argc, argv);
  return 0;
}

}  // namespace
}  // namespace netml::bench

int main(int argc, char** argv) {
  return netml::bench::run(argc, argv);
}

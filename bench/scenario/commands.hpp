// The parts of the large-tree benchmark that run inside a process of ours. Each prints one line of
// JSON for the program that calls it, and ends the process when anything fails.
#pragma once

#include <cstdint>
#include <string>

#include "bench/generator/generator.hpp"
#include "bench/scenario/shapes.hpp"
#include "codecs/formats/file_format.hpp"

namespace netml::bench {

// Limits on files that a map of ten million elements does not reach.
inline codecs::FileLimits any_size() {
  codecs::FileLimits limits;
  limits.xml.elements = 1'000'000'000;
  return limits;
}

// The floors of bench/support/floors.hpp: the unit P of `file`, the time of writing so many bytes.
void print_unit(const std::string& file);
void print_write(std::uint64_t bytes);

// Writes the map with these options, to the disk.
generator::GeneratedCounts generate_file(const generator::GeneratorOptions& options,
                                         const std::string& file);

// Imports `file` into a new node, `runs` times; each file is read from the disk while it is
// imported, as the command line does. Seconds until it is durable and visible.
void measure_import(const std::string& file, int runs);

// Imports `file` into one node until it is known, then `runs` times more.
void measure_known(const std::string& file, int runs);

// Makes a store in `directory` that has only the journal of the import of `file`.
void write_journal(const std::string& file, const std::string& directory);

// Opens such a store, which verifies and replays its journal.
void measure_replay(const std::string& directory, int runs);

// Imports a map of a shape like measure_import. The file is generated piece by piece, so that
// memory does not grow with it before it is imported.
void measure_growth(const Shape& shape, std::uint32_t elements, int runs);

// Loads `file` into SQLite; see bench/sqlite/loader.hpp.
void measure_sqlite(const std::string& file);

// Writes `file` as rows into `folder`, for other programs; see bench/rows/text_files.hpp. Seconds
// of reading it, without the writing.
void print_rows(const std::string& file, const std::string& folder);

// Asks for /status/ over TCP and for the export of `topology` over the control socket, in turns,
// until standard input ends; then prints the longest waits.
void measure_readers(std::uint16_t port, const std::string& socket, const std::string& topology);

}  // namespace netml::bench

// The parts of the large-tree benchmark that run inside a process of ours. Each prints one line of
// JSON for the program that calls it, and ends the process when anything fails.
#pragma once

#include <cstdint>
#include <string>

#include "bench/generator/generator.hpp"
#include "bench/scenario/shapes.hpp"

namespace netml::bench {

// The floors of bench/support/floors.hpp: the unit P of `file`, the time of writing so many bytes.
void print_unit(const std::string& file);
void print_write(std::uint64_t bytes);

// Writes the map with these options.
void generate_file(const generator::GeneratorOptions& options, const std::string& file);

// Imports `file` into a new node, `runs` times; each file is read from the disk while it is
// imported, as the command line does. Seconds until it is durable and visible.
void measure_import(const std::string& file, int runs);

// Restarts from the journal alone after `file` was imported.
void measure_replay(const std::string& file, int runs);

// The same for a map of a shape, from memory.
void measure_growth(const Shape& shape, std::uint32_t elements, int runs);

// Loads `file` into SQLite; see bench/sqlite/loader.hpp.
void measure_sqlite(const std::string& file);

// Asks for /status/ over TCP and for the export of `topology` over the control socket, in turns,
// until standard input ends; then prints the longest waits.
void measure_readers(std::uint16_t port, const std::string& socket, const std::string& topology);

}  // namespace netml::bench

#include "engine/catalog/import_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace netml::engine {

namespace {

void append_lines(std::vector<std::string>& lines, std::vector<std::string>&& others) {
  if (lines.empty())
    lines = std::move(others);
  else
    lines.insert(lines.end(), std::make_move_iterator(others.begin()),
                 std::make_move_iterator(others.end()));
}

std::size_t bytes_of(const std::vector<std::string>& lines) {
  std::size_t bytes = 0;
  for (const std::string& line : lines) bytes += sizeof(std::string) + line.size();
  return bytes;
}

}  // namespace

void ImportLog::append(ImportLog&& other) {
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    Block& block = blocks_[kind];
    Block& more = other.blocks_[kind];
    block.counts.parsed += more.counts.parsed;
    block.counts.imported += more.counts.imported;
    append_lines(block.information, std::move(more.information));
    append_lines(block.warnings, std::move(more.warnings));
  }
  append_lines(errors_, std::move(other.errors_));
}

std::size_t ImportLog::line_bytes() const {
  std::size_t bytes = bytes_of(errors_);
  for (const Block& block : blocks_)
    bytes += bytes_of(block.information) + bytes_of(block.warnings);
  return bytes;
}

ImportStatus ImportLog::status() const {
  if (!errors_.empty()) return ImportStatus::aborted;
  const bool warned =
      std::ranges::any_of(blocks_, [](const Block& block) { return !block.warnings.empty(); });
  return warned ? ImportStatus::warnings : ImportStatus::complete;
}

std::array<ImportCounts, kKindCount> ImportLog::counts() const {
  std::array<ImportCounts, kKindCount> counts;
  std::ranges::transform(blocks_, counts.begin(), &Block::counts);
  if (!errors_.empty())
    for (ImportCounts& count : counts) count.imported = 0;  // nothing was kept
  return counts;
}

std::string ImportLog::text() const {
  constexpr std::array<const char*, kKindCount> kHeadings{"Topologies", "Institutions", "Nodes",
                                                          "Links"};
  std::string text = fmt::format("Status: {}\n\n", enumerant_name(status()));
  const auto totals = counts();
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    text += fmt::format("{}: {} parsed, {} imported\n", kHeadings[kind], totals[kind].parsed,
                        totals[kind].imported);
    for (const std::string& line : blocks_[kind].information) text += "...." + line + '\n';
    for (const std::string& line : blocks_[kind].warnings) text += "....WARNING: " + line + '\n';
    text += '\n';
  }
  if (errors_.empty()) return text;
  text += "ERRORS:\n";
  for (const std::string& line : errors_)
    text += (line.find("Error") == std::string::npos ? "Error: " : "") + line + '\n';
  return text;
}

std::string aborted_import_text(std::string_view reason) {
  return fmt::format("Status: {}\n\nERRORS:\nError: {}\n", enumerant_name(ImportStatus::aborted),
                     reason);
}

}  // namespace netml::engine

#include "engine/catalog/import_log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::engine {

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

// The log of one import (docs/requirements/importing.md, section 3): what its record keeps and
// clients read. Thread: its owner.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::engine {

class ImportLog {
 public:
  void parsed(Kind kind, std::uint64_t count) { at(kind).counts.parsed += count; }
  void imported(Kind kind, std::uint64_t count) { at(kind).counts.imported += count; }
  void information(Kind kind, std::string line) { at(kind).information.push_back(std::move(line)); }
  void warning(Kind kind, std::string line) { at(kind).warnings.push_back(std::move(line)); }
  void error(std::string line) { errors_.push_back(std::move(line)); }
  // All that another log of the same import says, after what this one says.
  void append(ImportLog&& other);

  ImportStatus status() const;
  std::array<ImportCounts, kKindCount> counts() const;
  const std::vector<std::string>& errors() const { return errors_; }

  // How long the lines are, all together.
  std::size_t line_bytes() const;

  // "Status: Import complete", then a block for each kind, then the errors.
  std::string text() const;

 private:
  struct Block {
    ImportCounts counts;
    std::vector<std::string> information;
    std::vector<std::string> warnings;
  };
  Block& at(Kind kind) { return blocks_[static_cast<std::size_t>(kind)]; }

  std::array<Block, kKindCount> blocks_;
  std::vector<std::string> errors_;
};

// The text of an import that was given up for one reason, not for errors in its file.
std::string aborted_import_text(std::string_view reason);

}  // namespace netml::engine

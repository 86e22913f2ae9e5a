// What a file says and a Document does not hold: for each file, the fields carried and the fields
// listed here are the fields present (docs/formats/README.md says what a field is).
//
// All losses are counted, the first ones kept with their places. Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace netml::engine {

// A field that was not carried over.
struct Loss {
  std::string field;   // as the page of the format spells it: "edge@directed"
  std::string reason;  // "a link has no direction"
  // Where it stands: a line and a column of a text, from 1, or a JSON pointer, or what of the map
  // is concerned where a file is written.
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::string pointer = {};
  std::string sheet = {};  // of a workbook; line and column are those of a cell then

  std::string text() const;  // "line 3, column 5: edge@directed: a link has no direction"
  bool operator==(const Loss&) const = default;
};

// How often a field was lost for one reason.
struct LossCount {
  std::string field;
  std::string reason;
  std::uint64_t count = 0;
};

class LossList {
 public:
  static constexpr std::size_t kKeptMax = 1'000;  // of losses, and of counts by field and reason

  void carry(std::uint64_t fields = 1) { carried_ += fields; }
  // What was carried will be lost.
  void uncarry(std::uint64_t fields = 1) { carried_ -= fields; }
  void lose(Loss loss);

  std::uint64_t carried() const { return carried_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t present() const { return carried_ + lost_; }
  // In the order of the file, the first ones.
  const std::vector<Loss>& kept() const { return kept_; }
  // In the order in which they came up first. Those beyond the bound are in lost() only.
  const std::vector<LossCount>& counts() const { return counts_; }
  // In memory.
  std::size_t bytes() const;
  // "12 x edge@directed: a link has no direction", a line for each of counts().
  std::vector<std::string> texts() const;

 private:
  std::uint64_t carried_ = 0;
  std::uint64_t lost_ = 0;
  std::vector<Loss> kept_;
  std::vector<LossCount> counts_;
  std::unordered_map<std::string, std::size_t> place_in_counts_;
};

}  // namespace netml::engine

// What whoever took an export knows of it, without its text: its topologies, each with the hashes
// of what it lists. That suffices to tell whether a delta leads from it, and where to.
//
// Thread: any (immutable once it is made).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/netml/delta/export_hashes.hpp"
#include "codecs/netml/delta/exported_text.hpp"
#include "codecs/netml/delta/read_delta.hpp"

namespace netml::codecs {

class TakenExport {
 public:
  // Its topologies in the order of an export.
  struct Place {
    std::uint32_t depth = 0;
    std::string_view id;
  };

  // Errc::invalid_input for a text of another form.
  static Result<TakenExport> of(std::string_view document);
  static Result<TakenExport> of(std::span<const ExportedTopology> split);

  // What it is after the delta, which is not believed: the result has the hash that the delta
  // names. Errc::conflict where that leads from or to something else. `from`: the head of this.
  // `counts` is added to.
  Result<TakenExport> after(const Delta& delta, std::string_view from,
                            TopologyHasher::Counts& counts) const;

  // Whether that topology lists an element of that name.
  bool lists(std::string_view topology, const ElementKey& key) const;
  const std::vector<Place>& places() const { return places_; }
  const Sha256& hash() const { return hash_; }
  std::uint64_t bytes() const;  // about what it holds

  TakenExport(TakenExport&&) = default;
  TakenExport& operator=(TakenExport&&) = default;

 private:
  struct Topology {
    std::optional<std::string> parent;  // none: the root
    TopologyHashPtr hash;
  };
  using Topologies = std::map<std::string, Topology, std::less<>>;

  explicit TakenExport(Topologies topologies) : topologies_(std::move(topologies)) {}
  // Once its topologies are known. Errc::conflict where they are no tree.
  Status complete();

  Topologies topologies_;
  std::vector<Place> places_;
  Sha256 hash_{};
};

}  // namespace netml::codecs

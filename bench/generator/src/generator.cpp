#include "bench/generator/generator.hpp"

#include <fmt/core.h>

#include "bench/generator/src/element_text.hpp"
#include "bench/generator/src/layout.hpp"

namespace netml::generator {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

// Walks the tree of topologies and hands over the text piece by piece.
class Writer {
 public:
  Writer(const GeneratorOptions& options, const Sink& sink)
      : options_(options), sink_(sink), layout_(options), text_(options, layout_, out_) {
    out_.reserve(kPieceBytes + kPieceBytes / 16);
  }

  // Depth first, as XML nests; the numbering of the topologies takes the place of a stack.
  std::optional<GeneratedCounts> run() {
    out_ = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    std::uint32_t topology = 0;
    while (topology != Layout::kNone && !stopped_) {
      contents(topology);
      const std::uint32_t child = layout_.first_child(topology);
      topology = child != Layout::kNone ? child : close_until_sibling(topology);
    }
    hand_over();
    if (stopped_) return std::nullopt;
    return counts_;
  }

 private:
  std::uint32_t close_until_sibling(std::uint32_t topology) {
    while (topology != Layout::kNone && !stopped_) {
      text_.topology_end();
      piece_done();
      const std::uint32_t sibling = layout_.next_sibling(topology);
      if (sibling != Layout::kNone) return sibling;
      topology = layout_.parent(topology);
    }
    return Layout::kNone;
  }

  void contents(std::uint32_t topology) {
    const bool one_owner = options_.ownership == Ownership::one_institution;
    const std::uint32_t home = layout_.home(topology);
    ++counts_.topologies;
    text_.topology_start(topology, one_owner ? Element{0, 0} : Element{home, 0});
    text_.global_institution();
    if (one_owner) {
      institutions(0, 1, Listing::full);
    } else {
      institutions(home, options_.institutions, Listing::full);
      parents_institutions(topology);
    }
    const std::uint32_t parent = layout_.parent(topology);
    links(parent, layout_.shared_links(topology));
    links(home, layout_.own_links(home));
    nodes(parent, layout_.shared_nodes(topology), Listing::full);
    nodes(home, layout_.own_nodes(home), Listing::full);
    nodes(parent, layout_.copied_nodes(topology), Listing::copy);
  }

  // Those that own what the topology lists of its parent's elements.
  void parents_institutions(std::uint32_t topology) {
    const bool shares = layout_.shared_nodes(topology).size() > 0;
    if (!shares && layout_.copied_nodes(topology).size() == 0) return;
    institutions(layout_.parent(topology), options_.institutions,
                 shares ? Listing::full : Listing::copy);
  }

  void institutions(std::uint32_t home, std::uint32_t count, Listing listing) {
    for (std::uint32_t i = 0; i < count && !stopped_; ++i) {
      text_.institution({home, i}, listing);
      ++counts_.institutions;
      piece_done();
    }
  }

  void links(std::uint32_t home, Range range) {
    for (std::uint32_t i = range.begin; i < range.end && !stopped_; ++i) {
      if (layout_.link_removed({home, i})) continue;
      text_.link({home, i});
      ++counts_.links;
      piece_done();
    }
  }

  void nodes(std::uint32_t home, Range range, Listing listing) {
    for (std::uint32_t i = range.begin; i < range.end && !stopped_; ++i) {
      if (layout_.node_removed({home, i})) continue;
      text_.node({home, i}, listing);
      ++counts_.nodes;
      piece_done();
    }
  }

  void piece_done() {
    if (out_.size() >= kPieceBytes) hand_over();
  }

  void hand_over() {
    if (out_.empty() || stopped_) return;
    counts_.bytes += out_.size();
    stopped_ = !sink_(out_);
    out_.clear();
  }

  const GeneratorOptions& options_;
  const Sink& sink_;
  std::string out_;
  Layout layout_;
  ElementText text_;
  GeneratedCounts counts_;
  bool stopped_ = false;
};

}  // namespace

std::optional<std::string> problem_with(const GeneratorOptions& options) {
  if (options.topologies == 0) return "at least one topology is needed";
  if (options.institutions == 0) return "each topology needs at least one institution";
  if (options.fan_out == 0) return "a fan-out of 0 leaves no place for sub-topologies";
  if (options.memberships == 0) return "every element is in at least one topology";
  if (options.shared_percent > 50) {
    return fmt::format("a topology can share at most 50 percent with its parent, not {}",
                       options.shared_percent);
  }
  const std::uint64_t shares = std::uint64_t{2} * options.shared_percent + options.copied_percent +
                               options.collision_percent;
  if (shares > 100)
    return "twice the shared, the copied and the colliding share exceed 100 percent";
  if (options.memberships > 1 && shares > 0) {
    return "memberships above 1 cannot be combined with shared, copied or colliding elements";
  }
  const std::uint64_t shared = std::uint64_t{options.nodes} * options.shared_percent / 100;
  if (options.links > 0 && options.nodes - shared < 2) {
    return fmt::format("links need two nodes to join, and {} are too few", options.nodes);
  }
  const Revision& revision = options.revision;
  if (revision.changed_per_mille > 1000 || revision.removed_per_mille > 1000) {
    return "a revision can change or remove at most 1000 per mille";
  }
  return std::nullopt;
}

std::optional<GeneratedCounts> generate(const GeneratorOptions& options, const Sink& sink) {
  return Writer(options, sink).run();
}

std::string generate_text(const GeneratorOptions& options) {
  std::string text;
  generate(options, [&text](std::string_view piece) {
    text.append(piece);
    return true;
  });
  return text;
}

}  // namespace netml::generator

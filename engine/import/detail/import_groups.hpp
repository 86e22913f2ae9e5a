// The places of a document that give one element: same kind, same identifier, different topologies.
// They are found once, by hash, and kept as rings over the document's elements.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/graph/document.hpp"

namespace netml::engine {

class ImportGroups {
 public:
  explicit ImportGroups(const Document& document);

  // visit(element) for each place that gives the same element as `element` does, which is the
  // first in document order.
  template <class Visit>
  void for_each_in_group(DocumentIndex first, Visit&& visit) const {
    DocumentIndex at = first;
    do {
      visit(at);
      at = next_[at];
    } while (at != first);
  }
  bool is_single(DocumentIndex element) const { return next_[element] == element; }
  // In a ring of several, whether this is the place that comes first in the document.
  bool is_first(DocumentIndex element) const { return first_[element]; }
  std::size_t size() const { return size_; }  // how many groups there are

 private:
  std::vector<DocumentIndex> next_;  // the next place of the group, around to the first
  std::vector<bool> first_;
  std::size_t size_ = 0;
};

}  // namespace netml::engine

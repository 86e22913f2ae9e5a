// Planning a file that is known (known_file.hpp) but for some of its elements, from what these are
// now: no other element is read or looked at.
//
// Elements of one kind and identifier resolve as one group, whatever else the file has. So where
// the known file comes out as it is stored, all that the changed one does comes of the groups that
// differ. Here those are planned that nearly all are of: an element of one topology of the file,
// with the copies of it that others list.
//
// Thread: any (pure).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/import/known_file.hpp"

namespace netml::engine {

// What a file has otherwise than the one before it.
struct FileChanges {
  struct Gone {
    DocumentIndex topology = 0;  // of the document below
    Kind kind = Kind::node;
    std::string id;
  };
  // The topologies that list something else, with what is new or different and what that refers to.
  // Which of them lies below which says nothing here.
  Document document;
  std::vector<std::string> parents;  // by topology, the identifier; empty: the root
  std::vector<bool> only_named;      // by element: it is referred to, and nothing is said of it
  std::vector<Gone> gone;            // what is not listed any more
  // How many elements the file lists more, and less.
  std::array<std::uint64_t, kKindCount> added{};
  std::array<std::uint64_t, kKindCount> removed{};
};

// What plan_import() gives on `state` for the file that differs so from the known one; as there,
// the records must all be as the plan of that left them. Nothing where the file must be read to
// know, or that plan would be refused.
std::optional<ImportPlan> plan_changed_file(const State& state, const KnownFile& before,
                                            const FileChanges& changes,
                                            const ImportOptions& options);

}  // namespace netml::engine

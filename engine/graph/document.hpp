// What a parsed file says, whatever its format: the tree of its topologies with their elements.
//
// A Document is complete and consistent: the codec that made it has checked all of
// docs/requirements/exchange-format.md, sections 2 to 10. References are resolved to positions
// inside the document, the primary owner is among the owners of every node and link, the global
// institution is in every topology, texts are cut to their limits. Planning an import therefore
// never meets an error of form.
//
// Thread: any (immutable once built).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/loss_list.hpp"
#include "engine/graph/record.hpp"

namespace netml::engine {

// A position in Document::elements or Document::topologies.
using DocumentIndex = std::uint32_t;
inline constexpr DocumentIndex kNoIndex = 0xffffffff;

// An institution, node or link as one topology of the file gives it.
struct DocumentElement {
  AttributesPtr attributes;
  std::uint32_t owners_begin = 0;  // into Document::owners; nodes and links only
  std::uint32_t owners_end = 0;
  DocumentIndex ends[2] = {kNoIndex, kNoIndex};  // links only: nodes of the same topology
};

struct DocumentTopology {
  AttributesPtr attributes;         // never marked main
  DocumentIndex parent = kNoIndex;  // none for the root
  DocumentIndex owner = kNoIndex;   // an institution of this topology
  // Elements of this topology lie together, institutions before nodes before links, each kind
  // in file order.
  DocumentIndex institutions_begin = 0;
  DocumentIndex nodes_begin = 0;
  DocumentIndex links_begin = 0;
  DocumentIndex links_end = 0;
};

// Something a reader of the import log should know although the file is accepted.
struct DocumentNote {
  bool warning = false;  // else an information line
  Kind kind = Kind::topology;
  std::string text;  // without prefix
};

// The remarks about one file, in its order: all are counted, the first ones kept. Warnings and
// information lines are kept apart, so that the one cannot crowd out the other.
class DocumentNotes {
 public:
  static constexpr std::size_t kKeptMax = 1'000;  // of either sort

  void add(DocumentNote note);
  // Counts what `others` has left out; its kept notes have been added one by one.
  void add_left_out(const DocumentNotes& others);
  // How many were not kept.
  std::uint64_t left_out(bool warning) const { return of(warning).left_out; }

  std::size_t size() const { return kept_.size(); }
  bool empty() const { return kept_.empty(); }
  const DocumentNote& operator[](std::size_t i) const { return kept_[i]; }
  auto begin() const { return kept_.begin(); }
  auto end() const { return kept_.end(); }
  auto begin() { return kept_.begin(); }
  auto end() { return kept_.end(); }
  void clear() { *this = {}; }

 private:
  struct Tally {
    std::size_t kept = 0;
    std::uint64_t left_out = 0;
  };
  const Tally& of(bool warning) const { return warning ? warnings_ : information_; }

  std::vector<DocumentNote> kept_;
  Tally warnings_;
  Tally information_;
};

struct Document {
  // Pre-order, in file order: a parent comes before its children. The root is the first.
  std::vector<DocumentTopology> topologies;
  std::vector<DocumentElement> elements;
  std::vector<DocumentIndex> owners;  // positions in `elements`, each an institution
  DocumentNotes notes;
  // What the file says beyond this. Nothing is counted where the format is that of the map itself.
  LossList losses;

  std::span<const DocumentElement> institutions(const DocumentTopology& topology) const {
    return slice(topology.institutions_begin, topology.nodes_begin);
  }
  std::span<const DocumentElement> nodes(const DocumentTopology& topology) const {
    return slice(topology.nodes_begin, topology.links_begin);
  }
  std::span<const DocumentElement> links(const DocumentTopology& topology) const {
    return slice(topology.links_begin, topology.links_end);
  }
  std::span<const DocumentIndex> owners_of(const DocumentElement& element) const {
    return std::span(owners).subspan(element.owners_begin,
                                     element.owners_end - element.owners_begin);
  }

 private:
  std::span<const DocumentElement> slice(DocumentIndex begin, DocumentIndex end) const {
    return std::span(elements).subspan(begin, end - begin);
  }
};

// The institution that every topology contains (docs/requirements/exchange-format.md, section 5).
inline constexpr std::string_view kGlobalInstitutionId = "urn:ogf:networking:global";
AttributesPtr global_institution();

// Replaces the name of the document's root topology (decision 4), cut to its limit.
void rename_root(Document& document, std::string_view name);

// One thing wrong with a file (docs/requirements/exchange-format.md, section 10).
struct InputError {
  std::string code;          // such as "not-well-formed"
  std::string message;       // begins with "Error: "
  std::uint64_t line = 0;    // of the text, or row of the sheet; from 1; 0 = unknown
  std::uint64_t column = 0;  // in characters, or of the sheet; from 1; 0 = unknown
  std::string id = {};       // of the element concerned, when known
  std::string sheet = {};    // of a spreadsheet; empty for texts
  std::string pointer = {};  // of a value of JSON (RFC 6901), instead of line and column

  // "line 3, column 5", "sheet Nodes, cell E3", "sheet Nodes, row 3", "/nodes/3/id"; empty when
  // unknown.
  std::string place() const;
  // "line 3, column 5: Error: ... (urn:x)"
  std::string text() const;
};

// "A", "Z", "AA": how spreadsheets call the column with this number, from 1.
std::string column_letters(std::uint64_t column);

// What reading a file gives: a document, or all that is wrong with it.
struct InputErrors {
  std::vector<InputError> first;  // at most the limit the reader was given
  std::uint64_t count = 0;        // of all errors found
};

}  // namespace netml::engine

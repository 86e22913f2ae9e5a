// What a file of another format says, element by element, until all of it is known: only then can
// elements without an identifier get one, since equal labels must be distinguished.
//
// A reader opens an element, sets what each of its fields is by the mapping table of the format,
// and closes it. Elements may be opened inside others. take() makes the Document: identifiers
// (docs/formats/README.md, "Identity"), owners, topologies that contain all they refer to.
//
// Each field that is set is counted as carried, or listed as lost. A value that cannot be what it
// should be, such as a latitude of 120, is kept as a property of its name.
//
// Ownership: the texts and values. Memory: theirs, and 32 bytes for each field. Thread: its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

struct DraftValue {
  std::string_view value;
  const FoundRule* rule = nullptr;   // of the field
  Target target = Target::property;  // that of the rule, or a property
  std::uint32_t fields = 1;          // of the file that it is; 0: the file says it elsewhere

  std::string_view name() const { return rule->called; }  // as the file spells it
};

struct DraftElement {
  TextPosition at;
  std::span<const DraftValue> values;

  // The value of a target that has one; empty where there is none.
  std::string_view value(Target target) const;
};

// A field in the file, and where it stands.
struct DraftField {
  const FoundRule& rule;
  TextPosition at;
};

struct DraftOptions {
  std::string_view topology_name;  // instead of what the file calls its network; may be empty
  std::string_view file_name;      // names a network that has no name
  std::string_view owner;          // of a network that names none; may be empty
};

class MapDraft {
 public:
  MapDraft() = default;
  MapDraft(const MapDraft&) = delete;
  MapDraft& operator=(const MapDraft&) = delete;

  // Losses are at values of JSON, which these name.
  void name_places(PlaceNames names) { names_ = std::move(names); }
  // Losses are of this sheet from now on.
  void enter(std::string_view sheet) { sheet_ = sheet; }
  // A link with an end that is no node of the file is lost, with all its fields; else the file is
  // refused.
  void lose_links_without_ends() { loses_links_ = true; }
  bool loses_links() const { return loses_links_; }
  // The format demands that keys are unique: they are the identity, whatever else is said.
  void identify_by_keys() { keys_identify_ = true; }
  bool keys_identify() const { return keys_identify_; }

  // Values that are set live longer than the draft: they are not copied.
  void lend_values() { lent_ = true; }

  // A copy that lives as long as the draft; with U+FFFD for characters that no text of a map has.
  std::string_view keep(std::string_view text);

  // ---- element by element; the first topology is the root ----
  void open(Kind kind, TextPosition at);
  void close();
  bool any_open() const { return depth_ > 0; }
  Kind open_kind() const { return open_[depth_ - 1].kind; }
  // Of the innermost open element; the value is copied, the rule outlives the draft.
  void set(const DraftField& field, std::string_view value);
  // A text that is several fields of the file, as a property, in as many pieces as it needs.
  void set_together(const FoundRule& rule, std::string_view value, std::uint64_t fields);
  // A value that the file does not repeat here, which is not counted again.
  void add(const FoundRule& rule, std::string_view value);
  void lose(std::string_view owner, std::string_view name, TextPosition at,
            std::string_view reason);
  // Instead of close(): the innermost open element is none; its fields are lost.
  void give_up(std::string_view reason);
  // Instead of close(): what the innermost open element still lacks is known when the file ends.
  void set_aside();
  std::size_t aside() const { return aside_.size(); }
  // Opens again what was set aside, by its number in that order; each once.
  void resume(std::size_t number);
  // The same as give_up() of one that was closed. Its values are not used any more.
  void lose(const DraftElement& element, std::string_view reason);
  // Whether the innermost open element has a value of that name.
  bool has(std::string_view name) const;

  engine::DocumentNotes& notes() { return notes_; }
  engine::LossList& losses() { return losses_; }

  // ---- for what makes the Document ----
  std::span<const DraftElement> elements(Kind kind) const { return elements_[index_of(kind)]; }
  // The document, or all that is wrong with it beside what `errors` has already. Places are named
  // by what name_places() was given.
  ReadResult take(const DraftOptions& options, ErrorList errors) &&;

 private:
  struct OpenElement {
    Kind kind = Kind::topology;
    TextPosition at;
    std::size_t place = 0;  // of a topology: among the topologies
    std::vector<DraftValue> values;
  };
  struct SetAside {
    Kind kind = Kind::link;
    DraftElement element;
  };
  std::string_view copy(std::string_view text);
  static std::size_t index_of(Kind kind) { return static_cast<std::size_t>(kind); }
  // The innermost open element, which is open no more.
  DraftElement leave();
  // Of kept values. What the value is then.
  Target put(const FoundRule& rule, std::string_view value, std::uint32_t fields);
  void put_pieces(const FoundRule& rule, std::string_view value, std::uint64_t fields);

  std::pmr::monotonic_buffer_resource texts_;
  std::array<std::vector<DraftElement>, kKindCount> elements_;
  std::vector<OpenElement> open_;  // the first depth_ are open; the others keep their memory
  std::size_t depth_ = 0;
  std::vector<SetAside> aside_;
  engine::DocumentNotes notes_;
  engine::LossList losses_;
  PlaceNames names_;
  std::string sheet_;
  bool loses_links_ = false;
  bool keys_identify_ = false;
  bool lent_ = false;
};

}  // namespace netml::codecs

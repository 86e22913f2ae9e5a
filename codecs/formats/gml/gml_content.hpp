// What the lists of a GML file mean: tokens in, a MapDraft out.
//
// Each value that is no list is set in the draft or listed as lost, by the table of gml_fields.hpp;
// docs/formats/README.md says what counts.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/gml/gml_fields.hpp"
#include "codecs/formats/gml/gml_tokens.hpp"

namespace netml::codecs {

class GmlContent final : public GmlEvents {
 public:
  explicit GmlContent(const ReadLimits& limits);

  void feed(std::string_view piece) { tokens_.feed(piece); }
  bool stopped() const { return tokens_.stopped(); }
  ReadResult finish(const DraftOptions& options);

  void token(const GmlToken& token) override;
  void fault(std::string_view code, std::string_view message, TextPosition at) override;

 private:
  enum class What : std::uint8_t {
    file,
    graph,
    element,
    property,  // name and value of a property that no key can be called
    values,    // any other list
    lost,      // a graph beside the first one, but for its elements
  };
  // A list that is open.
  struct Frame {
    What what = What::values;
    std::string_view owner = {};  // of the rows for what is in it: "node."
    TextPosition at = {};
    std::size_t path_size = 0;  // of path_, without this list
  };
  // A value that waits for the end of its list.
  struct Waiting {
    std::string text;
    TextPosition at = {};
    bool given = false;
  };

  void open_list();
  Frame list_in(const Frame& parent);
  Frame begin_graph();
  Frame begin_element(Kind kind, std::string_view owner);
  void close_list(TextPosition at);
  void end_element();
  void end_property(const Frame& frame);
  void value(std::string_view text);
  void set(const Frame& frame, std::string_view name, TextPosition at, std::string_view text);
  bool is_known(const FoundRule& rule, std::string_view text);
  const FoundRule& property_called(const std::string& name);

  const ReadLimits limits_;
  ErrorList errors_;
  GmlTokens tokens_;
  MapDraft draft_;
  FieldRules rules_{kGmlFields};
  std::unordered_map<std::string, FoundRule> properties_;  // of lists `property`, by their names
  std::vector<Frame> open_;
  std::string path_;  // of values in lists in an element: "a.b."
  std::string key_;   // whose value comes next
  TextPosition key_at_;
  bool has_key_ = false;
  std::uint64_t lists_ = 0;   // so far
  std::uint32_t graphs_ = 0;  // on the top level so far
  Waiting name_;              // of the open `property`
  Waiting value_;
  // Of the open element.
  std::string identifier_;
  std::string full_name_;
  std::vector<std::string> sources_;
  std::vector<std::string> targets_;
  bool has_id_ = false;
  std::string field_;  // its memory is used again
};

}  // namespace netml::codecs

// Features of KML, as soon as all of one is known, to a MapDraft: what a placemark is stands in its
// geometry, which comes last, and what a line joins in placemarks that may follow.
//
// The fields of one feature are kept until it ends or, for a folder, until the first feature in it
// begins. Lines wait for the end of the file, each with its places as text where they are more than
// its two ends.
//
// Thread: its owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/kml/kml_ends.hpp"
#include "codecs/formats/kml/kml_places.hpp"

namespace netml::codecs {

class KmlFeatures {
 public:
  // Whose field it is, by the table.
  enum class Owner : std::uint8_t { document, folder, group, institution, node, link };
  static constexpr std::size_t kOwnerCount = 6;
  // "/name", ".speed" or "@id", and what that is for each owner, once it was asked for.
  struct Field {
    std::string_view name;
    std::array<const FoundRule*, kOwnerCount> rules = {};
  };

  KmlFeatures();
  KmlFeatures(const KmlFeatures&) = delete;
  KmlFeatures& operator=(const KmlFeatures&) = delete;

  MapDraft& draft() { return draft_; }
  Field& field(std::string_view name);

  // The network, which the first folder or document describes.
  void open_network(TextPosition at);
  void open_folder(TextPosition at);
  void close_folder();
  void begin_placemark(TextPosition at);
  void end_placemark();

  // Of the innermost open feature.
  void add_value(Field& field, std::string_view text, TextPosition at);
  void add_point(std::string_view text, TextPosition at);
  void add_line(std::string_view text, TextPosition at);
  void set_altitude_mode(std::string_view text, TextPosition at);
  // The placemark has a geometry that no element of a map has.
  void lose_placemark(std::string_view reason) { pending_.lost_because = reason; }

  void finish();

 private:
  struct Value {
    Field* field = nullptr;
    std::size_t begin = 0;  // into Pending::text
    std::size_t size = 0;
    TextPosition at = {};
  };
  struct Pending {
    TextPosition at = {};
    std::string text;
    std::vector<Value> values;
    std::vector<Value> points;
    std::vector<Value> lines;
    std::vector<Value> altitude_modes;
    std::string_view lost_because = {};
  };
  struct Folder {
    bool opened = false;
    bool group = false;
    bool named = false;
    std::uint32_t topology = 0;  // of the elements in it
    std::string_view name = {};
  };
  // A link of the draft that was set aside.
  struct Line {
    std::string_view source = {};  // both or neither are named
    std::string_view target = {};
    TextPosition source_at = {};
    TextPosition target_at = {};
    KmlPlace first = {};
    KmlPlace last = {};
    std::size_t places = 0;        // 0: they are none
    std::uint32_t texts = 0;       // of coordinates
    std::string_view course = {};  // them, where they may be more than the ends
    TextPosition at = {};
  };

  std::string_view text_of(const Value& value) const;
  const Value* find(const Field& field) const;
  const FoundRule& rule(Owner owner, Field& field);
  Value keep(Field* field, std::string_view text, TextPosition at);
  void clear_pending(TextPosition at);

  bool set_values(Owner owner);
  void set_folder_values();
  void open_topology(Folder& folder);
  std::string_view why_lost();
  void make_lost(std::string_view reason);
  void make_node(Kind kind, Owner owner);
  std::string_view name_by_place();
  void set_place(Owner owner, const Value& point);
  void set_altitude(Owner owner, const KmlPlace& place);
  void set_topology();
  void make_link();
  void set_link_values(const Value* source, const Value* target, Line& line);
  void set_course(Line& line);
  void resolve(const Line& line, const KmlEnds& ends);
  void lose_line(const Line& line, std::string_view reason);
  std::string_view reference(std::size_t number);

  MapDraft draft_;
  FieldRules rules_;
  std::string text_;  // its memory is used again
  std::unordered_map<std::string, Field> fields_;
  // Those that decide what a feature is.
  Field& name_;
  Field& id_;
  Field& kind_;
  Field& topology_;
  Field& source_;
  Field& target_;
  Pending pending_;
  std::vector<Folder> folders_;
  bool has_network_ = false;
  std::vector<Line> lines_;
  std::vector<KmlPlace> places_;
  std::vector<KmlPlace> more_places_;
};

}  // namespace netml::codecs

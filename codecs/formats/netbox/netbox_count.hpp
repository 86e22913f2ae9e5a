// Puts fields of records into a draft, and counts each of them: as carried where it is on the map,
// else as lost with the reason.
//
// Thread: the owner of the draft, which outlives this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codecs/formats/draft/map_draft.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

class FieldCount {
 public:
  // Identifiers are made in the network of that name, from keys.
  FieldCount(std::string_view network, MapDraft& draft) : network_(network), draft_(draft) {}

  std::string identifier(Kind kind, std::string_view key) const;
  // An element of the draft, which whoever opens it closes.
  void open(Kind kind, const Named& named, std::string_view key);

  // What is counted already, at another element, from now on, or what is not.
  void set_repeated(bool repeated) { repeated_ = repeated; }
  bool is_repeated() const { return repeated_; }

  void carry(std::uint64_t fields = 1);
  // At the open element. An empty value says nothing, and is carried.
  void set(const NamedField& field, std::string_view value);
  // Where the mapping never carries it, with the reason that its row has.
  void lose(const NamedField& field, std::string_view reason);
  void lose(const Named& named, std::string_view reason);

 private:
  const std::string_view network_;
  MapDraft& draft_;
  bool repeated_ = false;
};

}  // namespace netml::codecs::netbox

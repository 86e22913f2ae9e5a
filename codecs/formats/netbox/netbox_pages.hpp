// Reads pages of NetBox's REST API into tables: {"count": 2, "next": null, "results": [...]}, as
// versions 3.5 to 4.x give them. Who asks for pages, and when, is not decided here.
//
// A record that comes twice, as when pages move while they are asked for, is what it was the last
// time. Members of records that the mapping does not name are not looked at.
//
// Ownership: the reader owns the tables, and the rules that these refer to. Thread: its owner.
// Errors: as a value, with line and column or a JSON pointer in the page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "codecs/formats/netbox/netbox_fields.hpp"
#include "codecs/formats/netbox/netbox_records.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

// Where records of a sort are, below "/api/".
struct Endpoint {
  std::string_view path;   // "dcim/sites/"
  std::string_view model;  // "dcim.site"
};
// All that are needed. Ends of cables are in the cables.
std::span<const Endpoint> endpoints();

struct Page {
  std::uint64_t count = 0;  // of records on all pages
  std::size_t records = 0;  // on this one
  std::string next = {};    // address of the next one; empty on the last
};

class PageReader {
 public:
  PageReader() = default;
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // A page of records of one sort.
  tl::expected<Page, engine::InputError> add(std::string_view model, std::string_view bytes,
                                             const ReadLimits& limits);
  // After the last page. Valid as long as the reader; more pages may follow, and another seal.
  const Tables& seal();

 private:
  std::string_view add_record(std::string_view model, Sort sort, JsonValue record);

  FieldRules rules_{kNetboxFields};
  Tables tables_;
};

}  // namespace netml::codecs::netbox

// Reads pages of NetBox's REST API into tables: {"count": 2, "next": null, "results": [...]}, as
// versions 3.5 to 4.x give them. Who asks for pages, and when, is not decided here.
//
// A record that comes twice, as when pages move while they are asked for or when it was changed
// since, is what it was the last time. Members of records that the mapping does not name are not
// looked at.
//
// Ownership: the reader owns the tables, and the rules that these refer to. Thread: its owner.
// Errors: as a value, with line and column or a JSON pointer in the page.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "codecs/document/read_limits.hpp"
#include "codecs/formats/draft/field_rules.hpp"
#include "codecs/formats/netbox/netbox_fields.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_records.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

// Where records of a sort are, below "/api/".
struct Endpoint {
  std::string_view path;         // "dcim/sites/"
  std::string_view model;        // "dcim.site"
  std::string_view fields = {};  // that are enough, as a query has them; empty: all are asked for
  std::string_view named_fields = {};  // instead, where the mapping names such records
};
// All that the mapping needs. Ends of cables are in the cables.
std::vector<Endpoint> endpoints(const Mapping& mapping);

struct Page {
  std::uint64_t count = 0;  // of records on all pages
  std::size_t records = 0;  // on this one
  std::string next = {};    // address of the next one; empty on the last
};
using PageResult = tl::expected<Page, engine::InputError>;

class PageReader {
 public:
  explicit PageReader(const Mapping& mapping = {}) : mapping_(mapping) {}
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // What was read before, as write_dump() gave it; before the first page.
  tl::expected<void, engine::InputError> resume(std::string_view dump, const ReadLimits& limits);
  // A page of records of one sort.
  PageResult add(std::string_view model, std::string_view bytes, const ReadLimits& limits);
  // A page of which nothing but the numbers of its records counts; they are added to `ids`.
  static PageResult read_ids(std::string_view bytes, const ReadLimits& limits,
                             std::vector<Id>& ids);
  // Forgets all other records of the sort.
  void keep_only(std::string_view model, std::vector<Id> ids);

  // After the last page. Valid as long as the reader; more pages may follow, and another seal.
  const Tables& seal();
  // Of the sort, once sealed.
  std::size_t count(std::string_view model) const;
  // Of all that was read; what was forgotten since may count.
  std::size_t memory_bytes() const;

 private:
  std::string_view add_record(std::string_view model, Sort sort, JsonValue record);
  void add_field(std::string_view model, std::string_view name, JsonValue value, Named& named);
  std::string_view add_cable(Id cable, JsonValue record);

  const Mapping mapping_;
  FieldRules rules_{kNetboxFields};
  Tables tables_;
  // Of cables that came since the tables were sealed, each time that they came.
  struct NewEnd {
    CableTermination end;
    std::uint32_t time = 0;
  };
  std::vector<NewEnd> new_ends_;
  boost::unordered_flat_map<Id, std::uint32_t> times_;  // how often a cable came
  std::size_t named_bytes_ = 0;                         // of fields that the mapping names
};

}  // namespace netml::codecs::netbox

#include "admin/exports/published_json.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                 bool latest) {
  return {{"id", number},
          {"name", item.name},
          {"description", item.description},
          {"version", item.version},
          {"file_date", format_instant(item.file_date)},
          {"status", enumerant_name(item.status)},
          {"lsn", item.lsn.value},
          {"failure", item.failure},
          {"latest", latest}};
}

}  // namespace netml::admin

#include "admin/exports/published_json.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

const char* published_status_name(engine::PublishedStatus status) {
  switch (status) {
    case engine::PublishedStatus::pending:
      return "pending";
    case engine::PublishedStatus::success:
      return "success";
    case engine::PublishedStatus::failed:
      break;
  }
  return "failed";
}

json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                 bool latest) {
  return {{"id", number},
          {"name", item.name},
          {"description", item.description},
          {"version", item.version},
          {"file_date", format_instant(item.file_date)},
          {"status", published_status_name(item.status)},
          {"lsn", item.lsn.value},
          {"failure", item.failure},
          {"latest", latest}};
}

}  // namespace netml::admin

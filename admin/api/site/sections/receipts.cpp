// Receipts of deliveries (docs/api.md, section "Publications and activity"). They tell who gets
// what, so administrators alone see them.
#include <array>
#include <boost/json.hpp>
#include <optional>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/receipts/remake.hpp"
#include "codecs/netml/delta/delta_text.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// One that was damaged is listed, too: that a delivery is missing is worth knowing.
json::object receipt_item(std::uint64_t number, const std::optional<Receipt>& receipt) {
  json::object item = receipt_json(receipt.value_or(Receipt()));
  if (!receipt) {
    for (auto& field : item) field.value() = nullptr;
    item["number"] = number;
  }
  item["damaged"] = !receipt.has_value();
  return item;
}

Result<Response> list_receipts(const Call& call) {
  constexpr std::array<std::string_view, 3> kSearched{"client", "view", "sha256"};
  NETML_TRY(ReceiptFiles::Reader reader, call.services.receipts.read());
  const auto has = [](std::uint64_t) { return true; };
  const auto describe = [&](std::uint64_t number, const ItemFields&) {
    return receipt_item(number, reader.find(number));
  };
  return list_answer(call, ListItems{reader.last(), reader.count(), has, describe, true},
                     kSearched);
}

Result<Response> show_receipt(const Call& call, std::uint64_t number) {
  NETML_TRY(const Receipt receipt, call.services.receipts.find(number));
  return json_answer(200, receipt_item(number, receipt));
}

Result<Response> remake_delivery(const Call& call, std::uint64_t number) {
  Services& services = call.services;
  NETML_TRY(const Receipt receipt, services.receipts.find(number));
  Response response;
  NETML_TRY(response.body, remade(services.node, services.views, services.deltas, receipt));
  response.headers.set("Content-Type",
                       receipt.from.empty() ? "application/xml" : std::string(codecs::kDeltaType));
  response.headers.set("X-NetML-Head", receipt.head);
  return response;
}

}  // namespace

void add_receipts(Routes& routes) {
  const Access admin{Needs::admin};
  routes.add(Method::get, "receipts", admin, list_receipts);
  routes.add(Method::get, "receipts/{n}", admin, show_receipt);
  routes.add(Method::get, "receipts/{n}/bytes", admin, remake_delivery);
}

}  // namespace netml::admin::web

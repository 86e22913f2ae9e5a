// The bytes of a delivery, made again from the journal (docs/receipts.md, "Making the bytes
// again").
#pragma once

#include "admin/exports/export_deltas.hpp"
#include "admin/node/node.hpp"
#include "admin/receipts/receipt.hpp"
#include "admin/views/views.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// What the receipt is of: its map as it was at the head, through the view as it was then. All of it
// is made and hashed before the first byte is given, and made once more as it is pulled; the body
// ends with an error should that be other bytes. Node and views must outlive the body.
//
// Errc::conflict when these bytes cannot be made any more; the message says why. Errc::unavailable
// when that may pass. Thread: any.
Result<net::Body> remade(Node& node, Views& views, ExportDeltas& deltas, const Receipt& receipt);

}  // namespace netml::admin

// A receipt: that a recipient was sent an export, and what it takes to make the same bytes again
// (docs/receipts.md).
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

struct Receipt {
  std::uint64_t number = 0;      // consecutive from 1
  Instant time = {};             // when all of it was sent
  std::string client = {};       // of the token; empty: no token was needed
  std::uint64_t token = 0;       // its record number; 0: none
  std::string from = {};         // head where a delta begins; empty: the whole map
  std::string head = {};         // "LSN:hash" of the data that were sent, or the publication was in
  std::uint64_t published = 0;   // number of the publication; 0: live data
  std::string view = {};         // name; empty: all of the map, and so are the next two
  std::string view_sha256 = {};  // of its definition as it was stored
  std::string pseudonym_key = {};  // which key of the node a view would have used
  std::uint64_t bytes = 0;         // of the body
  std::string sha256 = {};         // of the body, in hexadecimal
  std::string version = {};        // of the program
  bool operator==(const Receipt&) const = default;
};

// As answers have it (docs/api.md); what there is none of is null.
boost::json::object receipt_json(const Receipt& receipt);

// One line of a file of receipts, with its end: the same, and last the CRC32C of all before it.
std::string receipt_line(const Receipt& receipt);
// Nothing unless the line, without its end, is as receipt_line() made it.
std::optional<Receipt> parse_receipt_line(std::string_view line);

}  // namespace netml::admin

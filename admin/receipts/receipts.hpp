// Receipts of deliveries: what each recipient was sent (docs/receipts.md).
//
// They are no part of the journal: a delivery changes nothing, and a node that is polled would
// otherwise journal, sync and replicate whenever somebody reads.
//
// Failure: where a receipt cannot be written, the export is sent all the same, and the log says so
// once until receipts are written again. A node that may not be written to leaves none. Thread:
// any.
#pragma once

#include <memory>
#include <string>

#include "admin/base/cache.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/node/node.hpp"
#include "admin/receipts/receipt.hpp"
#include "admin/receipts/receipt_files.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

class Receipts {
 public:
  // Of all files together, about half a million receipts (docs/limits.md).
  static constexpr std::uint64_t kBytesMax = 256 << 20;

  // The node outlives it.
  explicit Receipts(Node& node, std::uint64_t bytes_max = kBytesMax);

  // The body of an answer, which leaves a receipt once all of it was sent. `delivery` says what is
  // known before: to whom, from which head. `content` names the bytes: what was hashed under that
  // name is not hashed again. The body must not outlive this.
  net::Body observed(net::Body body, Receipt delivery, const ExportBasis& basis,
                     std::string content);

  // Never waits for the writer.
  Result<ReceiptFiles::Reader> read() { return files_.read(); }
  // Errc::not_found for one that is gone or damaged.
  Result<Receipt> find(std::uint64_t number);
  // Damaged receipts, for people to read.
  std::vector<std::string> findings() { return files_.findings(); }

 private:
  class Observed;

  void leave(Receipt receipt);
  void note(const Status& written, const Receipt& receipt);

  Node& node_;
  ReceiptFiles files_;
  Cache<std::string, std::string> hashes_;  // by content
  std::mutex mutex_;
  std::uint64_t lost_ = 0;  // receipts, one after the other, until now; guarded by mutex_
};

// Which key of this node the pseudonyms of views are made with; tells nothing of it.
std::string pseudonym_key_name(const Node& node);
// Of the definition of a view as it is stored.
std::string view_hash(const engine::StoredView& stored);

}  // namespace netml::admin

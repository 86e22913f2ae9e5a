// Uploads over HTTP (http-api.md, section 9; decision 10): each is an import that is answered when
// it is done, or one that is queued and answered when it is stored.
//
// Thread: any.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "admin/services/import_job.hpp"
#include "admin/services/import_queue.hpp"
#include "admin/services/node.hpp"
#include "net/ports.hpp"

namespace netml::admin {

// Decision 10.
enum class ImportAnswer : std::uint8_t { result, queued };

class Importer : public net::ImportService {
 public:
  // Without a queue every upload is answered with its result. `usual` is the answer for as long as
  // the setting IMPORT_ANSWER has no value.
  explicit Importer(Node& node, ImportQueue* queue = nullptr,
                    ImportAnswer usual = ImportAnswer::result)
      : node_(node), queue_(queue), usual_(usual) {}

  net::RefusalShape refusal_shape() const override;
  std::optional<net::ImportRefused> admit(std::optional<std::uint64_t> declared) override;
  tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> begin(
      const net::UploadInfo& info) override;
  std::optional<net::ImportRecord> record(std::uint64_t id, const net::Identity& identity) override;

 private:
  // One import is applied and four may wait (section 3 of the security rules).
  static constexpr int kUploadsMax = 5;

  ImportAnswer answer() const;

  Node& node_;
  ImportQueue* const queue_;
  const ImportAnswer usual_;
  std::shared_ptr<std::atomic<int>> active_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace netml::admin

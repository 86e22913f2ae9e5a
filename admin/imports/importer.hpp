// Uploads over HTTP (docs/requirements/http-api.md, section 9; decision 10): each is an import that
// is answered when it is done, or one that is queued and answered when it is stored.
//
// Thread: any.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "admin/base/slots.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/imports/import_queue.hpp"
#include "admin/node/node.hpp"
#include "admin/settings/settings.hpp"
#include "net/endpoints/ports.hpp"

namespace netml::admin {

// How many uploads go on at once; those beyond are asked to come again.
struct UploadLimits {
  // Those still being received count here alone: a slow one keeps nobody from importing.
  std::size_t received_at_once_max = 32;
  // Those received whole: one import is applied, the others wait.
  std::size_t imports_waiting_max = 4;
};

class Importer : public net::ImportService {
 public:
  // Without a queue every upload is answered with its result; with one, as the setting
  // IMPORT_ANSWER says.
  explicit Importer(Node& node, ImportQueue* queue = nullptr, const UploadLimits& limits = {})
      : node_(node),
        queue_(queue),
        received_(limits.received_at_once_max),
        imports_(limits.imports_waiting_max + 1) {}

  net::RefusalShape refusal_shape() const override;
  std::optional<net::ImportRefused> admit(std::optional<std::uint64_t> declared) override;
  tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> begin(
      const net::UploadInfo& info) override;
  std::optional<net::ImportRecord> record(std::uint64_t id, const net::Identity& identity) override;

 private:
  bool queues() const;

  Node& node_;
  ImportQueue* const queue_;
  Slots received_;
  Slots imports_;
};

}  // namespace netml::admin

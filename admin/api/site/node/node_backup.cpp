#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "admin/api/site/node/node_verbs.hpp"
#include "engine/base/counted.hpp"
#include "net/http/omitted_header.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::admin::web {

using net::Method;
using net::Response;

namespace {

class BackupStream : public net::BodySource {
 public:
  BackupStream(std::unique_ptr<wal::Backup> backup, EventLog& events)
      : backup_(std::move(backup)), events_(events) {}

  // The client sees no more than that the body breaks off.
  Result<std::string_view> next() override {
    const auto piece = backup_->next();
    if (!piece) {
      events_.error("backup", piece.error().message);
      return tl::unexpected(piece.error());
    }
    return std::string_view(reinterpret_cast<const char*>(piece->data()), piece->size());
  }

 private:
  std::unique_ptr<wal::Backup> backup_;
  EventLog& events_;
};

// "import 3 (ab12...), import 4 (cd34...)": as many as a header may hold; the manifest has all.
std::string first_of(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 10;
  const std::span named = std::span(files).first(std::min(files.size(), kNamed));
  return fmt::format("{}{}", fmt::join(named, ", "), files.size() > kNamed ? ", ..." : "");
}

Result<Response> back_up(const Call& call) {
  const bool without_missing = given(call, "without_missing_uploads") == "1";
  NETML_TRY(std::unique_ptr<wal::Backup> backup, call.services.node.backup(without_missing));
  Response response;
  response.headers.set("Content-Type", "application/x-tar");
  response.headers.set("X-NetML-Head", to_string(backup->head()));
  if (const auto& left_out = backup->left_out(); !left_out.empty())
    net::set_omitted(
        response.headers,
        fmt::format("{}: {}", counted(left_out.size(), "missing stored file"), first_of(left_out)));
  response.body = net::StreamBody{
      std::make_unique<BackupStream>(std::move(backup), call.services.node.events()), std::nullopt};
  return response;
}

}  // namespace

void add_node_backup(Routes& routes) {
  routes.add(Method::get, "node/backup", kNodeVerb, back_up);
}

}  // namespace netml::admin::web

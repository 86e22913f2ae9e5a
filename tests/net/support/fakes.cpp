#include "tests/net/support/fakes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace netml::net {

void RecordingEvents::answered(const AccessRecord& record) {
  const std::lock_guard lock(mutex_);
  accesses_.push_back({std::string(record.request_id), std::string(record.client_address),
                       std::string(record.client), std::string(record.method),
                       std::string(record.path), record.status, record.bytes_received,
                       record.bytes_sent,
                       ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()))});
  changed_.notify_all();
}

void RecordingEvents::event(ServerEvent what, std::string_view, std::string_view detail) {
  const std::lock_guard lock(mutex_);
  events_.emplace_back(what, detail);
  changed_.notify_all();
}

std::vector<RecordingEvents::Access> RecordingEvents::accesses() const {
  const std::lock_guard lock(mutex_);
  return accesses_;
}

std::size_t RecordingEvents::count(ServerEvent what) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      events_.begin(), events_.end(), [&](const auto& entry) { return entry.first == what; }));
}

void RecordingEvents::wait_for(ServerEvent what) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return std::any_of(events_.begin(), events_.end(),
                       [&](const auto& entry) { return entry.first == what; });
  });
}

void RecordingEvents::wait_for_accesses(std::size_t at_least) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return accesses_.size() >= at_least; });
}

void Gate::open() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  opened_.notify_all();
}

void Gate::wait() {
  std::unique_lock lock(mutex_);
  opened_.wait(lock, [this] { return open_; });
}

std::optional<Identity> FakeTokens::check(std::string_view value, TokenKind wanted) {
  if (value == kPollingToken && wanted == TokenKind::polling) return Identity{"peer", 1};
  if (value == kImportToken && wanted == TokenKind::import) return Identity{"uploader", 2};
  return std::nullopt;
}

bool FakeTokens::refused(std::string_view) {
  return ++refusals > refused_before_closing;
}

tl::expected<Export, ExportProblem> FakeExports::open(ExportKind kind, const Request&) {
  ++opened;
  if (problem) return tl::make_unexpected(*problem);
  if (kind == ExportKind::configured) kind = configured;
  Export exported;
  exported.published = kind == ExportKind::published;
  exported.etag = exported.published ? "tag-p" : "tag-l";
  exported.last_modified = Instant{784111777};
  exported.head = "17:00ff";
  exported.omitted = omitted;
  exported.body = exported.published ? published : live;
  return exported;
}

class FakeImports::FakeUpload : public Upload {
 public:
  FakeUpload(FakeImports& owner, const UploadInfo& info) : owner_(owner) {
    imported_.file_name = info.file_name;
    imported_.client = info.identity.client_name;
    ++owner_.traces;
    ++owner_.begun;
  }
  ~FakeUpload() override { --owner_.traces; }

  std::optional<ImportRefused> write(std::string_view piece) override {
    if (owner_.refuse_write) return owner_.refuse_write;
    imported_.content += piece;
    owner_.bytes_written += piece.size();
    return std::nullopt;
  }
  ImportOutcome finish(const UploadFields& fields) override {
    if (owner_.refuse_finish) return *owner_.refuse_finish;
    imported_.fields = fields;
    const std::lock_guard lock(owner_.mutex_);
    owner_.imported_.push_back(std::move(imported_));
    return ImportAccepted{owner_.imported_.size()};
  }

 private:
  FakeImports& owner_;
  Imported imported_;
};

std::optional<ImportRefused> FakeImports::admit(std::optional<std::uint64_t>) {
  return refuse_admission;
}

tl::expected<std::unique_ptr<Upload>, ImportRefused> FakeImports::begin(const UploadInfo& info) {
  return std::make_unique<FakeUpload>(*this, info);
}

std::optional<ImportRecord> FakeImports::record(std::uint64_t id, const Identity& identity) {
  if (id != 7 || identity.client_name != "uploader") return std::nullopt;
  ImportRecord record;
  record.id = 7;
  record.imported_at = WallTime{1'700'000'000'250'000};
  record.state = ImportState::complete_with_warnings;
  record.message = "Status: \"ok\"\n";
  record.name = "a.xml";
  return record;
}

std::vector<FakeImports::Imported> FakeImports::imported() const {
  const std::lock_guard lock(mutex_);
  return imported_;
}

TestServer::TestServer(ServerOptions server_options) : options(std::move(server_options)) {}

void TestServer::start() {
  server = std::make_unique<HttpServer>(options, clock, random, events);
  const Result<TcpAddress> bound = server->listen_tcp({"127.0.0.1", 0}, router);
  ASSERT_TRUE(bound.has_value()) << bound.error().message;
  port = bound->port;
  server->start();
}

TestServer::~TestServer() {
  if (server) server->stop(std::chrono::seconds(10));
}

ApiServer::ApiServer(ServerOptions server_options, Mode mode)
    : TestServer(std::move(server_options)) {
  register_public_api(router, {tokens, exports, imports, readiness}, options.limits, mode);
  start();
}

// The fakes go before the base: no handler may run any more.
ApiServer::~ApiServer() {
  server->stop(std::chrono::seconds(10));
}

std::string request(std::string_view method, std::string_view target, std::string_view fields,
                    std::string_view body) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}", method, target, fields);
  if (fields.find("Connection:") == fields.npos) text += "Connection: close\r\n";
  if (!body.empty()) text += fmt::format("Content-Length: {}\r\n", body.size());
  return fmt::format("{}\r\n{}", text, body);
}

std::string bearer(std::string_view token) {
  return fmt::format("Authorization: Bearer {}\r\n", token);
}

Form& Form::field(std::string_view name, std::string_view value) {
  body += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", boundary,
                      name, value);
  return *this;
}

Form& Form::file(std::string_view file_name, std::string_view content) {
  body += fmt::format(
      "--{}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n"
      "Content-Type: application/octet-stream\r\n\r\n{}\r\n",
      boundary, file_name, content);
  return *this;
}

std::string Form::closed() const {
  return fmt::format("{}--{}--\r\n", body, boundary);
}

std::string upload_request(const Form& form, std::string_view fields) {
  return request("POST", "/netml_import/upload/",
                 fmt::format("{}Content-Type: multipart/form-data; boundary={}\r\n{}",
                             bearer(kImportToken), form.boundary, fields),
                 form.closed());
}

}  // namespace netml::net

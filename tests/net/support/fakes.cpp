#include "tests/net/support/fakes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "net/http/multipart.hpp"

namespace netml::net {

void RecordingEvents::answered(const AccessRecord& record) {
  const std::lock_guard lock(mutex_);
  accesses_.push_back(
      {std::string(record.request_id), std::string(record.client_address),
       std::string(record.client), std::string(record.method), std::string(record.path),
       record.status, record.bytes_received, record.bytes_sent,
       ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())), std::string(record.limit)});
  changed_.notify_all();
}

void RecordingEvents::event(const EventRecord& record) {
  const std::lock_guard lock(mutex_);
  events_.push_back({record.what, std::string(record.client_address), std::string(record.detail),
                     std::string(record.request_id), std::string(record.client),
                     record.duration.has_value()});
  changed_.notify_all();
}

std::vector<RecordingEvents::Access> RecordingEvents::accesses() const {
  const std::lock_guard lock(mutex_);
  return accesses_;
}

std::size_t RecordingEvents::count(ServerEvent what) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      events_.begin(), events_.end(), [&](const auto& entry) { return entry.what == what; }));
}

RecordingEvents::Event RecordingEvents::first(ServerEvent what) const {
  wait_for(what);
  const std::lock_guard lock(mutex_);
  return *std::ranges::find(events_, what, &Event::what);
}

void RecordingEvents::wait_for(ServerEvent what) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return std::any_of(events_.begin(), events_.end(),
                       [&](const auto& entry) { return entry.what == what; });
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

std::vector<SampleUploads::Imported> SampleUploads::imported() const {
  const std::lock_guard lock(mutex);
  return finished;
}

namespace {

class SampleSink : public BodySink, private MultipartHandler {
 public:
  SampleSink(SampleUploads& uploads, const Limits& limits, std::string_view boundary)
      : uploads_(uploads), limits_(limits), parser_(boundary, limits_, *this) {}
  ~SampleSink() override { uploads_.traces -= begun_; }

  NamedLimit bytes_max() const override { return upload_limit(limits_); }
  std::string_view client() const override { return "uploader"; }
  std::optional<Response> write(std::string_view piece) override {
    const Status pushed = parser_.push(piece);
    return pushed ? std::nullopt : std::optional(refused(pushed.error()));
  }
  Response finish() override {
    if (const Status whole = parser_.finish(); !whole) return refused(whole.error());
    const std::lock_guard lock(uploads_.mutex);
    uploads_.finished.push_back(std::move(file_));
    Response response;
    response.status = 201;
    return response;
  }

 private:
  Status part_begin(const PartHead& head) override {
    file_.file_name = head.file_name.value_or("");
    if (!file_.file_name.ends_with(".xml")) return fail(Errc::denied, "no such files");
    ++begun_;
    ++uploads_.begun;
    ++uploads_.traces;
    return {};
  }
  Status part_data(std::string_view piece) override {
    file_.content += piece;
    return {};
  }
  Status part_end() override { return {}; }
  static Response refused(const Error& error) {
    return refusal(error.code == Errc::denied ? 406 : http_status(error.code), error.message);
  }

  SampleUploads& uploads_;
  const Limits limits_;
  MultipartParser parser_;
  SampleUploads::Imported file_;
  int begun_ = 0;
};

bool shows(const Request& request, std::string_view token) {
  return request.headers.get("Authorization") == fmt::format("Bearer {}", token);
}

Answer begin_upload(SampleUploads& uploads, const Limits& limits, const Request& request) {
  if (!shows(request, kImportToken)) return refusal(403, "no token");
  if (request.headers.has("Content-Encoding")) return refusal(415, "encoded");
  const auto boundary = multipart_boundary(request.headers.get("Content-Type"));
  if (!boundary) return refusal(400, boundary.error().message);
  if (request.content_length.value_or(0) > limits.upload_bytes_max) return refusal(413, "long");
  if (uploads.full) return refusal(507, "full");
  return std::make_unique<SampleSink>(uploads, limits, *boundary);
}

Answer sample_export(std::atomic<int>& exports, const Request& request) {
  if (!shows(request, kPollingToken)) return refusal(403, "no token");
  ++exports;
  Response response;
  response.body = "<live/>";
  response.client = "peer";
  return response;
}

}  // namespace

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

SampleServer::SampleServer(ServerOptions server_options) : TestServer(std::move(server_options)) {
  router.add(
      Method::get, "/status/", [](const Request&) -> Answer { return Response(); }, Lane::urgent);
  const Handler exported = [this](const Request& request) {
    return sample_export(exports, request);
  };
  router.add(Method::get, "/netml_export/", exported);
  router.add(Method::get, "/test/netml_export/", exported);
  router.add(Method::post, "/netml_import/upload/", [this](const Request& request) {
    return begin_upload(uploads, options.limits, request);
  });
  start();
}

// What is counted goes before the base: no handler may run any more.
SampleServer::~SampleServer() {
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

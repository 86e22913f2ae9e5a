#include "admin/cli/client/socket_control.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <span>
#include <utility>

#include "admin/answers/body_file.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/base/work_list.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/client/work_follower.hpp"
#include "net/client/http_client.hpp"

namespace netml::admin::cli {

namespace {

// A server that is alive answers for its status at once, whatever else it does.
constexpr std::chrono::seconds kPatience{10};

// How far work is, is asked again soon; whoever waits for the work waits for that no longer.
constexpr std::chrono::seconds kWorkPatience{1};

// The answer alone may have been lost.
constexpr std::string_view kMayBeDone =
    "; it may have been done all the same: netml log --limit 5 shows what was done last";

// A call itself may take as long as the work does, and its answer be as large as the map.
net::ClientLimits call_limits() {
  net::ClientLimits limits;
  limits.silence_max = std::chrono::hours(1);
  limits.total_max = std::chrono::hours(24);
  limits.body_bytes_max = std::numeric_limits<std::uint64_t>::max();
  return limits;
}

// Tells the progress how much of a body has gone out. The head counts too, which is too little to
// be seen.
class CountingChannel : public net::ByteChannel {
 public:
  CountingChannel(std::unique_ptr<net::ByteChannel> channel, std::uint64_t bytes_max,
                  Progress& progress)
      : channel_(std::move(channel)), bytes_max_(bytes_max), progress_(progress) {}

  Result<Ready> wait(bool to_write, std::chrono::milliseconds at_most) override {
    return channel_->wait(to_write, at_most);
  }
  Result<std::size_t> read_some(std::span<char> into) override { return channel_->read_some(into); }
  Result<std::size_t> write_some(std::string_view from) override {
    NETML_TRY(const std::size_t written, channel_->write_some(from));
    sent_ += written;
    progress_.sent(std::min(sent_, bytes_max_));
    return written;
  }

 private:
  std::unique_ptr<net::ByteChannel> channel_;
  const std::uint64_t bytes_max_;
  Progress& progress_;
  std::uint64_t sent_ = 0;
};

// A connection for each call: a command makes one or two.
class SocketControl : public Control {
 public:
  SocketControl(std::string path, const Clock& clock) : path_(std::move(path)), clock_(clock) {}

  Result<ControlResponse> call(const ControlRequest& request, const BodySink& sink,
                               Progress& progress) override;

 private:
  // Under the name that `work` gives it; empty: none.
  Result<ControlResponse> call_named(const std::string& work, const ControlRequest& request,
                                     const BodySink& sink, Progress& progress) const;
  std::optional<WorkNow> ask_how_far(const std::string& work) const;
  // `wanted` is what `request` is a part of.
  Result<ControlResponse> send(const ControlRequest& wanted, net::ClientRequest request,
                               std::uint64_t body_bytes, const BodySink& sink,
                               Progress& progress) const;

  const std::string path_;
  const Clock& clock_;
};

net::ClientRequest head_of(const ControlRequest& request, const std::string& work) {
  net::ClientRequest head;
  head.method = request.method;
  head.target = request.target;
  if (!work.empty()) head.headers.add(kWorkHeader, work);
  return head;
}

// Other commands that wait at the same time have other names.
Result<ControlResponse> SocketControl::call(const ControlRequest& request, const BodySink& sink,
                                            Progress& progress) {
  if (!progress.watched()) return call_named({}, request, sink, progress);
  const std::string work = fmt::format("{}-{}", ::getpid(), clock_.steady().count());
  const WorkFollower follower([this, &work] { return ask_how_far(work); }, progress);
  return call_named(work, request, sink, progress);
}

// A server of before knows of no such thing.
std::optional<WorkNow> SocketControl::ask_how_far(const std::string& work) const {
  auto channel = net::connect_unix(path_);
  if (!channel) return std::nullopt;
  net::ClientLimits limits;
  limits.silence_max = kWorkPatience;
  limits.total_max = kWorkPatience;
  net::HttpClient client(*std::move(channel), "localhost", clock_, limits);
  net::ClientRequest asked;
  asked.target = Target(std::string(kWorkPath)).query("name", work).text();
  const auto answer = client.send(asked);
  if (!answer || answer->status != 200) return std::nullopt;
  const Result<JsonValue> now = JsonValue::parse(answer->body);
  if (!now) return std::nullopt;
  const std::optional<WorkUnit> unit = find_work_unit(now->text("unit"));
  if (!unit) return std::nullopt;
  return WorkNow{now->text("part"), *unit, now->number("done"), now->number("total")};
}

Result<ControlResponse> SocketControl::call_named(const std::string& work,
                                                  const ControlRequest& request,
                                                  const BodySink& sink, Progress& progress) const {
  if (!request.body_file) {
    net::ClientRequest sent = head_of(request, work);
    if (!request.body.empty()) sent.headers.add("Content-Type", "application/json");
    sent.body = request.body;
    return send(request, std::move(sent), 0, sink, progress);  // too little to be seen
  }
  NETML_TRY(net::FileBody body, open_body_file(*request.body_file));
  const std::uint64_t bytes = body.length;
  if (request.server_may_open) {
    net::ClientRequest naming = head_of(request, work);
    NETML_TRY(const std::string name, name_of_body_file(*request.body_file, body));
    naming.headers.add(kBodyFileHeader, name);
    NoProgress unseen;
    progress.sent(bytes);  // the server has all of it where it can open the file
    NETML_TRY(ControlResponse response, send(request, std::move(naming), 0, sink, unseen));
    if (response.status != kSendTheBytes) return response;
  }
  net::ClientRequest sending = head_of(request, work);
  sending.headers.add("Content-Type", "application/octet-stream");
  sending.body = std::move(body);
  return send(request, std::move(sending), bytes, sink, progress);
}

Result<ControlResponse> SocketControl::send(const ControlRequest& wanted,
                                            net::ClientRequest request, std::uint64_t body_bytes,
                                            const BodySink& sink, Progress& progress) const {
  NETML_TRY(auto channel, net::connect_unix(path_));
  net::HttpClient client(
      std::make_unique<CountingChannel>(std::move(channel), body_bytes, progress), "localhost",
      clock_, call_limits());
  Result<net::ClientResponse> answer = sink ? client.send(request, sink) : client.send(request);
  if (!answer) {
    Error error = std::move(answer).error();
    if (request.method != "GET" && !wanted.only_asks) error.message += kMayBeDone;
    return tl::unexpected(std::move(error));
  }
  net::ClientResponse received = *std::move(answer);
  ControlResponse response;
  response.status = received.status;
  response.head = received.headers.get("X-NetML-Head");
  response.omitted = omitted(received.headers);
  response.body = std::move(received.body);
  return response;
}

}  // namespace

namespace {

// "process 4711, version 0.1.0, since ...": what the lock of the directory says.
std::string holder_of(const GlobalOptions& options) {
  constexpr std::size_t kHolderBytesMax = 200;
  std::ifstream lock(options.data_directory + "/LOCK");
  std::string holder;
  if (!std::getline(lock, holder) || holder.size() > kHolderBytesMax) return "an unknown process";
  return holder;
}

}  // namespace

Result<std::unique_ptr<Control>> connect_to_server(const GlobalOptions& options,
                                                   const Clock& clock) {
  const std::string path = options.data_directory + "/control.sock";
  std::unique_ptr<Control> control;
  if (::access(path.c_str(), F_OK) != 0) return control;
  auto channel = net::connect_unix(path);
  // A socket that a killed server left behind refuses connections.
  if (!channel && channel.error().code == Errc::unavailable) return control;
  if (!channel) return tl::make_unexpected(channel.error());

  net::ClientLimits limits;
  limits.silence_max = kPatience;
  limits.total_max = kPatience;
  net::HttpClient client(*std::move(channel), "localhost", clock, limits);
  const auto answer = client.send({.target = api("node/status").text(), .headers = {}, .body = {}});
  if (!answer)
    return fail(Errc::unavailable, fmt::format("its server ({}) does not answer on {}: {}",
                                               holder_of(options), path, answer.error().message));
  control = std::make_unique<SocketControl>(path, clock);
  return control;
}

}  // namespace netml::admin::cli

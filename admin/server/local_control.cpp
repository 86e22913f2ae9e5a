#include "admin/server/local_control.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "admin/answers/body_file.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/api/site/calls/calls.hpp"
#include "admin/api/site/node/file_fed_body.hpp"
#include "admin/api/site/web_api.hpp"
#include "admin/api/site/web_files.hpp"
#include "admin/base/work_list.hpp"
#include "admin/cli/client/work_follower.hpp"
#include "engine/base/guarded.hpp"
#include "net/http/body_sources.hpp"
#include "net/http/uri.hpp"

namespace netml::admin {

namespace {

// Hands the pieces of an answer's body to `take`.
class BodyReader {
 public:
  explicit BodyReader(const std::function<Status(std::string_view)>& take) : take_(take) {}

  Status operator()(std::string& body) const { return take_(body); }

  Status operator()(net::StreamBody& body) const { return take_all(*body.source); }
  Status operator()(net::FileBody& body) const {
    return take_all(*net::file_source(std::move(body)));
  }

 private:
  Status take_all(net::BodySource& source) const {
    while (true) {
      NETML_TRY(const std::string_view piece, source.next());
      if (piece.empty()) return {};
      NETML_TRY_VOID(take_(piece));
    }
  }

  const std::function<Status(std::string_view)>& take_;
};

// Nothing of what is no file, such as a pipe.
std::optional<std::uint64_t> size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? std::nullopt : std::optional<std::uint64_t>(bytes);
}

}  // namespace

Result<std::unique_ptr<cli::Control>> LocalControl::open(const NodeOptions& options,
                                                         const cli::GlobalOptions& global,
                                                         const Clock& clock, Random& random,
                                                         EventLog& events) {
  auto memory = std::make_unique<ProcessBudget>(global.memory_max);
  NodeOptions bounded = options;
  bounded.memory = &memory->budget;
  NETML_TRY(std::unique_ptr<Node> node, Node::open(bounded, clock, random, events));
  return std::unique_ptr<cli::Control>(
      new LocalControl(std::move(memory), std::move(node), global));
}

LocalControl::LocalControl(std::unique_ptr<ProcessBudget> memory, std::unique_ptr<Node> node,
                           const cli::GlobalOptions& global)
    : memory_(std::move(memory)),
      node_(std::move(node)),
      services_(*node_, global.limits),
      site_(services_, nullptr, {.country_outlines = web::country_outlines()}) {
  PollRules rules = PollRules::within(global.limits);
  rules.sandbox = global.sandbox;
  services_.poller.set_rules(std::move(rules));
  register_control_api(router_, site_);
}

Result<cli::ControlResponse> LocalControl::call(const cli::ControlRequest& request,
                                                const cli::BodySink& sink,
                                                cli::Progress& progress) {
  std::optional<cli::WorkFollower> follower;
  if (progress.watched())
    follower.emplace([this] { return services_.works.find(web::kOfflineRequest); }, progress);
  NETML_TRY(net::Response response, guarded([&] { return dispatch(request, progress); }));
  cli::ControlResponse result;
  result.status = response.status;
  result.head = response.headers.get("X-NetML-Head");
  result.damage = node_->damage();
  result.omitted = omitted(response.headers);
  const cli::BodySink collect = [&](std::string_view piece) -> Status {
    result.body += piece;
    return {};
  };
  const bool to_sink = sink && result.succeeded();
  const BodyReader reader(to_sink ? sink : collect);
  NETML_TRY_VOID(guarded([&]() -> Status { return std::visit(reader, response.body); }));
  return result;
}

Result<net::Response> LocalControl::dispatch(const cli::ControlRequest& wanted,
                                             cli::Progress& progress) {
  const std::optional<net::Method> method = net::parse_method(wanted.method);
  const auto target = net::parse_target(wanted.target);
  if (!method || !target)
    return fail(Errc::invalid_input, fmt::format("\"{}\" is not a valid target", wanted.target));
  net::Request request;
  request.method = *method;
  request.path = target->path;
  request.query = target->query;
  request.control = true;
  request.id = web::kOfflineRequest;
  if (progress.watched()) request.headers.add(kWorkHeader, web::kOfflineRequest);
  const net::Router::Resolution resolution = router_.resolve(*method, request.path);
  const auto* found = std::get_if<net::Router::Found>(&resolution);
  if (found == nullptr)
    return std::holds_alternative<net::Router::WrongMethod>(resolution)
               ? net::refusal(405, "method not allowed")
               : net::refusal(404, "no such path");
  request.parameters = found->parameters;
  if (wanted.body_file) request.content_length = size_of(*wanted.body_file);
  net::Answer answer = (*found->handler)(request);
  if (auto* response = std::get_if<net::Response>(&answer)) return std::move(*response);
  return feed(*std::get<std::unique_ptr<net::BodySink>>(answer), wanted, progress);
}

Result<net::Response> LocalControl::feed(net::BodySink& sink, const cli::ControlRequest& request,
                                         cli::Progress& progress) {
  if (!request.body_file) {
    if (auto refused = sink.write(request.body)) return std::move(*refused);
    return sink.finish();
  }
  NETML_TRY(const net::FileBody body, cli::open_body_file(*request.body_file));
  return feed_file(sink, body, [&](std::uint64_t bytes) { progress.sent(bytes); });
}

}  // namespace netml::admin

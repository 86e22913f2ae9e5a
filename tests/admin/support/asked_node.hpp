// An open node that is asked as the command line asks it, in process. Thread: one.
#pragma once

#include <memory>
#include <string>

#include "admin/api/site/calls/site.hpp"
#include "admin/api/site/web_api.hpp"
#include "net/http/uri.hpp"
#include "net/server/router.hpp"
#include "tests/admin/support/open_node.hpp"

namespace netml::admin::testing {

class AskedNode {
 public:
  struct Reply {
    int status = 0;
    std::string body;  // with the error that it ended in, if it did
  };

  explicit AskedNode(std::unique_ptr<Node> node)
      : node_(std::move(node)), services_(*node_), site_(services_) {
    register_control_api(router_, site_);
  }
  AskedNode(const NodeOptions& options, const Clock& clock, Random& random, EventLog& events)
      : AskedNode(opened(options, clock, random, events)) {}

  Node& node() { return *node_; }
  Services& services() { return services_; }

  Reply ask(std::string_view target, net::Method method = net::Method::get) {
    net::Request request;
    request.method = method;
    request.path = target.substr(0, target.find('?'));
    if (target.size() > request.path.size()) request.query = target.substr(request.path.size() + 1);
    request.control = true;
    request.id = "request";
    const net::Router::Resolution resolution = router_.resolve(method, request.path);
    const auto& found = std::get<net::Router::Found>(resolution);
    request.parameters = found.parameters;
    net::Answer answer = (*found.handler)(request);
    if (auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer))
      answer = (*sink)->finish();
    return read(std::get<net::Response>(answer));
  }

 private:
  static std::unique_ptr<Node> opened(const NodeOptions& options, const Clock& clock,
                                      Random& random, EventLog& events) {
    auto node = Node::open(options, clock, random, events);
    NETML_ASSERT(node.has_value());
    return std::move(*node);
  }
  static Reply read(net::Response& response) {
    if (auto* text = std::get_if<std::string>(&response.body))
      return {response.status, std::move(*text)};
    Reply reply{response.status, {}};
    auto& source = *std::get<net::StreamBody>(response.body).source;
    for (auto piece = source.next();; piece = source.next()) {
      if (!piece) return {500, piece.error().message};
      if (piece->empty()) return reply;
      reply.body += *piece;
    }
  }

  const std::unique_ptr<Node> node_;
  Services services_;
  web::Site site_;
  net::Router router_;
};

}  // namespace netml::admin::testing

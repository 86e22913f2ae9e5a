// The public endpoints of a node of its own behind a socket, with one token of each kind.
#pragma once

#include <filesystem>
#include <string>

#include "admin/api/public/public_api.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/net/support/fakes.hpp"

namespace netml::admin::testing {

// Thread: one.
class PublicServer : public net::TestServer {
 public:
  explicit PublicServer(net::ServerOptions server_options = {},
                        ExportToken token = ExportToken::needed)
      : TestServer(std::move(server_options)) {
    add_token("peer", engine::TokenKind::polling, net::kPollingToken);
    add_token("uploader", engine::TokenKind::import, net::kImportToken);
    register_public_api(router, services, token);
    start();
  }
  // The node goes before the base: no handler may run any more.
  ~PublicServer() { server->stop(std::chrono::seconds(10)); }

  void add_token(const std::string& name, engine::TokenKind kind, std::string_view value) {
    EXPECT_TRUE(services.tokens.store(kCaller, name, kind, std::string(value)).has_value());
  }
  engine::StatePtr state() { return node->version().state; }
  std::size_t records() { return state()->catalog.imports.count(); }
  // Whether no upload is on its way or was kept.
  bool holds_nothing() {
    namespace fs = std::filesystem;
    return fs::is_empty(node.file("tmp")) && fs::is_empty(node.file("uploads"));
  }

  OpenNode node;
  Services services{*node, limits_of(options), kCheapPasswords};

 private:
  static cli::Limits limits_of(const net::ServerOptions& options) {
    cli::Limits limits;
    limits.http = options.limits;
    return limits;
  }
};

}  // namespace netml::admin::testing

// A node in test mode, used as functional tests use it: emptied, with an account, spoken to in
// JSON.
// Thread: one.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

struct JsonAnswer {
  int status = 0;
  boost::json::value value;  // null when there is no body
  net::Headers headers;

  std::uint64_t key(const char* name = "id") const {
    return value.as_object().at(name).to_number<std::uint64_t>();
  }
  std::string text(const char* name) const {
    return std::string(value.as_object().at(name).as_string());
  }
};

class TestModeNode {
 public:
  // `before`: commands for the shell that starts its server, as of Server.
  explicit TestModeNode(std::string before = {});

  // As the account, which is an editor at least; and as nobody.
  JsonAnswer ask(std::string_view method, const std::string& path, boost::json::value body = {});
  JsonAnswer ask_openly(std::string_view method, const std::string& path,
                        boost::json::value body = {});
  JsonAnswer send(std::string_view method, const std::string& path, net::Headers headers,
                  std::string body);
  net::Headers credentials() const;

  // A new one's key.
  std::uint64_t create(const std::string& path, boost::json::object fields);
  std::string import_token();
  Node& node() { return node_; }
  Server& server() { return *server_; }
  void start_afresh();  // emptied, with the account
  void restart();
  void kill_and_restart();

 private:
  std::unique_ptr<Server> serve() const { return node_.serve({"--test-mode"}, {}, before_); }

  const std::string before_;
  Node node_;
  std::unique_ptr<Server> server_;
};

// "Basic ..." for the Authorization field.
std::string basic(const std::string& name, const std::string& password);

}  // namespace netml::e2e

// The site of a node on a directory of its own, asked in process: routes as the server has them,
// and browsers that keep a cookie. Thread: one.
#pragma once

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "admin/api/site/calls/site.hpp"
#include "admin/api/site/web_api.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_node.hpp"

namespace netml::admin::testing {

inline constexpr const char* kPassword = "a long enough one";
inline constexpr const char* kHost = "node.example.org";

struct Reply {
  int status = 0;
  net::Headers headers;
  std::string body;

  boost::json::value json() const {
    boost::system::error_code error;
    boost::json::value value = boost::json::parse(body, error);
    EXPECT_FALSE(error) << body;
    return value;
  }
  // "code" of an error; empty when it is none.
  std::string code() const {
    if (status < 400) return {};
    return std::string(json().at("error").at("code").as_string());
  }
};

class OpenSite {
 public:
  explicit OpenSite(web::SiteOptions options = {}, MemoryBudget* memory = nullptr)
      : node_(memory), site_(services_, &queue_, std::move(options)) {
    services_.intake.use(queue_);
    routes_ = register_web_api(router_, site_);
    control_routes_ = register_control_api(control_router_, site_);
    register_web_pages(router_, site_);
    register_sign_out_page(router_, site_);
  }

  OpenNode& node() { return node_; }
  Services& services() { return services_; }
  ImportQueue& queue() { return queue_; }
  web::Site& site() { return site_; }
  const std::vector<WebRoute>& routes() const { return routes_; }
  const std::vector<WebRoute>& control_routes() const { return control_routes_; }
  engine::StatePtr state() { return node_->version().state; }

  std::uint64_t add_account(const std::string& name, engine::Role role) {
    const auto number = services_.accounts.create({}, {name, {}, role, kPassword});
    EXPECT_TRUE(number.has_value()) << number.error().message;
    return number.value_or(0);
  }

  // As the server hands it over once the head is complete.
  Reply send(net::Request request, const std::string& body = {}) {
    const net::Router& router = request.control ? control_router_ : router_;
    const net::Router::Resolution resolution = router.resolve(request.method, request.path);
    if (const auto* found = std::get_if<net::Router::Found>(&resolution)) {
      request.parameters = found->parameters;
      return reply((*found->handler)(request), body);
    }
    return {std::holds_alternative<net::Router::WrongMethod>(resolution) ? 405 : 404, {}, {}};
  }

  // The body of an answer that does not end by itself; null when there is none.
  std::unique_ptr<net::BodySource> stream(net::Request request) {
    const net::Router::Resolution resolution = router_.resolve(request.method, request.path);
    const auto* found = std::get_if<net::Router::Found>(&resolution);
    if (found == nullptr) return nullptr;
    net::Answer answer = (*found->handler)(request);
    auto* response = std::get_if<net::Response>(&answer);
    auto* body = response == nullptr ? nullptr : std::get_if<net::StreamBody>(&response->body);
    return body == nullptr ? nullptr : std::move(body->source);
  }

  static net::Request request(net::Method method, std::string_view target) {
    net::Request request;
    request.method = method;
    request.path = target.substr(0, target.find('?'));
    if (target.size() > request.path.size()) request.query = target.substr(request.path.size() + 1);
    request.headers.set("Host", kHost);
    request.id = "request";
    request.client_address = request.peer_address = "192.0.2.1";
    request.secure = true;
    return request;
  }

 private:
  static Reply reply(net::Answer answer, const std::string& body) {
    if (auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer)) {
      auto early = (*sink)->write(body);
      answer = early ? *std::move(early) : (*sink)->finish();
    }
    auto& response = std::get<net::Response>(answer);
    return {response.status, response.headers, body_text(response.body)};
  }

  OpenNode node_;
  Services services_{*node_, {}, kCheapPasswords};
  ImportQueue queue_{*node_};
  web::Site site_;
  net::Router router_;
  std::vector<WebRoute> routes_;
  net::Router control_router_;  // of the control socket: requests with `control` go there
  std::vector<WebRoute> control_routes_;
};

// A page of the node: it keeps the cookie, and sends what pages send.
class Browser {
 public:
  explicit Browser(OpenSite& site) : site_(site) {}

  Reply sign_in(const std::string& name, const std::string& password = kPassword) {
    Reply reply = post("session", {{"name", name}, {"password", password}});
    keep(reply);
    return reply;
  }
  void confirm() { EXPECT_EQ(post("session/confirm", {{"password", kPassword}}).status, 204); }

  Reply get(std::string_view path) { return send(net::Method::get, path, {}); }
  Reply post(std::string_view path, const boost::json::object& body = {}) {
    return send(net::Method::post, path, boost::json::serialize(body));
  }
  Reply put(std::string_view path, const boost::json::object& body) {
    return send(net::Method::put, path, boost::json::serialize(body));
  }
  // The number of the record that it makes; 0 where it makes none.
  std::uint64_t create(std::string_view collection, const boost::json::object& fields) {
    const Reply reply = post(collection, fields);
    EXPECT_EQ(reply.status, 201) << reply.body;
    return reply.status == 201 ? reply.json().at("number").to_number<std::uint64_t>() : 0;
  }
  // A file with the form of imports; `fields` are text parts behind it.
  using FormFields = std::vector<std::pair<std::string, std::string>>;
  Reply upload(const std::string& file, const FormFields& fields = {},
               const std::string& name = "map.xml") {
    net::Request upload = request(net::Method::post, "imports");
    upload.headers.set("Content-Type", "multipart/form-data; boundary=edge");
    const std::string part = "--edge\r\nContent-Disposition: form-data; name=\"";
    std::string body = part + "file\"; filename=\"" + name + "\"\r\n\r\n" + file + "\r\n";
    for (const auto& [field, value] : fields) body += part + field + "\"\r\n\r\n" + value + "\r\n";
    return site_.send(std::move(upload), body + "--edge--\r\n");
  }
  Reply del(std::string_view path) { return send(net::Method::del, path, {}); }
  Reply send(net::Method method, std::string_view path, const std::string& body) {
    return site_.send(request(method, path), body);
  }
  // Only if what a page saw of it, its "etag", is still so.
  Reply send_if(net::Method method, std::string_view path, const boost::json::value& etag,
                const boost::json::object& body = {}) {
    net::Request wanted = request(method, path);
    wanted.headers.set("If-Match", '"' + std::string(etag.as_string()) + '"');
    return site_.send(std::move(wanted), body.empty() ? "" : boost::json::serialize(body));
  }
  // What it would send, to be changed.
  net::Request request(net::Method method, std::string_view path) const {
    net::Request request = OpenSite::request(method, "/api/v1/" + std::string(path));
    if (!cookie_.empty()) request.headers.set("Cookie", "other=1; " + cookie_);
    request.headers.set("Sec-Fetch-Site", "same-origin");
    if (method == net::Method::get) return request;
    request.headers.set("Origin", "https://" + std::string(kHost));
    request.headers.set("X-Netml-Csrf", csrf_);
    return request;
  }

  const std::string& cookie() const { return cookie_; }
  const std::string& csrf() const { return csrf_; }
  void keep(const Reply& reply) {
    const std::string_view set = reply.headers.get("Set-Cookie");
    if (set.empty()) return;
    cookie_ = set.substr(0, set.find(';'));
    if (reply.status == 200) csrf_ = reply.json().at("csrf").as_string();
  }

 private:
  OpenSite& site_;
  std::string cookie_;
  std::string csrf_;
};

}  // namespace netml::admin::testing

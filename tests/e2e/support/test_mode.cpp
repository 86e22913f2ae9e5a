#include "tests/e2e/support/test_mode.hpp"

#include <gtest/gtest.h>
#include <sodium.h>

namespace netml::e2e {

namespace json = boost::json;

namespace {
constexpr const char* kName = "admin";
constexpr const char* kPassword = "admin123";
}  // namespace

std::string basic(const std::string& name, const std::string& password) {
  const std::string text = name + ":" + password;
  std::string encoded(sodium_base64_ENCODED_LEN(text.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(encoded.data(), encoded.size(),
                    reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  return "Basic " + std::string(encoded.c_str());
}

TestModeNode::TestModeNode(std::string before) : before_(std::move(before)), server_(serve()) {
  start_afresh();
}

void TestModeNode::start_afresh() {
  EXPECT_EQ(ask_openly("POST", "/test/flushdb/").status, 200);
  const json::object superuser{{"username", kName}, {"password", kPassword}, {"email", ""}};
  EXPECT_EQ(ask_openly("POST", "/test/create_superuser/", superuser).status, 200);
}

void TestModeNode::restart() {
  EXPECT_EQ(server_->stop(), 0);
  server_ = serve();
}

net::Headers TestModeNode::credentials() const {
  net::Headers headers;
  headers.add("Authorization", basic(kName, kPassword));
  return headers;
}

void TestModeNode::kill_and_restart() {
  server_->kill();
  server_ = serve();
}

JsonAnswer TestModeNode::send(std::string_view method, const std::string& path,
                              net::Headers headers, std::string body) {
  const Answer answer = server_->client({}).send(method, path, std::move(headers), std::move(body));
  if (!answer) {
    ADD_FAILURE() << method << " " << path << ": " << answer.error().message;
    return {};
  }
  JsonAnswer result{answer->status, nullptr, answer->headers};
  boost::system::error_code error;
  if (!answer->body.empty()) result.value = json::parse(answer->body, error);
  EXPECT_FALSE(error) << method << " " << path << ": " << answer->body;
  return result;
}

JsonAnswer TestModeNode::ask(std::string_view method, const std::string& path, json::value body) {
  net::Headers headers = credentials();
  if (body.is_null()) return send(method, path, std::move(headers), {});
  headers.add("Content-Type", "application/json");
  return send(method, path, std::move(headers), json::serialize(body));
}

JsonAnswer TestModeNode::ask_openly(std::string_view method, const std::string& path,
                                    json::value body) {
  net::Headers headers;
  if (body.is_null()) return send(method, path, std::move(headers), {});
  headers.add("Content-Type", "application/json");
  return send(method, path, std::move(headers), json::serialize(body));
}

std::uint64_t TestModeNode::create(const std::string& path, json::object fields) {
  const JsonAnswer answer = ask("POST", path, std::move(fields));
  EXPECT_EQ(answer.status, 201) << path << ": " << json::serialize(answer.value);
  return answer.status == 201 ? answer.key() : 0;
}

std::string TestModeNode::import_token() {
  const std::string value = "import-token-of-a-functional-te";
  const json::object token{
      {"client_name", "tester"}, {"token", value}, {"token_type", "grenml_import"}};
  EXPECT_EQ(ask_openly("POST", "/test/token/", token).status, 200);
  return value;
}

}  // namespace netml::e2e

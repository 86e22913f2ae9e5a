// Goal: what the endpoints of functional tests do to a node whose queue is not running, which the
// built program cannot be made to show (docs/requirements/http-api.md, section 11). Method: the
// handlers themselves, on a node on a real directory.
#include <gtest/gtest.h>

#include "admin/api/reference/functional_api.hpp"
#include "admin/imports/intake.hpp"
#include "engine/edit/plan_access.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using testing::OpenNode;

class FunctionalHandlers : public ::testing::Test {
 protected:
  FunctionalHandlers() { register_functional_api(router, services, node.clock().wall()); }
  net::Response ask(net::Method method, const std::string& path, const std::string& body = {}) {
    const net::Router::Resolution resolution = router.resolve(method, path);
    const auto* found = std::get_if<net::Router::Found>(&resolution);
    EXPECT_NE(found, nullptr) << path;
    if (found == nullptr) return {};
    net::Request request;
    request.method = method;
    request.path = path;
    request.parameters = found->parameters;
    request.headers.set("Content-Type", "application/json");
    net::Answer answer = (*found->handler)(request);
    if (auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer)) {
      EXPECT_FALSE((*sink)->write(body).has_value());
      return (*sink)->finish();
    }
    return std::get<net::Response>(std::move(answer));
  }
  void upload(const std::string& file) {
    Intake intake(*node);
    intake.use(queue);
    EXPECT_TRUE(testing::upload(intake, file).has_value());
  }
  std::size_t records() { return node->version().state->catalog.imports.count(); }

  OpenNode node{Mode::test};
  Services services{*node};
  ImportQueue queue{*node};
  net::Router router;
};

// One limit bounds every file that is sent, whichever way it comes.
TEST_F(FunctionalHandlers, TakeFilesAsLongAsAnyOther) {
  const auto resolution = router.resolve(net::Method::post, "/netml_import/test/upload/");
  const auto* found = std::get_if<net::Router::Found>(&resolution);
  ASSERT_NE(found, nullptr);
  const net::Answer answer = (*found->handler)({});
  const auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer);
  ASSERT_NE(sink, nullptr);
  EXPECT_EQ((*sink)->bytes_max().name, net::limit_names::kUploadBytes);
  EXPECT_EQ((*sink)->bytes_max().value, services.intake.bytes_max().value);
}

// P1: what was answered with 201 is not lost.
TEST_F(FunctionalHandlers, KeepUploadsThatWaitWhenImportRecordsAreDeleted) {
  upload("<not a map");
  EXPECT_TRUE(queue.import_waiting());
  upload("<nor this");
  ASSERT_EQ(records(), 2U);
  EXPECT_EQ(ask(net::Method::del, "/netml_import/test/").status, 200);
  EXPECT_EQ(records(), 1U) << "the one that waits";
  EXPECT_TRUE(queue.import_waiting());
  EXPECT_EQ(ask(net::Method::del, "/netml_import/test/").status, 200);
  EXPECT_EQ(records(), 0U);
}

// Decision 42: as functional tests expect of the reference node.
TEST_F(FunctionalHandlers, KeepASubTopologyThatItsFileNoLongerHasAlsoAfterFlushing) {
  const auto import = [&](const std::string& file) {
    upload(file);
    ASSERT_TRUE(queue.import_waiting());
  };
  for (const char* round : {"at first", "after flushing"}) {
    import(test::topology("P", "o", test::institution("o"),
                          test::topology("C", "o", test::institution("o"), test::node("n"))));
    import(test::topology("P", "o", test::institution("o")));
    EXPECT_EQ(node->version().state->graph.count(Kind::topology), 2U) << round;
    EXPECT_EQ(ask(net::Method::post, "/test/flushdb/").status, 200);
  }
}

std::string text(const net::Response& response) {
  return std::get<std::string>(response.body);
}

TEST_F(FunctionalHandlers, SwitchTheMapOnAndOff) {
  const std::string path = "/visualization/test/enabled_setting/";
  EXPECT_EQ(text(ask(net::Method::get, path)), "\"True\"");
  EXPECT_EQ(text(ask(net::Method::put, path + "0/")), "\"False\"");
  EXPECT_EQ(text(ask(net::Method::get, path)), "\"False\"");
  EXPECT_EQ(text(ask(net::Method::put, path + "7/")), "\"True\"");
  EXPECT_EQ(ask(net::Method::put, path + "on/").status, 404);
}

TEST_F(FunctionalHandlers, AllowOriginsAndForgetThem) {
  const std::string path = "/visualization/test/allow_origin/";
  const auto allow = [&](const std::string& body) {
    const net::Response response = ask(net::Method::post, path, body);
    EXPECT_EQ(text(response).front(), '"') << "a JSON text";
    return response.status;
  };
  const auto allowed = [&](const char* origin) {
    return is_allowed_origin(node->version().state->catalog, origin);
  };
  EXPECT_EQ(allow(R"({"name":"one","origin":"https://one.example","active":"yes"})"), 201);
  EXPECT_EQ(allow(R"({"name":"two","origin":"https://two.example","active":""})"), 201);
  EXPECT_TRUE(allowed("https://one.example"));
  EXPECT_FALSE(allowed("https://two.example")) << "not active";
  EXPECT_EQ(allow(R"({"name":"one","origin":"https://x.example","active":"yes"})"), 400);
  EXPECT_EQ(allow(R"({"name":"","origin":"https://x.example","active":"yes"})"), 400);
  EXPECT_EQ(allow(R"({"name":"x","origin":"","active":"yes"})"), 400);
  EXPECT_EQ(allow(R"({"name":"x","origin":"https://x.example"})"), 400);
  EXPECT_EQ(ask(net::Method::del, path + "one/").status, 204);
  EXPECT_FALSE(allowed("https://one.example"));
  EXPECT_EQ(ask(net::Method::del, path + "one/").status, 400);
}

}  // namespace
}  // namespace netml::admin

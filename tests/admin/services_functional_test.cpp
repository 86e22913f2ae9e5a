// Goal: what the endpoints of functional tests do to a node whose queue is not running, which the
// built program cannot be made to show (http-api.md, section 11).
// Method: the handlers themselves, on a node on a real directory.
#include <gtest/gtest.h>

#include "admin/functional/functional_api.hpp"
#include "admin/services/importer.hpp"
#include "tests/admin/support/open_node.hpp"

namespace netml::admin {
namespace {

using testing::OpenNode;

class FunctionalHandlers : public ::testing::Test {
 protected:
  FunctionalHandlers() {
    pending.open(services);
    register_functional_api(router, pending, {}, node.clock().wall());
  }
  // Of a request without a body.
  net::Response ask(net::Method method, const std::string& path) {
    const net::Router::Resolution resolution = router.resolve(method, path);
    const auto* found = std::get_if<net::Router::Found>(&resolution);
    EXPECT_NE(found, nullptr) << path;
    if (found == nullptr) return {};
    net::Request request;
    request.method = method;
    request.path = path;
    request.parameters = found->parameters;
    net::Answer answer = (*found->handler)(request);
    EXPECT_TRUE(std::holds_alternative<net::Response>(answer));
    return std::get<net::Response>(std::move(answer));
  }
  void upload(const std::string& file) {
    Importer importer(*node, &queue, Mode::test);
    net::UploadInfo info;
    info.file_name = "map.xml";
    auto begun = importer.begin(info);
    ASSERT_TRUE(begun.has_value());
    EXPECT_FALSE((*begun)->write(file).has_value());
    EXPECT_TRUE(std::holds_alternative<net::ImportAccepted>((*begun)->finish({})));
  }
  std::size_t records() { return node->version().state->catalog.imports.count(); }

  OpenNode node;
  Services services{*node};
  ImportQueue queue{*node};
  PendingServices pending;
  net::Router router;
};

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

}  // namespace
}  // namespace netml::admin

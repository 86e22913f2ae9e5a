// Routing rules of docs/requirements/http-api.md, sections 1 and 2.
#include "net/server/router.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace netml::net {
namespace {

class RouterTest : public ::testing::Test {
 protected:
  static Handler named(std::string name) {
    return [name](const Request&) -> Answer {
      Response response;
      response.body = name;
      return response;
    };
  }
  // The name of the handler found, or what else was decided.
  std::string resolve(Method method, std::string_view path) {
    Router::Resolution resolution = router_.resolve(method, path);
    if (auto* found = std::get_if<Router::Found>(&resolution)) {
      parameters_ = found->parameters;
      return std::get<std::string>(std::get<Response>((*found->handler)(Request{})).body);
    }
    if (auto* to = std::get_if<Router::Redirect>(&resolution)) return "301 " + to->path;
    if (auto* options = std::get_if<Router::Options>(&resolution)) return "200 " + options->allow;
    if (auto* wrong = std::get_if<Router::WrongMethod>(&resolution)) return "405 " + wrong->allow;
    return "404";
  }

  Router router_;
  std::vector<std::string> parameters_;
};

TEST_F(RouterTest, ListsItsRoutes) {
  router_.add(Method::post, "/b/{id}/", named("change"));
  router_.add(Method::get, "/b/{id}/", named("one"));
  router_.add(Method::get, "/a/{rest...}", named("rest"));
  std::string text;
  for (const Router::Route& route : router_.routes())
    text += std::string(method_name(route.method)) + " " + route.pattern + "\n";
  EXPECT_EQ(text, "GET /a/{rest...}\nGET /b/{id}/\nPOST /b/{id}/\n");
}

TEST_F(RouterTest, SendsGetWithoutItsSlashToTheCanonicalPath) {
  router_.add(Method::get, "/a/b/", named("get"));
  router_.add(Method::post, "/a/b/", named("post"));
  EXPECT_EQ(resolve(Method::get, "/a/b/"), "get");
  EXPECT_EQ(resolve(Method::get, "/a/b"), "301 /a/b/");
  EXPECT_EQ(resolve(Method::head, "/a/b"), "301 /a/b/");
  EXPECT_EQ(resolve(Method::post, "/a/b"), "post");
}

TEST_F(RouterTest, KeepsPathsWithoutSlashApart) {
  router_.add(Method::get, "/a/test", named("test"));
  EXPECT_EQ(resolve(Method::get, "/a/test"), "test");
  EXPECT_EQ(resolve(Method::get, "/a/test/"), "404");
}

TEST_F(RouterTest, AnswersHeadByGetAndListsMethods) {
  router_.add(Method::get, "/a/", named("get"));
  router_.add(Method::post, "/a/", named("post"));
  EXPECT_EQ(resolve(Method::head, "/a/"), "get");
  EXPECT_EQ(resolve(Method::options, "/a/"), "200 GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(resolve(Method::put, "/a/"), "405 GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(resolve(Method::del, "/b/"), "404");
}

TEST_F(RouterTest, RefusesHeadWhereItIsTold) {
  router_.add(Method::get, "/a/", named("get"));
  router_.add(Method::post, "/a/", named("post"));
  router_.refuse_head("/a/");
  EXPECT_EQ(resolve(Method::get, "/a/"), "get");
  EXPECT_EQ(resolve(Method::head, "/a/"), "405 GET, POST, OPTIONS");
  EXPECT_EQ(resolve(Method::head, "/a"), "405 GET, POST, OPTIONS");
  EXPECT_EQ(resolve(Method::options, "/a/"), "200 GET, POST, OPTIONS");
}

TEST_F(RouterTest, KnowsTheOldNamesOfASegment) {
  router_.add(Method::get, "/netml_export/", named("export"));
  router_.add(Method::get, "/p/netml_import/{id}/", named("import"));
  EXPECT_EQ(resolve(Method::get, "/grenml_export/"), "export");
  EXPECT_EQ(resolve(Method::get, "/grenml_export"), "301 /grenml_export/");
  EXPECT_EQ(resolve(Method::get, "/p/grenml_import/7/"), "import");
  EXPECT_EQ(resolve(Method::get, "/xgrenml_export/"), "404");
}

TEST_F(RouterTest, PrefersLiteralsToFieldsAndGoesBackWhenTheyFail) {
  router_.add(Method::get, "/r/{id}/apply/", named("apply one"));
  router_.add(Method::get, "/r/all/", named("all"));
  router_.add(Method::get, "/r/{id}/", named("one"));
  EXPECT_EQ(resolve(Method::get, "/r/all/"), "all");
  EXPECT_EQ(resolve(Method::get, "/r/all/apply/"), "apply one");
  EXPECT_EQ(parameters_, std::vector<std::string>{"all"});
  EXPECT_EQ(resolve(Method::get, "/r/7/"), "one");
  EXPECT_EQ(resolve(Method::get, "/r//"), "404");
}

TEST_F(RouterTest, WrapsEveryHandlerAndNothingElse) {
  router_.add(Method::get, "/a/", named("a"), Lane::urgent);
  router_.add(Method::post, "/a/", named("make"));
  router_.add(Method::get, "/grenml/{id}/", named("one"));
  router_.refuse_head("/a/");
  std::vector<std::string> wrapped;
  router_ = router_.wrapped([&](const Router::Route& route, Handler handler) -> Handler {
    wrapped.push_back(std::string(method_name(route.method)) + " " + route.pattern);
    return handler;
  });
  std::ranges::sort(wrapped);
  EXPECT_EQ(wrapped, (std::vector<std::string>{"GET /a/", "GET /grenml/{id}/", "POST /a/"}));
  EXPECT_EQ(resolve(Method::get, "/a/"), "a");
  EXPECT_EQ(resolve(Method::post, "/a/"), "make");
  EXPECT_EQ(resolve(Method::head, "/a/"), "405 GET, POST, OPTIONS");
  EXPECT_EQ(resolve(Method::get, "/grenml/7/"), "one");
}

TEST_F(RouterTest, GivesTheRestOfAPathToASection) {
  router_.add_any("/admin/{rest...}", named("admin"));
  router_.add(Method::get, "/", named("root"));
  EXPECT_EQ(resolve(Method::put, "/admin/x/y.css"), "admin");
  EXPECT_EQ(parameters_, std::vector<std::string>{"x/y.css"});
  EXPECT_EQ(resolve(Method::get, "/admin/"), "admin");
  EXPECT_EQ(resolve(Method::get, "/admin"), "301 /admin/");
  EXPECT_EQ(resolve(Method::options, "/admin/x"), "admin");
  EXPECT_EQ(resolve(Method::get, "/"), "root");
  EXPECT_EQ(resolve(Method::get, "/x"), "404");
}

}  // namespace
}  // namespace netml::net

// Goal: who asks while the node is still being opened is asked to come back, instead of finding
// nobody (O5).
// Method: the key file is a pipe that nobody writes to, so that opening the node does not end.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include "tests/e2e/support/node.hpp"
#include "tests/support/reserved_port.hpp"

namespace netml::e2e {
namespace {

TEST(Starting, IsToldToWhoeverAsks_O5) {
  Node node;
  node.done({"init", "--name", "N", "--owner", "O"});
  const std::string key = node.data() + "/node.key";
  ASSERT_TRUE(std::filesystem::remove(key));
  ASSERT_EQ(::mkfifo(key.c_str(), 0600), 0);
  const netml::test::ReservedPort port;
  Process server(
      program(),
      {"serve", "--data", node.data(), "--listen", fmt::format("127.0.0.1:{}", port.number())}, {},
      node.log().string());
  const Client client(port.number(), "token");
  Answer answer = client.get("/status/");
  while (!answer && !server.wait(std::chrono::milliseconds(1))) answer = client.get("/status/");
  ASSERT_TRUE(answer.has_value()) << read_file(node.log());
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->headers.get("Retry-After"), "1");
  for (const char* path : {"/netml_export/", "/netml_import/records/1/"}) {
    const Answer other = client.get(path);
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->status, 503) << path;
    EXPECT_TRUE(other->headers.has("Retry-After")) << path;
  }
  EXPECT_EQ(client.upload("<x/>")->status, 503);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait(), 0) << "opening can be stopped at any time";
}

}  // namespace
}  // namespace netml::e2e

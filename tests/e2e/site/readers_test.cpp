// P5: an export that runs while imports are committed is the state before or after one of them,
// byte for byte. Method: clients export without pause while two states replace each other.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "bench/generator/generator.hpp"
#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

std::string map_revision(std::uint32_t number) {
  generator::GeneratorOptions options;
  options.topologies = 5;
  options.nodes = 200;
  options.links = 200;
  options.revision = {.number = number, .changed_per_mille = 200, .removed_per_mille = 100};
  return generator::generate_text(options);
}

// What one client saw: the bodies, and the body of each tag.
struct Seen {
  std::set<std::string> bodies;
  std::map<std::string, std::set<std::string>> bodies_of_tag;
  int exports = 0;
  int failures = 0;
};

void export_until(const std::atomic<bool>& done, const Client& client, Seen& seen) {
  do {
    const Answer answer = client.get("/netml_export/");
    ++seen.exports;
    if (!answer || answer->status != 200) {
      ++seen.failures;
      continue;
    }
    seen.bodies.insert(answer->body);
    seen.bodies_of_tag[std::string(answer->headers.get("ETag"))].insert(answer->body);
  } while (!done);
}

TEST(Readers, SeeOneStateWhileImportsReplaceIt) {
  Node node;
  const std::string files[] = {map_revision(0), map_revision(1)};
  std::string known[2];
  for (int i : {1, 0}) {
    ASSERT_EQ(node.import(files[i]).exit_code, 0);
    known[i] = node.export_all();
  }
  ASSERT_NE(known[0], known[1]);
  const std::string import = node.token("import");
  const std::string polling = node.token("polling");
  const auto server = node.serve();

  std::atomic<bool> done{false};
  std::vector<Seen> seen(4);
  std::vector<std::thread> readers;
  for (Seen& mine : seen)
    readers.emplace_back([&] { export_until(done, server->client(polling), mine); });
  for (int round = 1; round <= 10; ++round)
    EXPECT_EQ(server->client(import).upload(files[round % 2])->status, 201) << round;
  done = true;
  for (std::thread& reader : readers) reader.join();

  for (const Seen& mine : seen) {
    EXPECT_GT(mine.exports, 0);
    EXPECT_EQ(mine.failures, 0);
    for (const std::string& body : mine.bodies)
      EXPECT_TRUE(body == known[0] || body == known[1]) << "a state that never was";
    for (const auto& [tag, bodies] : mine.bodies_of_tag) EXPECT_EQ(bodies.size(), 1U) << tag;
  }
  EXPECT_EQ(server->stop(), 0);
}

}  // namespace
}  // namespace netml::e2e

#include "tests/e2e/support/attack_kinds.hpp"

#include <fmt/format.h>

#include <string_view>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

namespace {

constexpr std::string_view kSlowHead = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
constexpr int kPointsInTime = 30;

std::string asking(std::string_view line, std::string_view more = "") {
  return fmt::format("{} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}\r\n", line, more);
}

std::string query(std::string_view text) {
  return asking("POST /visualization/graphql/",
                fmt::format("Content-Type: application/graphql\r\nContent-Length: {}\r\n",
                            text.size())) +
         std::string(text);
}

// A body of which all but the last bytes come.
std::string unfinished(std::string_view path, std::size_t bytes) {
  return asking(fmt::format("POST {}", path),
                fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", bytes)) +
         std::string(bytes - 100, ' ');
}

// The beginning of an upload that nobody is allowed to make.
std::string forbidden_upload(std::string_view fields) {
  constexpr int kBytes = 100'000'000;
  return asking(fmt::format("POST {}", UploadForm{}.path),
                fmt::format("{}Content-Type: {}\r\nContent-Length: {}\r\n", fields, kFormType,
                            kBytes)) +
         form_head({}) + "<?xml version=\"1.0\"?>";
}

std::string all_there_is() {
  return query(
      "{nodes {id name owners {id name} properties {name value}} links {id nodeA {id name}}}");
}

std::string nested() {
  return query("{nodes {linksA {nodeB {linksA {nodeB {linksA {id}}}}}}}");
}

std::vector<Habit> slow_heads() {
  return {{.opening = std::string(kSlowHead), .drop = "a"}};
}

std::vector<Habit> slow_bodies() {
  return {{.opening = unfinished("/visualization/graphql/", 200'000), .drop = " "},
          {.opening = unfinished("/api/v1/session", 200'000), .drop = " "}};
}

std::vector<Habit> readers() {
  return {{.opening = asking("GET /api/v1/map"), .reads = false},
          {.opening = all_there_is(), .reads = false},
          {.opening = asking("GET /admin/"), .reads = false}};
}

// Of the past, more different ones than are kept.
std::vector<Habit> questions_of_the_past() {
  std::vector<Habit> habits{{.opening = asking("GET /api/v1/map/difference?from=2&to=3")}};
  for (int at = 2; at < 2 + kPointsInTime; ++at)
    habits.push_back({.opening = asking(fmt::format("GET /api/v1/map?at={}", at))});
  return habits;
}

std::vector<Habit> guesses() {
  const std::string body = R"({"name":"eve","password":"guessed"})";
  return {{.opening = asking("GET /netml_export/", "Authorization: Bearer guessed\r\n")},
          {.opening = asking("POST /api/v1/session",
                             fmt::format("Content-Type: application/json\r\n"
                                         "Sec-Fetch-Site: same-origin\r\nContent-Length: {}\r\n",
                                         body.size())) +
                      body}};
}

// Refused by their heads; all of a body comes all the same.
std::vector<Habit> refused_bodies() {
  const std::string flood(64 << 10, ' ');
  const std::string length = "Content-Length: 1000000000\r\n";
  return {{.opening = forbidden_upload(""), .flood = flood},
          {.opening = asking("POST /nowhere/", length), .flood = flood},
          {.opening = asking("POST /visualization/graphql/", length), .flood = flood}};
}

std::vector<Habit> handshakes_left() {
  const std::string hello = client_hello();
  return {{.opening = hello}, {.opening = hello.substr(0, hello.size() / 2)}, {.opening = ""}};
}

std::vector<Habit> secured(std::vector<Habit> habits) {
  for (Habit& habit : habits) habit.secure = true;
  return habits;
}

void add(std::vector<Habit>& all, const std::vector<Habit>& habits) {
  all.insert(all.end(), habits.begin(), habits.end());
}

std::vector<AttackKind> with_everything(std::vector<AttackKind> kinds) {
  AttackKind everything{"everything", {}};
  // Each kind has as many clients, however many habits it has.
  constexpr std::size_t kOfEach = 6;
  for (std::size_t i = 0; i < kOfEach; ++i)
    for (const AttackKind& kind : kinds)
      everything.habits.push_back(kind.habits[i % kind.habits.size()]);
  kinds.push_back(std::move(everything));
  return kinds;
}

}  // namespace

std::vector<AttackKind> open_attacks() {
  return with_everything({
      {"heads", slow_heads()},
      {"bodies", slow_bodies()},
      {"readers", readers()},
      {"queries", {{.opening = nested()}, {.opening = all_there_is()}}},
      {"deserters",
       {{.opening = nested(), .leaves = true},
        {.opening = asking("GET /api/v1/map"), .leaves = true}}},
      {"past", questions_of_the_past()},
      {"guesses", guesses()},
      {"uploads",
       {{.opening = forbidden_upload(""), .drop = "<"},
        {.opening = forbidden_upload("Authorization: Bearer guessed\r\n"), .drop = "<"}}},
      {"refused", refused_bodies()},
  });
}

std::vector<AttackKind> tls_attacks() {
  return with_everything({
      {"tls begun", handshakes_left()},
      {"tls done", {{.opening = "", .leaves = true, .secure = true}}},
      {"tls heads", secured(slow_heads())},
      {"tls readers", secured(readers())},
  });
}

AttackKind slow_clients() {
  AttackKind slow{"slow clients", secured(slow_heads())};
  add(slow.habits, secured(slow_bodies()));
  add(slow.habits, secured(readers()));
  add(slow.habits, handshakes_left());
  return slow;
}

}  // namespace netml::e2e

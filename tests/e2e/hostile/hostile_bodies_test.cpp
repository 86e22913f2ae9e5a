// Goal: no body, however damaged, makes the node fail, fall or change what it refuses to change
// (docs/requirements/http-api.md, section 19; rules X1 and P7). Method: good bodies for
// every endpoint that takes one - public, of test mode, on the control socket - damaged by a seed.
// An answer of 4xx must be JSON and leave the head of the journal as it was (an import that is
// refused leaves a record, so there it is the content). Answers of 5xx are documented for exports
// ({"error_type"}) and for a rule that is not ready, and allowed nowhere else. Long:
// NETML_HOSTILE_BODIES=10000 e2e_tests --gtest_filter='HostileBodies.*'; with NETML_ATTACK_MEMORY=N
// in a control group of so many MiB, where one may be made.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>

#include "admin/server/system_clock.hpp"
#include "tests/codecs/workbook_text.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/damage.hpp"
#include "tests/e2e/support/test_mode.hpp"
#include "tests/support/http_clients.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;

enum class Door : std::uint8_t { open, account, import_token, polling_token, control };
enum class Shape : std::uint8_t { json, fields, form, xml, workbook };

struct Target {
  Door door;
  std::string method;
  std::string path;
  Shape shape;
  std::string body;
};

const std::string kTopology = "/network_topology/test/";
const std::string kCollation = "/collation/test/";
constexpr const char* kPollingToken = "polling-token-of-a-hostile-test";
constexpr std::string_view kFormStart = "multipart/form-data; boundary=edge-of-a-part";

std::string good_file() {
  return test::topology("P", "p", test::institution("p").with("k", "v"), test::node("a"),
                        test::node("b").lifetime("<nml:start>2020-01-01T00:00:00Z"
                                                 "</nml:start>"),
                        test::link("l", "a", "b"),
                        test::topology("C", "c", test::institution("c")));
}

std::string good_rulesets(const std::string& name) {
  return fmt::format(
      R"([{{"name":"{0}","enabled":true,"priority":5,"rules":[{{"name":"rule of {0}",)"
      R"("enabled":true,"priority":1,"actions":[{{"action_type":"Delete Node Property",)"
      R"("actioninfo_set":[{{"key":"name","value":"k"}}]}}],"match_criteria":[{{"match_type":)"
      R"("Match Nodes by ID","matchinfo_set":[{{"key":"ID","value":"x"}}]}}]}}]}}])",
      name);
}

const char* type_of(Shape shape) {
  switch (shape) {
    case Shape::json:
      return "application/json";
    case Shape::fields:
      return "application/x-www-form-urlencoded";
    case Shape::form:
      return kFormStart.data();
    default:
      return "application/octet-stream";
  }
}

// What of the node must not change when it refuses.
struct Marks {
  std::string head;     // of the journal: nothing at all was committed
  std::string content;  // of the map
};

class HostileBodies : public testing::Test {
 protected:
  static constexpr std::size_t kBodiesInARound = 250;
  static constexpr std::uint64_t kMoreKibMax = 300 * 1024;

  // ---- the stage: a node with one of everything, and good bodies for it ----

  void renew();
  void add_public_targets();
  void add_record_targets();
  void add_rule_targets();
  void add_control_targets();
  void add(Door door, std::string_view methods, const std::string& path, Shape shape,
           const std::string& body);
  void add_fields(const std::string& collection, std::uint64_t key, const json::object& good);

  // ---- one body ----

  std::string damaged(const Target& target);
  std::string damaged_workbook();
  Answer send(const Target& target, net::Headers headers, std::string body);
  Answer control(std::string_view method, const std::string& path, std::string body = {});
  void send_too_short(const Target& target, const std::string& body);
  void spoil(net::Headers& headers, std::size_t length);
  net::Headers headers_for(const Target& target) const;
  Marks marks();
  void judge(const Target& target, const net::ClientResponse& answer, const Marks& before);
  void try_one(std::uint64_t seed);

  admin::SystemClock clock;
  ControlGroup group{number_from_environment("NETML_ATTACK_MEMORY", 4096) << 20};
  TestModeNode node{group.made() ? group.enter() : ""};
  std::string import_token;
  std::vector<Target> targets;
  Damage damage{0};
  std::map<int, std::uint64_t> statuses;
};

void HostileBodies::renew() {
  targets.clear();
  node.start_afresh();
  import_token = node.import_token();
  node.ask_openly(
      "POST", "/test/token/",
      {{"client_name", "peer"}, {"token", kPollingToken}, {"token_type", "netml_export"}});
  EXPECT_EQ(control("PUT", "/api/v1/settings/IMPORT_ANSWER", R"({"value":"Result"})")->status, 200);
  EXPECT_EQ(node.server().client(import_token).upload(good_file())->status, 201);
  add_public_targets();
  add_record_targets();
  add_rule_targets();
  add_control_targets();
}

void HostileBodies::add(Door door, std::string_view methods, const std::string& path, Shape shape,
                        const std::string& body) {
  for (std::size_t from = 0; from < methods.size();) {
    const std::size_t end = std::min(methods.size(), methods.find(' ', from));
    targets.push_back({door, std::string(methods.substr(from, end - from)), path, shape, body});
    from = end + 1;
  }
}

void HostileBodies::add_public_targets() {
  for (const char* path : {"/netml_import/upload/", "/grenml_import/upload/"}) {
    add(Door::import_token, "POST", path, Shape::form,
        form_head({.fields = {{"topology_name", "N"}}}).append(good_file()).append(kFormTail));
    add(Door::import_token, "POST", path, Shape::form,
        form_head({.fields = {{"parent_topology_id", "C"}}}).append(good_file()).append(kFormTail));
  }
  add(Door::import_token, "POST", "/netml_import/upload/", Shape::workbook, {});
  for (const char* path :
       {"/test/netml_export/", "/netml_export/test", "/published_network_data/current/collect/",
        "/published_network_data/current/test/collect/",
        "/published_network_data/current/test/netml_export/"})
    add(Door::polling_token, "POST", path, Shape::json, R"({"a":1})");
  add(Door::polling_token, "GET", "/netml_export/", Shape::json, R"({"a":1})");
  add(Door::open, "GET POST", "/status/", Shape::json, R"({"a":1})");
  add(Door::open, "POST", "/test/loadfixture/", Shape::json,
      R"({"fixture":"test_app_configurations.json"})");
  add(Door::open, "POST", "/test/create_superuser/", Shape::json,
      R"({"username":"admin","password":"of another","email":"a@b.c"})");
  add(Door::open, "POST", "/test/token/", Shape::json,
      R"({"client_name":"peer","token":"x","token_type":"netml_import"})");
  add(Door::open, "POST", "/netml_import/test/upload/", Shape::json,
      json::serialize(json::value(good_file())));
}

void HostileBodies::add_fields(const std::string& collection, std::uint64_t key,
                               const json::object& good) {
  const std::string body = json::serialize(good);
  add(Door::account, "POST", collection, Shape::json, body);
  add(Door::account, "PUT PATCH", fmt::format("{}{}/", collection, key), Shape::json, body);
}

void HostileBodies::add_record_targets() {
  const auto make = [&](const std::string& collection, const json::object& fields) {
    const std::uint64_t key = node.create(kTopology + collection, fields);
    add_fields(kTopology + collection, key, fields);
    return key;
  };
  const auto place = [](json::object fields) {
    fields["latitude"] = "45.5";
    fields["longitude"] = -63.5;
    fields["altitude"] = 10;
    fields["properties"] =
        json::array{"{'name': 'k', 'value': 'v'}", json::object{{"name", "a"}, {"value", "b"}}};
    return fields;
  };
  const std::uint64_t topology = make("topologies/", {{"name", "T"}, {"parent", nullptr}});
  const json::array in{topology};
  const std::uint64_t owner =
      make("institutions/", place({{"name", "I"}, {"unlocode", "CAHAL"}, {"topologies", in}}));
  const auto node_fields = [&](const char* name) {
    return place({{"name", name},
                  {"start", "2020-01-01T00:00:00Z"},
                  {"topologies", in},
                  {"owners", json::array{owner}}});
  };
  const std::uint64_t a = make("nodes/", node_fields("A"));
  const std::uint64_t b = make("nodes/", node_fields("B"));
  make("links/", {{"name", "L"}, {"node_a", a}, {"node_b", b}, {"topologies", in}});
  const std::uint64_t property =
      node.ask("GET", kTopology + "properties/").value.at(0).at("pk").to_number<std::uint64_t>();
  add_fields(kTopology + "properties/", property, {{"name", "k"}, {"value", "v"}});
  add(Door::account, "POST", kTopology + "nodes/", Shape::fields,
      "name=F+1%26&latitude=1&longitude=2&topologies=" + std::to_string(topology));
  add(Door::account, "POST", kTopology + "topologies/", Shape::form,
      "--edge-of-a-part\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nM"
      "\r\n--edge-of-a-part--\r\n");
}

void HostileBodies::add_rule_targets() {
  const auto make = [&](const std::string& collection, const json::object& fields) {
    const std::uint64_t key = node.create(kCollation + collection, fields);
    add_fields(kCollation + collection, key, fields);
    return key;
  };
  const std::uint64_t set = make("rulesets/", {{"name", "R"}, {"enabled", true}, {"priority", 7}});
  const std::uint64_t rule =
      make("rules/", {{"ruleset", set}, {"name", "r"}, {"enabled", true}, {"priority", 1}});
  const std::uint64_t criterion = make("match_criteria/", {{"rule", rule}, {"match_type", 2}});
  make("match_infos/", {{"match_criterion", criterion}, {"key", "ID"}, {"value", "none"}});
  const std::uint64_t action = make("actions/", {{"rule", rule}, {"action_type", 2}});
  make("action_infos/", {{"action", action}, {"key", "k"}, {"value", "v"}});
  add(Door::account, "POST", fmt::format("{}rules/{}/apply/", kCollation, rule), Shape::json, "{}");
  add(Door::account, "POST", kCollation + "rulesets/apply_all/", Shape::json, "[]");
  add(Door::account, "PATCH", kCollation + "rulesets/enable_all/", Shape::json, "{}");
  add(Door::account, "POST", fmt::format("{}rulesets/{}/apply/", kCollation, set), Shape::json,
      "{}");
  add(Door::account, "DELETE", fmt::format("{}rules/{}/", kCollation, 999), Shape::json, "{}");
  const std::string rulesets = R"({"rulesets":)" + good_rulesets("exchanged") + "}";
  add(Door::open, "POST", kCollation + "import_rulesets", Shape::json, rulesets);
}

void HostileBodies::add_control_targets() {
  const auto post = [&](const std::string& path, const std::string& body) {
    add(Door::control, "POST", path, Shape::json, body);
  };
  add(Door::control, "POST", "/api/v1/node/import?name=map.xml&dry_run=1", Shape::xml, good_file());
  add(Door::control, "POST", "/api/v1/node/import?name=map.xml", Shape::xml, good_file());
  add(Door::control, "POST", "/api/v1/node/import?name=map.xlsx&topology_name=N", Shape::workbook,
      {});
  post("/api/v1/node/init", R"({"name":"N","owner":"O"})");
  post("/api/v1/publications", R"({"name":"edition","description":"d"})");
  post("/api/v1/tokens", R"({"name":"peer","type":"polling"})");
  post("/api/v1/accounts",
       R"({"name":"admin","email":"a@b.c","role":"viewer","password":"of another"})");
  add(Door::control, "PUT", "/api/v1/accounts/999", Shape::json,
      R"({"password":"correct horse battery"})");
  add(Door::control, "PUT", "/api/v1/settings/TOPOLOGY_DELETION_PROPAGATION", Shape::json,
      R"({"value":"Off"})");
  post("/api/v1/rulesets/import", good_rulesets("from control"));
  post("/api/v1/rulesets/try", good_rulesets("tested"));
  post("/api/v1/rulesets/apply", "{}");
  post("/api/v1/node/checkpoint", "{}");
}

// ---- one body ----

std::string HostileBodies::damaged_workbook() {
  auto workbook = codecs::test::small_workbook();
  const std::string cells = R"(<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>)"
                            R"(<row r="2"><c r="A2"><v>1</v></c></row>)";
  if (damage.one_in(2)) workbook.sheet_xml("Nodes", damage.markup(cells));
  if (damage.one_in(4)) workbook.part("xl/workbook.xml", damage.markup("<workbook a=\"b\"/>"));
  std::string bytes = workbook.build();
  return damage.one_in(2) ? damage.bytes(std::move(bytes)) : bytes;
}

std::string HostileBodies::damaged(const Target& target) {
  switch (target.shape) {
    case Shape::json:
      return damage.one_in(3) ? damage.bytes(target.body) : damage.json(target.body);
    case Shape::fields:
      return damage.bytes(target.body);
    case Shape::form:
    case Shape::xml:
      return damage.markup(target.body);
    case Shape::workbook:
      break;
  }
  if (target.door == Door::control) return damaged_workbook();
  return form_head({.file_name = "map.xlsx", .fields = {{"topology_name", "N"}}})
      .append(damaged_workbook())
      .append(kFormTail);
}

net::Headers HostileBodies::headers_for(const Target& target) const {
  net::Headers headers = target.door == Door::account ? node.credentials() : net::Headers();
  if (target.door == Door::import_token) headers.add("Authorization", "Bearer " + import_token);
  if (target.door == Door::polling_token)
    headers.add("Authorization", std::string("Bearer ") + kPollingToken);
  const bool form = target.shape == Shape::form ||
                    (target.shape == Shape::workbook && target.door != Door::control);
  headers.add("Content-Type", form ? kFormStart : type_of(target.shape));
  return headers;
}

Answer HostileBodies::control(std::string_view method, const std::string& path, std::string body) {
  NETML_TRY(auto client,
            net::client_over_unix(
                (std::filesystem::path(node.node().data()) / "control.sock").string(), clock));
  return client.send({std::string(method), path, {}, std::move(body)});
}

Answer HostileBodies::send(const Target& target, net::Headers headers, std::string body) {
  if (target.door == Door::control) return control(target.method, target.path, std::move(body));
  return node.server().client({}).send(target.method, target.path, std::move(headers),
                                       std::move(body));
}

// Declares more than it sends, then leaves.
void HostileBodies::send_too_short(const Target& target, const std::string& body) {
  auto channel = net::connect_tcp({"127.0.0.1", node.server().port()}, kPatience);
  ASSERT_TRUE(channel.has_value()) << channel.error().message;
  std::string request = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n",
                                    target.method, target.path, body.size() + 1);
  const net::Headers headers = headers_for(target);
  for (const auto& [name, value] : headers.fields())
    request += fmt::format("{}: {}\r\n", name, value);
  ASSERT_TRUE((*channel)->write_some(request + "\r\n" + body).has_value());
}

// Another type or a length that is wrong; too small a length makes the rest a request of its own.
void HostileBodies::spoil(net::Headers& headers, std::size_t length) {
  constexpr std::array kTypes{"text/plain",
                              "application/json; charset=utf-16",
                              "application/x-www-form-urlencoded",
                              "multipart/form-data",
                              "multipart/form-data; boundary=",
                              "application/xml",
                              "/",
                              ""};
  constexpr std::array kLengths{"12x", "-5", "", "1, 2", "0x10", "+3"};
  if (damage.one_in(8)) headers.set("Content-Type", kTypes[damage.below(kTypes.size())]);
  if (damage.one_in(20)) headers.set("Content-Length", kLengths[damage.below(kLengths.size())]);
  if (damage.one_in(20)) headers.set("Content-Length", std::to_string(damage.below(length + 1)));
}

Marks HostileBodies::marks() {
  const Answer status = control("GET", "/api/v1/node/status");
  const Answer content = control("GET", "/api/v1/node/export");
  if (!status || !content || status->status != 200) {
    ADD_FAILURE() << "the node does not tell its status";
    return {};
  }
  const json::value shown = json::parse(status->body);
  return {json::serialize(shown.at("head")), json::serialize(shown.at("counts")) + content->body};
}

bool may_fail(const Target& target, const std::string& answer) {
  if (target.door == Door::polling_token) return answer.starts_with(R"({"error_type":)");
  return target.path.starts_with(kCollation + "rules/") && target.path.ends_with("/apply/");
}

// Two answers with 201 stand for no change of the journal's head.
bool creates(const Target& target, const net::ClientResponse& answer) {
  if (answer.status != 201 || target.path.ends_with("/checkpoint")) return false;
  return !answer.body.starts_with(R"({"created_rulesets":[],)");
}

void HostileBodies::judge(const Target& target, const net::ClientResponse& answer,
                          const Marks& before) {
  ++statuses[answer.status];
  EXPECT_GE(answer.status, 200);
  if (answer.status >= 500) {
    EXPECT_TRUE(may_fail(target, answer.body)) << answer.status << " " << answer.body;
  }
  if (creates(target, answer)) {
    EXPECT_NE(marks().head, before.head) << "the mark does not see a change";
  }
  if (answer.status < 400) return;
  boost::system::error_code error;
  json::parse(answer.body, error);
  EXPECT_FALSE(error) << answer.status << " " << answer.body.substr(0, 200);
  const Marks after = marks();
  EXPECT_EQ(after.content == before.content, true) << answer.status << " changed the map";
  const bool keeps_a_record = target.path.find("import/") != std::string::npos ||
                              target.path.starts_with("/api/v1/node/import?");
  if (!keeps_a_record) {
    EXPECT_EQ(after.head, before.head) << answer.body;
  }
}

void HostileBodies::try_one(std::uint64_t seed) {
  damage = Damage(seed);
  const Target& target = targets[seed % targets.size()];
  SCOPED_TRACE(fmt::format("body {}: {} {}", seed, target.method, target.path));
  const std::string body = damaged(target);
  const Marks before = marks();
  if (target.door != Door::control && damage.one_in(30)) {
    send_too_short(target, body);
    EXPECT_EQ(marks().head, before.head);
    return;
  }
  net::Headers headers = headers_for(target);
  if (target.door != Door::control) spoil(headers, body.size());
  const Answer answer = send(target, std::move(headers), body);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  judge(target, *answer, before);
}

TEST_F(HostileBodies, AreRefusedWithoutFailureOrChange) {
  if (std::getenv("NETML_ATTACK_MEMORY") != nullptr && !group.made())
    GTEST_SKIP() << "no control group with a limit of memory may be made here";
  const std::uint64_t bodies = number_from_environment("NETML_HOSTILE_BODIES", 1500);
  renew();
  const std::uint64_t memory = node.server().memory_kib("VmRSS");
  for (std::uint64_t seed = 1; seed <= bodies && !HasFatalFailure(); ++seed) {
    try_one(seed);
    if (seed % kBodiesInARound == 0) renew();
  }
  std::string counts;
  for (const auto& [status, count] : statuses) counts += fmt::format(" {}: {}", status, count);
  std::cout << bodies << " bodies for " << targets.size() << " targets;" << counts << '\n';
  EXPECT_LT(node.server().memory_kib("VmHWM"), memory + kMoreKibMax);
  EXPECT_EQ(node.server().client({}).get("/status/")->status, 200);
  EXPECT_EQ(node.server().stop(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(node.node().data()) / "tmp"));
}

// An upload that is only queued must come to an end, too, and hold up none that follows.
TEST_F(HostileBodies, AcceptedForTheQueueEndInTheirRecords) {
  renew();
  const auto answer_by = [&](const char* setting) {
    return control("PUT", "/api/v1/settings/IMPORT_ANSWER", setting)->status;
  };
  ASSERT_EQ(answer_by(R"({"value":"Queued"})"), 200);
  std::erase_if(targets, [](const Target& target) { return target.door != Door::import_token; });
  constexpr std::uint64_t kUploads = 200;
  for (std::uint64_t seed = 1; seed <= kUploads; ++seed) {
    damage = Damage(seed);
    const Target& target = targets[seed % targets.size()];
    SCOPED_TRACE(fmt::format("upload {}", seed));
    const Answer answer = send(target, headers_for(target), damaged(target));
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_THAT(answer->status, testing::AnyOf(201, 400, 406)) << answer->body;
    ++statuses[answer->status];
  }
  EXPECT_GT(statuses[201], kUploads / 4);
  const net::ClientResponse last = *node.server().client(import_token).upload(good_file());
  ASSERT_EQ(last.status, 201);
  const auto in_progress = [&] {
    const JsonAnswer records = node.ask_openly("GET", "/netml_import/test/");
    return std::ranges::count_if(records.value.as_array(), [](const json::value& record) {
      return record.at("import_status") == "0: Import in progress";
    });
  };
  while (in_progress() > 0) {
  }
  const JsonAnswer records = node.ask_openly("GET", "/netml_import/test/");
  EXPECT_THAT(std::string(records.value.as_array().back().at("import_status").as_string()),
              testing::HasSubstr("complete"));
}

}  // namespace
}  // namespace netml::e2e

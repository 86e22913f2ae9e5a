// Bodies of the API and of forms, queries in GraphQL, schedules, and the file of --config.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/request_values.hpp"
#include "admin/api/graphql/graphql_answers.hpp"
#include "admin/api/graphql/graphql_writer.hpp"
#include "admin/api/records/field_values.hpp"
#include "admin/api/reference/forms.hpp"
#include "admin/cli/grammar/config_file.hpp"
#include "admin/polling/polling_json.hpp"
#include "admin/settings/cron_schedule.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/ports.hpp"

namespace netml::admin {
namespace {

using fuzz::between_bars;
using fuzz::in_pieces;
using fuzz::promise;
using fuzz::Target;

// ---- bodies of the API ----

// The status with which a request is answered whose body arrives so.
int control_status(const std::vector<std::string_view>& pieces) {
  const auto use = [](const std::string& text) -> Result<net::Response> {
    NETML_TRY(const boost::json::object body, parse_object(text));
    NETML_TRY(const std::string name, text_of(body, "name"));
    NETML_TRY(const auto note, optional_text(body, "note"));
    NETML_TRY(const bool flag, flag_of(body, "flag", false));
    NETML_TRY(const auto numbers, numbers_of(body, "numbers"));
    NETML_TRY(const SourceFields source, source_fields_of(body));
    static_cast<void>(name.size() + note.has_value() + flag + numbers.size());
    return no_content();
  };
  const auto sink = net::collect_body(1 << 20, [&](const std::string& text) {
    Result<net::Response> response = use(text);
    return response ? std::move(*response) : error_answer(response.error());
  });
  for (const std::string_view piece : pieces)
    if (const auto refused = sink->write(piece)) return refused->status;
  return sink->finish().status;
}

void read_control_body(std::string_view input) {
  const int status = control_status({input});
  promise(status == 204 || status == 400, "a body is taken or refused");
  promise(status == control_status(in_pieces(input)),
          "a request does not depend on how it arrives");
}

void read_fields(std::string_view input) {
  for (const char* type : {"application/json", "application/x-www-form-urlencoded",
                           "multipart/form-data; boundary=b"}) {
    const auto fields = functional::parse_fields(type, std::string(input), net::Limits{});
    if (!fields) continue;
    static_cast<void>(functional::text_value(*fields, "name").has_value());
    static_cast<void>(functional::time_value(*fields, "start").has_value());
    static_cast<void>(functional::decimal_value(*fields, "latitude", 3).has_value());
    static_cast<void>(functional::integer_value(*fields, "number").has_value());
    static_cast<void>(functional::list_value(*fields, "list").has_value());
  }
}

// ---- what is set ----

// Notices that it is asked.
class NoticedRandom final : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    asked = true;
    random_.fill(bytes);
  }
  bool asked = false;

 private:
  testing::SeededRandom random_;
};

void read_schedule(std::string_view input) {
  const auto schedule = CronSchedule::parse(input);
  if (!schedule) return promise(!schedule.error().message.empty(), "a refusal says why");
  NoticedRandom random;
  const Instant after{1700000000};
  const auto next = schedule->next_run(after, random);
  if (!next) return;
  promise(next->seconds > after.seconds, "the next run is later");
  if (random.asked) return;
  const auto again = schedule->next_run({next->seconds - 1}, random);
  promise(again && again->seconds == next->seconds, "there is no run before the next");
}

std::string toml_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += '\\';
    text += code < ' ' || code == 0x7f ? fmt::format("\\u{:04x}", code) : std::string(1, c);
  }
  return text + '"';
}

void read_config(std::string_view input) {
  const auto values = cli::parse_config(input, "file");
  if (!values) return promise(values.error().starts_with("file:"), "a refusal says where");
  std::string written;
  for (const auto& [name, list] : *values) {
    written += toml_text(name) + " = [ # all\n";
    for (const std::string& value : list) written += toml_text(value) + ",\n";
    written += "]\n";
  }
  if (written.size() > cli::kConfigBytesMax) return;
  promise(cli::parse_config(written, "file") == values, "what is set, written again, is the same");
}

// ---- queries ----

// a - b of owners one and two, with c beside them.
engine::StatePtr small_state() {
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId one = builder.institution("urn:one", {topology});
  const RecordId two = builder.institution("urn:two", {topology});
  const RecordId a = builder.node("urn:a", {topology}, {one});
  const RecordId b = builder.node("urn:\"b\"\n", {topology}, {one, two});
  builder.node("urn:c", {topology}, {});
  builder.link("urn:ab", {topology}, {one}, a, b);
  builder.mark_as_copy(b, "urn:t");
  auto state = std::make_shared<engine::State>();
  state->graph = builder.build();
  return state;
}

std::string content_of(net::Body body) {
  if (auto* const text = std::get_if<std::string>(&body)) return std::move(*text);
  auto& stream = std::get<net::StreamBody>(body);
  std::string all;
  while (true) {
    const auto piece = stream.source->next();
    promise(piece.has_value(), "an answer that has begun is sent to its end");
    if (piece->empty()) break;
    all += *piece;
  }
  promise(all.size() == stream.length, "an answer has the length that was reported");
  return all;
}

std::string in_pieces_of(std::size_t bytes, const engine::Graph& graph,
                         const web::graphql::Plan& plan) {
  web::graphql::Writer writer(graph, plan);
  std::string all;
  for (bool more = true; more;) {
    std::string piece;
    const auto written = writer.write(piece, bytes);
    promise(written.has_value(), "an answer is refused whole or not at all");
    all += piece;
    more = *written;
  }
  return all;
}

void answer_query(const engine::StatePtr& state, std::string_view query,
                  const boost::json::object& variables) {
  namespace graphql = web::graphql;
  const auto plan = graphql::plan_query(query, variables, {});
  if (!plan)
    return promise(!plan.error().message.empty() && plan.error().line > 0, "a refusal says where");
  promise(plan->size() <= graphql::kPlacesMax, "a plan is bounded");
  MemoryBudget memory;
  const testing::ManualClock clock;
  graphql::Answers answers(memory, clock, {.bytes_max = 256 << 10});
  auto body = answers.of(state, *plan, {});
  if (!body) return promise(body.error().code == Errc::invalid_input, "the query is to blame");
  const std::string answer = content_of(*std::move(body));
  promise(answer == in_pieces_of(7, state->graph, *plan),
          "an answer does not depend on its pieces");
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(answer, error);
  promise(!error && value.is_object() && value.get_object().contains("data"),
          "an answer is JSON with data");
  static_cast<void>(value);
}

// A query as it is, or in a request of JSON.
void read_query(const engine::StatePtr& state, std::string_view input) {
  answer_query(state, input, {});
  const auto request = parse_object(input);
  if (!request) return;
  const auto* const query = request->if_contains("query");
  const auto* const variables = request->if_contains("variables");
  if (query == nullptr || !query->is_string()) return;
  answer_query(state, query->get_string(),
               variables != nullptr && variables->is_object() ? variables->get_object()
                                                              : boost::json::object());
}

Target graphql_target() {
  return {
      "graphql",
      {R"(query Q($n: String = "urn:b") {
            nodes(name: $n) {id name owners {id} linksA {nodeB {id connectedOwners {name}}}
                             linksB {id} properties {name value}}})",
       R"({first: node(id: "urn:a") {...names owners {id}} # a comment
           second: links {nodeA {id @skip(if: true) linksA {nodeB {id}}}} institutions {name}}
          fragment names on NodeType {id ... on NodeType {name} ... {longitude latitude}})",
       R"({__schema {queryType {name}
                     types {...t fields {name args {name type {...t}} type {...t}}}}
           __type(name: "NodeType") {name}} fragment t on __Type {kind name ofType {kind name}})",
       R"({"query": "query($n: ID, $x: Boolean) {nodes(id: $n) {id @include(if: $x)}}",)"
       R"( "variables": {"n": "urn:a", "x": true}})"},
      between_bars(R"({|}|(|)|...|... on NodeType {|id|name|linksA|linksB|nodeA|nodeB|owners|nodes)"
                   R"(|connectedOwners|links|institutions|{id}|linksA {nodeB {id}}|a: |...names|$n)"
                   R"(|fragment f on NodeType {|...f|__typename|@skip(if: true)|"|"urn:a"|\u0041)"
                   R"(|ofType|fields|null|[|!|-1e9|properties {value}|# x)"),
      [state = small_state()](std::string_view input) { read_query(state, input); },
      16 << 10};
}

std::vector<Target> targets() {
  const std::string fields =
      R"({"name": "x", "start": "2024-01-01T00:00:00Z", "latitude": "1.5", "number": 3,)"
      R"( "list": [1, "2"]})";
  return {
      {"control",
       {R"({"name": "x", "note": null, "flag": true, "numbers": [1, 2], "list": [{"a": "\u00e9"}]})",
        R"({"name": "x", "hostname": "peer.example", "port": 443, "protocol": "https", "token": "t",)"
        R"( "path": "/x/", "active": false})"},
       {"{", "}", "[[[[", "]", "\"", "\\ud800", "1e999", "null", ",", "-1", "18446744073709551616",
        "true", "\"numbers\": ["},
       read_control_body},
      graphql_target(),
      {"fields",
       {fields, "name=x&start=2024-01-01&list=1&list=2&latitude=%2D1.5"},
       {"{", "[[[[[", "\"", "&", "%", "=", "1e99", "-", "--b\r\n", "\xc3"},
       read_fields},
      {"cron",
       {"*/5 1-4,7 1 R 1#2", "0 0 31 2 *", "R R * * *", "R(0-29) * * * *", "15,45 2 * mar sun",
        "0 12 L * mon-fri 30", "0 6 * * SUN#5", "10-50/20 */6 29 * *", "59 23 31 12 * 59"},
       {"*", "/", "-", ",", "R", "#", "L", "0", "99999999999", "jan", " ", "7", "59", "1-5", "*/3",
        "sun", "31", "29 2", "R(5-9)"},
       read_schedule},
      {"toml",
       {"data = \"/x\" # c\nlisten = ['a', \"b\\n\"]\ntest-mode = true\n",
        "limit = [\n  'x=1', # one\n  \"y=\\\"2\",\n]\r\n\"key\" = -12\n"},
       {"\"",   "'",   "[", "]",   "=",   "#",          "\n",   "\\",
        "true", "1_0", ",", "\r",  "\t",  "\\u0001",    "'''",  "\"\"\"",
        ".",    "{",   "}", "1.5", "0xf", "2000-01-01", "\xc3", "\x7f"},
       read_config},
  };
}

}  // namespace
}  // namespace netml::admin

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::admin::targets());
}

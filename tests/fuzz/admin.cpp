// Bodies of the control API and of forms, schedules, and the file of --config.
#include <boost/json.hpp>

#include "admin/cli/config_file.hpp"
#include "admin/functional/field_values.hpp"
#include "admin/functional/forms.hpp"
#include "admin/services/cron_schedule.hpp"
#include "admin/src/control_requests.hpp"
#include "admin/src/json.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/ports.hpp"

namespace netml::admin {
namespace {

using fuzz::Target;

void read_control_body(std::string_view input) {
  const net::Handler handler =
      with_body([](const net::Request&, const boost::json::object& body) -> Result<net::Response> {
        NETML_TRY(const std::string name, text_of(body, "name"));
        static_cast<void>(name.size());
        return no_content();
      });
  net::Answer answer = handler(net::Request{});
  auto* const sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer);
  NETML_ASSERT(sink != nullptr);
  for (std::string_view rest = input; !rest.empty();) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 1 + rest.size() / 3);
    if ((*sink)->write(rest.substr(0, size))) return;
    rest.remove_prefix(size);
  }
  static_cast<void>((*sink)->finish().status);
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

void read_schedule(std::string_view input) {
  const auto schedule = CronSchedule::parse(input);
  if (!schedule) return;
  testing::SeededRandom random;
  static_cast<void>(schedule->next_run(Instant{1700000000}, random).has_value());
}

std::vector<Target> targets() {
  const std::string fields =
      R"({"name": "x", "start": "2024-01-01T00:00:00Z", "latitude": "1.5", "number": 3,)"
      R"( "list": [1, "2"]})";
  return {
      {"control",
       {R"({"name": "x", "list": [1, null, {"a": "\u00e9"}]})"},
       {"{", "}", "[[[[", "]", "\"", "\\ud800", "1e999", "null", ","},
       read_control_body},
      {"fields",
       {fields, "name=x&start=2024-01-01&list=1&list=2&latitude=%2D1.5"},
       {"{", "[[[[[", "\"", "&", "%", "=", "1e99", "-", "--b\r\n", "\xc3"},
       read_fields},
      {"schedule",
       {"*/5 1-4,7 1 R 1#2", "0 0 31 2 *", "R R * * *"},
       {"*", "/", "-", ",", "R", "#", "L", "0", "99999999999", "jan", " "},
       read_schedule},
      {"config",
       {"data = \"/x\" # c\nlisten = ['a', \"b\\n\"]\ntest-mode = true\n"},
       {"\"", "'", "[", "]", "=", "#", "\n", "\\", "true", "1_0"},
       [](std::string_view input) {
         static_cast<void>(cli::parse_config(input, "file").has_value());
       }},
  };
}

}  // namespace
}  // namespace netml::admin

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::admin::targets());
}

// What the site refuses, the command line refuses in the same words: both ask one node for the
// same thing. Where the site names the field of a form, the words before the colon are that name.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/admin/support/site_control.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using test::institution;
using test::link;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;
using testing::SiteControl;

// One node, asked by an administrator's browser and by the command line.
class BothWays {
 public:
  BothWays() {
    site.add_account("root", engine::Role::admin);
    browser.sign_in("root");
    browser.confirm();
    cli.environment.connect = SiteControl::of(site);
    cli.environment.in_line = []() -> Result<std::string> { return "short"; };
  }

  static std::string coast() {
    return TopologyText("urn:coast", "urn:i")
        .named("Coast")
        .add(institution("urn:i").named("Harbour"))
        .add(node("urn:a").owned_by("urn:i"));
  }
  // As the plan that the site makes of it first.
  Reply upload(const std::string& file, const std::string& name = "map.xml",
               const std::string& parent = "") {
    Browser::FormFields fields{{"plan", "true"}};
    if (!parent.empty()) fields.emplace_back("parent", parent);
    return browser.upload(file, fields, name);
  }
  std::string plan(const std::string& file) {
    const Reply planned = upload(file);
    EXPECT_EQ(planned.status, 202) << planned.body;
    return json::serialize(planned.json().at("plan").at("id"));
  }
  // By command, so that the tests below need not wait for a queue.
  void import(const std::string& file) {
    EXPECT_EQ(cli.run({"import", cli.file("import.xml", file)}), 0) << cli.err;
  }
  std::uint64_t number_of(Kind kind, std::string_view id) {
    const engine::Graph& graph = site.state()->graph;
    return graph.number(graph.find_newest(kind, id)).value;
  }

  OpenSite site;
  Browser browser{site};
  cli::test::CommandLineRunner cli;
};

struct Refusal {
  std::string name;
  std::function<Reply(BothWays&)> site;
  std::function<std::vector<std::string>(BothWays&)> command;
  std::function<void(BothWays&)> before = [](BothWays&) {};
};

// Without the name of a field before it.
std::string without_field(std::string text) {
  const std::size_t colon = text.find(": ");
  const bool field = colon != std::string::npos &&
                     std::ranges::all_of(text.substr(0, colon),
                                         [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
  return field ? text.substr(colon + 2) : text;
}

// The last line is the refusal, those before it are errors of a file with their places. A file is
// named as it was given: on the site by its name alone.
std::string refusal_of(std::string err, const std::string& directory) {
  for (std::size_t at = err.find(directory + '/'); at != err.npos; at = err.find(directory + '/'))
    err.erase(at, directory.size() + 1);
  const std::string_view begin = "netml: ";
  const std::size_t place = err.rfind(begin);
  if (place == std::string::npos) return "(not refused) " + err;
  return err.substr(place + begin.size(), err.find('\n', place) - place - begin.size());
}

std::string_view half_a_rule() {
  return R"([{"name": "mine", "rules": [{"name": "half", "enabled": false, "actions": [],
    "match_criteria": [{"match_type": "Match Nodes by ID",
                        "matchinfo_set": [{"key": "ID", "value": "urn:a"}]}]}]}])";
}

using Command = std::vector<std::string>;

Refusal of_file(std::string name, const std::string& content, const std::string& file = "map.xml") {
  return {
      std::move(name), [=](BothWays& both) { return both.upload(content, file); },
      [=](BothWays& both) { return Command{"import", both.cli.file(file, content), "--plan"}; }};
}

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "<grenml:Topology>";
  return text;
}

std::vector<Refusal> refused_imports() {
  const std::string far = BothWays::coast();
  std::string loop = TopologyText("urn:coast", "urn:i")
                         .add(institution("urn:i"))
                         .add(node("urn:a").owned_by("urn:i"))
                         .add(link("urn:l", "urn:a", "urn:a").owned_by("urn:i"));
  std::string north = TopologyText("urn:coast", "urn:i")
                          .add(institution("urn:i"))
                          .add(node("urn:a").owned_by("urn:i").location(
                              "<grenml:long>0</grenml:long><grenml:lat>91</grenml:lat>"));
  const std::string deep =
      "<grenml:Topology xmlns:grenml=\"http://schemas.ogf.org/nml/2020/01/grenml\">";
  return {
      of_file("AFileThatIsNoXml", "this is no map"),
      of_file("ANodeBeyondThePole", north),
      of_file("ALinkWithOneEndTwice", loop),
      of_file("AFileBeyondALimit", deep + nested(2000)),
      of_file("AFileOfAnotherKind", "text", "notes.txt"),
      of_file("ASpreadsheetWithoutATopologyName", "PK", "map.xlsx"),
      {"AnUnknownParent", [=](BothWays& both) { return both.upload(far, "map.xml", "4242"); },
       [=](BothWays& both) {
         return Command{"import", both.cli.file("map.xml", far), "--parent", "4242"};
       }},
  };
}

std::vector<Refusal> refused_plans() {
  const auto hold = [](BothWays& both) {
    EXPECT_EQ(both.plan(BothWays::coast()), "1");
    both.import(BothWays::coast());
  };
  return {
      {"AStalePlan", [](BothWays& both) { return both.browser.post("plans/1/apply"); },
       [](BothWays&) { return Command{"apply", "1"}; }, hold},
      {"AnUnknownPlanApplied", [](BothWays& both) { return both.browser.post("plans/7/apply"); },
       [](BothWays&) { return Command{"apply", "7"}; }},
      {"AnUnknownPlanShown", [](BothWays& both) { return both.browser.get("plans/7"); },
       [](BothWays&) { return Command{"plan", "show", "7"}; }},
      {"AnUnknownPlanMadeAgain", [](BothWays& both) { return both.browser.post("plans/7/again"); },
       [](BothWays&) { return Command{"plan", "again", "7"}; }},
      {"AnUnknownPlanDeleted", [](BothWays& both) { return both.browser.del("plans/7"); },
       [](BothWays&) { return Command{"plan", "delete", "7"}; }},
  };
}

std::vector<Refusal> refused_undoing() {
  const auto undo = [](std::string name, std::string lsn) {
    return Refusal{std::move(name),
                   [=](BothWays& both) { return both.browser.post("activity/" + lsn + "/undo"); },
                   [=](BothWays&) { return Command{"undo", lsn}; }};
  };
  Refusal blocked{"AnUndoOfWhatWasChangedSince", {}, {}};
  blocked.before = [](BothWays& both) {
    both.import(BothWays::coast());
    const std::string path = "nodes/" + std::to_string(both.number_of(Kind::node, "urn:a"));
    for (const char* name : {"first", "second"}) {
      json::object fields = both.browser.get(path).json().as_object();
      fields["name"] = name;
      EXPECT_EQ(both.browser.put(path, fields).status, 200);
    }
  };
  const auto last_but_one = [](BothWays& both) {
    return std::to_string(both.site.state()->lsn.value - 1);
  };
  blocked.site = [=](BothWays& both) {
    return both.browser.post("activity/" + last_but_one(both) + "/undo");
  };
  blocked.command = [=](BothWays& both) { return Command{"undo", last_but_one(both)}; };
  return {blocked, undo("AnUndoOfWhatIsNotThere", "4242"), undo("AnUndoOfNothing", "0")};
}

std::vector<Refusal> refused_access() {
  const auto twice = [](BothWays& both) {
    EXPECT_EQ(both.browser.post("tokens", {{"name", "peer"}, {"type", "polling"}}).status, 201);
  };
  const auto token = [](const char* name) {
    return [=](BothWays& both) {
      return both.browser.post("tokens", {{"name", name}, {"type", "polling"}});
    };
  };
  const auto user = [](const char* name, const char* password) {
    return [=](BothWays& both) {
      return both.browser.post("accounts",
                               {{"name", name}, {"password", password}, {"role", "viewer"}});
    };
  };
  const auto set = [](const char* key, const char* value) {
    return [=](BothWays& both) {
      return both.browser.put(std::string("settings/") + key, {{"value", value}});
    };
  };
  const auto create_user = [](const char* name) {
    return [=](BothWays&) {
      return Command{"user", "create", name, "--role", "viewer", "--password-stdin"};
    };
  };
  return {
      {"ATokenOfANameThatIsTaken", token("peer"),
       [](BothWays&) { return Command{"token", "create", "peer", "--kind", "polling"}; }, twice},
      {"AnAccountOfANameThatIsTaken", user("root", testing::kPassword), create_user("root"),
       [](BothWays& both) {
         both.cli.environment.in_line = []() -> Result<std::string> { return testing::kPassword; };
       }},
      {"AShortPassword", user("new", "short"), create_user("new")},
      {"AnUnknownSetting", set("NO_SUCH", "1"),
       [](BothWays&) { return Command{"setting", "set", "NO_SUCH", "1"}; }},
      {"AValueThatASettingCannotHave", set("GREN_MAP_INITIAL_MAP_ZOOM", "99"),
       [](BothWays&) { return Command{"setting", "set", "GREN_MAP_INITIAL_MAP_ZOOM", "99"}; }},
      {"APlaceThatASettingCannotHave", set("GREN_MAP_INITIAL_COORDINATES", "91, 0"),
       [](BothWays&) {
         return Command{"setting", "set", "GREN_MAP_INITIAL_COORDINATES", "91, 0"};
       }},
  };
}

std::vector<Refusal> refused_sources() {
  const auto source = [](const char* name, const char* host) {
    return [=](BothWays& both) {
      return both.browser.post("sources", {{"name", name}, {"hostname", host}, {"token", "t"}});
    };
  };
  const auto add = [](const char* name, const char* host) {
    return [=](BothWays& both) {
      both.cli.environment.in_line = []() -> Result<std::string> { return "t"; };
      return Command{"source", "add", name, "--host", host, "--token-stdin"};
    };
  };
  return {
      {"ASourceOfANameThatIsTaken", source("garr", "garr.example.org"),
       add("garr", "garr.example.org"),
       [](BothWays& both) {
         EXPECT_EQ(both.browser
                       .post("sources",
                             {{"name", "garr"}, {"hostname", "other.example.org"}, {"token", "t"}})
                       .status,
                   201);
       }},
      {"ASourceWithAnAddressThatIsNone", source("garr", "not a host"), add("garr", "not a host")},
      {"ASourceWithoutAName", source("", "garr.example.org"), add("", "garr.example.org")},
  };
}

std::vector<Refusal> refused_rules() {
  const auto import = [](std::string name, std::string file) {
    return Refusal{
        std::move(name),
        [=](BothWays& both) { return both.browser.send(Method::post, "rulesets/import", file); },
        [=](BothWays& both) {
          return Command{"rules", "import", both.cli.file("rules.json", file)};
        }};
  };
  return {
      import("RulesThatAreNoJson", "[}"),
      import("RulesThatAreNoList", "{}"),
      {"ARuleThatLacksSomething",
       [](BothWays& both) {
         const json::value sets = both.browser.get("rulesets?limit=1000").json();
         for (const json::value& set : sets.at("items").as_array())
           for (const json::value& rule : set.at("rules").as_array())
             if (rule.at("name") == "half")
               return both.browser.post("rules/" + json::serialize(rule.at("number")) + "/apply");
         return Reply{};
       },
       [](BothWays&) { return Command{"rules", "apply", "--rule", "half"}; },
       [](BothWays& both) {
         EXPECT_EQ(
             both.browser.send(Method::post, "rulesets/import", std::string(half_a_rule())).status,
             200);
       }},
  };
}

std::vector<Refusal> refused_publishing() {
  const auto publish = [](const char* name) {
    return [=](BothWays& both) {
      return both.browser.post("publications", {{"name", name}, {"description", "d"}});
    };
  };
  const auto command = [](const char* name) {
    return [=](BothWays&) { return Command{"publish", name, "--description", "d"}; };
  };
  return {
      {"PublishingAfterTheInstitutionThatOwnedTheNetworkWasDeleted", publish("edition"),
       command("edition"),
       [](BothWays& both) {
         both.import(BothWays::coast());
         const std::uint64_t owner = both.number_of(Kind::institution, "urn:i");
         EXPECT_EQ(both.browser.del("institutions/" + std::to_string(owner)).status, 204);
       }},
      {"PublishingAnEmptyMap", publish("edition"), command("edition")},
      {"PublishingWithoutAName", publish(""), command("")},
      {"APublicationThatIsNotThere",
       [](BothWays& both) { return both.browser.get("publications/7"); },
       [](BothWays&) { return Command{"published", "show", "7"}; }},
  };
}

std::vector<Refusal> refused_points_in_time() {
  const auto at = [](std::string name, const std::string& when) {
    return Refusal{std::move(name),
                   [=](BothWays& both) { return both.browser.get("nodes?at=" + when); },
                   [=](BothWays&) { return Command{"export", "--at", when}; }};
  };
  return {at("APointInTimeThatIsNone", "nonsense"), at("ALsnThatIsNotThereYet", "4242"),
          at("AnImportThatIsNotThere", "import:7")};
}

std::vector<Refusal> all_refusals() {
  std::vector<Refusal> all;
  for (auto* some : {refused_imports, refused_plans, refused_undoing, refused_access,
                     refused_sources, refused_rules, refused_publishing, refused_points_in_time})
    std::ranges::move(some(), std::back_inserter(all));
  return all;
}

// For what the names of the tests would be followed by.
void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, AreTheSameOnTheSiteAndOnTheCommandLine) {
  BothWays both;
  GetParam().before(both);
  const Reply refused = GetParam().site(both);
  ASSERT_GE(refused.status, 400) << refused.body;
  const json::value error = refused.json().at("error");
  EXPECT_NE(both.cli.run(GetParam().command(both)), 0) << both.cli.out;
  EXPECT_EQ(without_field(refusal_of(both.cli.err, both.cli.directory())),
            without_field(std::string(error.at("message").as_string())));
  const auto* places = error.as_object().if_contains("errors");
  if (places == nullptr) return;
  for (const json::value& place : places->as_array())
    EXPECT_NE(both.cli.err.find(std::string(place.at("message").as_string())), std::string::npos)
        << both.cli.err;
}

TEST(CommandLineImport, TakesAParentByItsNumber) {
  BothWays both;
  both.import(BothWays::coast());
  const std::string parent = "#" + std::to_string(both.number_of(Kind::topology, "urn:coast"));
  const std::string island = TopologyText("urn:island", "urn:j").add(institution("urn:j"));
  EXPECT_EQ(both.cli.run({"import", both.cli.file("map.xml", island), "--parent", parent}), 0)
      << both.cli.err;
  const engine::Graph& graph = both.site.state()->graph;
  EXPECT_EQ(graph.relations(graph.find_newest(Kind::topology, "urn:island")).parent(),
            graph.find_newest(Kind::topology, "urn:coast"));
}

INSTANTIATE_TEST_SUITE_P(Of, Refusals, ::testing::ValuesIn(all_refusals()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace netml::admin

#include "admin/cli/commands/data_commands.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/input_errors.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/map_files.hpp"
#include "admin/cli/commands/parquet_export.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "bench/generator/generator.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/time.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

// ---- import ----

struct ImportOptions {
  std::string file;
  std::optional<std::string> parent;
  std::optional<std::string> topology_name;
  std::optional<std::string> date;  // RFC 3339
  std::optional<std::string> actor;
  std::string format;
  std::optional<std::string> owner;
  std::vector<std::string> map;  // HEADING=FIELD
  std::optional<std::string> update;
  std::optional<std::string> mapping;
  bool root = false;
  bool dry_run = false;
  bool plan = false;
};

constexpr const char* kFormat = "--format";  // of a file that is read
constexpr const char* kFormatHelp = "Its format; else what its content and name tell";

// The node knows a file by its name; where its content says another thing, the format is named to
// it. A name that no file has that can be imported it refuses in its own words.
Result<std::optional<std::string>> format_to_name(const ImportOptions& options,
                                                  const InputFile& file) {
  if (!options.format.empty()) return options.format;
  const codecs::FileFormat* const called = codecs::format_of(file.name());
  auto format = format_of_file(file, {}, kFormat);
  if (!format && called != nullptr) return tl::unexpected(std::move(format.error()));
  if (!format || *format == called) return std::nullopt;
  return std::string((*format)->name);
}

ControlRequest import_request(const ImportOptions& options, const InputFile& file,
                              const std::optional<std::string>& format) {
  Target target = api("node/import");
  target.query("name", file.name())
      .query("parent", options.parent)
      .query("topology_name", options.topology_name)
      .query("format", format)
      .query("owner", options.owner)
      .query("map", map_text(options.map))
      .query("update", options.update)
      .query("mapping", options.mapping)
      .flag("root", options.root)
      .flag("dry_run", options.dry_run)
      .flag("plan", options.plan)
      .query("date", options.date)
      .query("actor", options.actor);
  return {.method = "POST",
          .target = target.text(),
          .body = {},
          .body_file = file.path(),
          .server_may_open = true,
          .only_asks = options.dry_run};
}

// ---- export and generate: where a file goes ----

std::string file_json(const OutputFile& file, std::string_view rest) {
  return fmt::format(R"({{"file":{},"bytes":{}{}}})", json_string(file.path()), file.bytes(), rest);
}

CommandOutcome generate_into(const generator::GeneratorOptions& tree, const BodySink& sink,
                             generator::GeneratedCounts& counts) {
  Status written;
  const auto result = generator::generate(tree, [&](std::string_view piece) {
    written = sink(piece);
    return written.has_value();
  });
  NETML_TRY_VOID(std::move(written));
  NETML_ASSERT(result.has_value());  // only the sink stops it
  counts = *result;
  return {};
}

// ---- validate ----

std::string warnings_json(const engine::Document& document) {
  std::string text = "[";
  for (const engine::DocumentNote& note : document.notes) {
    if (!note.warning) continue;
    if (text.size() > 1) text += ',';
    text += json_string(note.text);
  }
  return text + ']';
}

struct ElementCounts {
  std::size_t topologies = 0;
  std::size_t institutions = 0;
  std::size_t nodes = 0;
  std::size_t links = 0;
};

// As the file lists them: what several topologies list counts in each.
ElementCounts count_elements(const engine::Document& document) {
  ElementCounts counts{.topologies = document.topologies.size()};
  for (const engine::DocumentTopology& topology : document.topologies) {
    counts.institutions += document.institutions(topology).size();
    counts.nodes += document.nodes(topology).size();
    counts.links += document.links(topology).size();
  }
  return counts;
}

CommandOutcome print_valid(const std::string& file, const engine::Document& document,
                           Client& client) {
  const ElementCounts counts = count_elements(document);
  client.set_result(fmt::format(
      R"({{"file":{},"valid":true,"counts":{{"topologies":{},"institutions":{},"nodes":{},"links":{}}},"warnings":{},"errors":[],"error_count":0}})",
      json_string(file), counts.topologies, counts.institutions, counts.nodes, counts.links,
      warnings_json(document)));
  if (client.json()) return {};
  for (const engine::DocumentNote& note : document.notes)
    if (note.warning) client.tell(fmt::format("{}: Warning: {}", file, note.text));
  if (const std::uint64_t count = document.notes.left_out(true); count > 0)
    client.tell(fmt::format("{}: {} more warnings", file, count));
  return client.print(printable_line(
      fmt::format("{} is valid: {}, {}, {}, {}", file, counted(counts.topologies, "topology"),
                  counted(counts.institutions, "institution"), counted(counts.nodes, "node"),
                  counted(counts.links, "link"))));
}

// An import that the mass-deletion guard held is a plan now.
Failure advised_if_held(Failure failure) {
  const auto answer = JsonValue::parse(failure.answer);
  const std::uint64_t plan = answer ? answer->number("plan") : 0;
  if (plan != 0)
    failure.message += fmt::format(
        "; `netml plan show {0}` tells what it would do, `netml apply {0}` does it", plan);
  return failure;
}

}  // namespace

std::string move_lines(const JsonValue& answer) {
  std::string text;
  for (const JsonValue& move : answer.at("moves").items())
    text += printable_line(move.text("text"));
  return text;
}

CommandOutcome print_import(const JsonValue& answer, const Client& client) {
  std::string log = printable_lines(answer.text("log"));
  if (!log.empty() && log.back() != '\n') log += '\n';
  NETML_TRY_VOID(client.print(move_lines(answer) + log));
  const std::string changes =
      fmt::format("{} created, {} updated, {} deleted", answer.number("created"),
                  answer.number("updated"), answer.number("deleted"));
  const std::string held = printable(answer.text("held_because"));
  if (answer.flag("dry_run"))
    client.tell("dry run, nothing was changed: " + changes +
                (held.empty() ? "" : "; the import would be held as a plan: " + held));
  else if (const std::uint64_t plan = answer.number("plan"); plan != 0)
    client.tell(fmt::format("plan {}, nothing was changed: {}", plan, changes));
  else
    client.tell(fmt::format("import {} at LSN {}: {}", answer.number("record"),
                            answer.number("lsn"), changes));
  return {};
}

namespace {

CommandOutcome import_file(const ImportOptions& options, Client& client) {
  // What it would change of a map that is not there is no answer. A plan is kept, as an import is.
  client.open_to(options.dry_run ? Access::find : Access::use);
  NETML_TRY(const InputFile file, InputFile::open(options.file));
  NETML_TRY(const auto format, format_to_name(options, file));
  Watch watch(client, {"sending", "importing"}, file.bytes());
  auto response = client.call(import_request(options, file, format), {}, watch.progress());
  watch.finish();
  if (response) {
    client.set_result(response->body);
    NETML_TRY(const JsonValue answer, JsonValue::parse(response->body));
    return client.json() ? CommandOutcome() : print_import(answer, client);
  }
  Failure& failure = response.error();
  if (failure.code != ExitCode::invalid_file)
    return tl::make_unexpected(advised_if_held(std::move(failure)));
  NETML_TRY(const JsonValue answer, JsonValue::parse(failure.answer));
  return invalid_file(file.shown(), parse_errors(answer), client, std::move(failure.answer));
}

// ---- export ----

void tell_about(const ControlResponse& response, Client& client) {
  client.tell("X-NetML-Head: " + response.head);
  if (!response.omitted.empty()) client.tell("omitted: " + response.omitted);
}

struct ExportOptions {
  std::optional<std::string> output;  // absent or "-": standard output
  std::optional<std::string> topology;
  std::optional<std::string> format;
  std::optional<std::string> at;  // WHEN, as in docs/audit.md
  std::optional<std::string> columns;
  bool published = false;
  std::optional<std::string> parquet;  // a directory
  std::optional<std::string> since;
};

CommandOutcome export_file(const ExportOptions& options, Client& client) {
  if (options.parquet) return export_parquet(*options.parquet, options.since, client);
  if (options.at) client.open_to(Access::examine);
  Target target = api("node/export");
  target.query("topology", options.topology)
      .query("format", options.format)
      .query("at", options.at)
      .query("columns", options.columns)
      .flag("published", options.published);
  const ControlRequest wanted = request("GET", target);
  const std::string output = options.output.value_or(std::string(kStandardStream));
  if (output == kStandardStream) {
    NETML_TRY(const ControlResponse response, client.call(wanted, client.environment().out));
    tell_about(response, client);
    return {};
  }

  NETML_TRY(OutputFile file, OutputFile::create(output));
  Watch watch(client, {"written", "preparing"}, std::nullopt);
  const auto response = client.call(wanted, watch.into(file));
  watch.finish();
  if (!response) return tl::make_unexpected(response.error());
  NETML_TRY_VOID(file.commit());
  tell_about(*response, client);
  client.set_result(file_json(file, fmt::format(R"(,"head":{})", json_string(response->head))));
  return {};
}

// ---- validate ----

struct ValidateOptions {
  std::string file;
  std::string format;
};

CommandOutcome validate_file(const ValidateOptions& options, Client& client) {
  NETML_TRY(const InputFile file, InputFile::open(options.file));
  NETML_TRY(const codecs::FileFormat* const format, format_of_file(file, options.format, kFormat));
  // What is read whole is not counted.
  const bool counted_bytes = format->read == nullptr;
  Watch watch(client, {"read", "checking"},
              counted_bytes ? std::optional(file.bytes()) : std::nullopt);
  auto document = read_map(file, *format, {.limits = client.limits().files}, watch.progress());
  watch.finish();
  NETML_TRY(const codecs::ReadResult result, std::move(document));
  if (result) return print_valid(file.shown(), *result, client);
  const engine::InputErrors& errors = result.error();
  return invalid_file(file.shown(), errors, client,
                      fmt::format(R"({{"file":{},"valid":false,"errors":{},"error_count":{}}})",
                                  json_string(file.shown()), errors_json(errors), errors.count));
}

// ---- generate ----

struct GenerateOptions {
  generator::GeneratorOptions tree;
  std::optional<std::string> output;
};

CommandOutcome generate_file(const GenerateOptions& options, Client& client) {
  if (const auto problem = generator::problem_with(options.tree))
    return fail(ExitCode::usage, "these options contradict each other: " + *problem);
  generator::GeneratedCounts counts;
  const std::string output = options.output.value_or(std::string(kStandardStream));
  if (output == kStandardStream)
    return generate_into(options.tree, client.environment().out, counts);

  NETML_TRY(OutputFile file, OutputFile::create(output));
  Watch watch(client, {"written", "preparing"}, std::nullopt);
  NETML_TRY_VOID(generate_into(options.tree, watch.into(file), counts));
  watch.finish();
  NETML_TRY_VOID(file.commit());
  client.set_result(file_json(
      file, fmt::format(R"(,"topologies":{},"institutions":{},"nodes":{},"links":{})",
                        counts.topologies, counts.institutions, counts.nodes, counts.links)));
  if (client.json()) return {};
  client.tell(fmt::format("{}: {}, {}, {}, {}, {}", file.path(), human_size(file.bytes()),
                          counted(counts.topologies, "topology"),
                          counted(counts.institutions, "institution"),
                          counted(counts.nodes, "node"), counted(counts.links, "link")));
  return {};
}

// ---- the command line ----

std::string check_date(const std::string& text) {
  const auto date = parse_instant(text);
  if (!date) return "a date looks like 2024-03-01T12:00:00Z, not " + text;
  return date->seconds >= 0 ? "" : "history begins with 1970-01-01T00:00:00Z, after " + text;
}

std::string formats_written_whole() {
  std::string text;
  for (const codecs::FileFormat& format : codecs::file_formats())
    if (format.write != nullptr)
      text += fmt::format("{}{}: {}{}", text.empty() ? "" : ", ", format.name, format.article,
                          format.holds_topologies ? "" : " of one topology");
  return text;
}

void define_import(Grammar& grammar) {
  const auto import = grammar.add(grammar.app(),
                                  {"import", "Import a map and print the import log",
                                   "netml import map.xml --parent urn:example:network --dry-run"},
                                  import_file);
  import.app->add_option("FILE", import.options->file, "File to import; - for standard input")
      ->required();
  import.app->add_option(kFormat, import.options->format, kFormatHelp)
      ->check(CLI::IsMember(codecs::read_formats()));
  auto* owner = import.app->add_option("--owner", import.options->owner,
                                       "Who owns what the file names no owner of");
  import.app->add_option("--mapping", import.options->mapping, kMappingHelp);
  auto* parent = import.app->add_option("--parent", import.options->parent,
                                        "Topology to import below: its id, or #NUMBER");
  auto* root = import.app->add_flag("--root", import.options->root, "Import to the top level")
                   ->excludes(parent);
  auto* name = import.app->add_option("--name", import.options->topology_name,
                                      "New name for the root topology of the file");
  add_map_option(*import.app, import.options->map);
  import.app
      ->add_option("--update", import.options->update,
                   "Topology whose elements get the values of the table: its id, or #NUMBER")
      ->excludes(parent, root, name, owner);
  auto* dry_run = import.app->add_flag("--dry-run", import.options->dry_run,
                                       "Say what would change, change nothing");
  auto* plan = import.app
                   ->add_flag("--plan", import.options->plan,
                              "The same, and keep it as a plan, to be looked at and applied later")
                   ->excludes(dry_run);
  import.app->add_option("--date", import.options->date, "When the change took effect (RFC 3339)")
      ->check(check_date)
      ->excludes(plan);
  import.app->add_option("--actor", import.options->actor, "Who imports, for the audit");
  import.app->footer(
      import.app->get_footer() +
      "\n\nWhat a file may demand is limited. netml status --help lists the limits, "
      "netml status\ntheir values;\n--limit NAME=NUMBER raises one, where the server is started "
      "if one runs.");
}

void define_export(Grammar& grammar) {
  const auto exported = grammar.add(
      grammar.app(), {"export", "Write the map as a file", "netml export -o map.xml"}, export_file);
  auto* output = exported.app
                     ->add_option("-o,--output", exported.options->output,
                                  "File to write (replaced when complete); else standard output")
                     ->type_name("FILE");
  auto* topology = exported.app->add_option("--topology", exported.options->topology,
                                            "Only this topology: its id, or #NUMBER");
  auto* published = exported.app->add_flag("--published", exported.options->published,
                                           "What was published last, not the live state");
  auto* at =
      exported.app->add_option("--at", exported.options->at, when_help())->excludes(published);
  auto* format = exported.app
                     ->add_option("--format", exported.options->format,
                                  "netml (default), or " + formats_written_whole())
                     ->check(CLI::IsMember(codecs::written_formats()));
  auto* columns = exported.app->add_option(
      "--columns", exported.options->columns,
      "Of csv these columns alone, with commas between, to be filled in for import --update");
  auto* parquet =
      exported.app
          ->add_option("--parquet", exported.options->parquet,
                       "Instead of the map its history, as Parquet files for analysis: a part "
                       "more in this directory, from where those that are there end")
          ->type_name("DIR")
          ->excludes(output, topology, published, at, format, columns);
  exported.app
      ->add_option("--since", exported.options->since,
                   "The part begins after this place in the journal, LSN or LSN:HASH")
      ->needs(parquet);
}

void define_validate(Grammar& grammar) {
  const auto [app, options] = grammar.add(
      grammar.app(), {"validate", "Check a file and list all its errors", "netml validate map.xml"},
      validate_file);
  app->add_option("FILE", options->file, "File to check; - for standard input")->required();
  app->add_option(kFormat, options->format, kFormatHelp)
      ->check(CLI::IsMember(codecs::read_formats()));
}

void define_generate(Grammar& grammar) {
  const auto [app, options] =
      grammar.add(grammar.app(),
                  {"generate", "Write a large test map, the same for the same options",
                   "netml generate --topologies 100 --nodes 500 --links 500 -o big.xml"},
                  generate_file);
  generator::GeneratorOptions& tree = options->tree;
  app->add_option("--topologies", tree.topologies, "Number of topologies")->required();
  app->add_option("--nodes", tree.nodes, "Nodes of each topology")->required();
  app->add_option("--links", tree.links, "Links of each topology")->required();
  app->add_option("--seed", tree.seed, "Another seed gives another map")->capture_default_str();
  app->add_option("--shared", tree.shared_percent,
                  "Percentage of the elements that a parent topology lists as well")
      ->capture_default_str();
  app->add_option("-o,--output", options->output, "File to write; else standard output")
      ->type_name("FILE");
}

}  // namespace

void define_maps(Grammar& grammar) {
  define_import(grammar);
  define_export(grammar);
  define_validate(grammar);
  define_generate(grammar);
}

}  // namespace netml::admin::cli

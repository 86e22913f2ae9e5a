// netml convert: a file of one format to another, without a node. It is an import into an empty map
// and an export of it, so that both ways mean the same.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/input_errors.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/commands/map_files.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "codecs/formats/draft/field_count.hpp"
#include "codecs/formats/loss_json.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin::cli {

namespace {

constexpr const char* kFrom = "--from";

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string from;
  std::string to;
  std::string name;
  std::string owner;
  std::vector<std::string> map;  // HEADING=FIELD
  std::string mapping;
  std::optional<std::string> loss;
};

Result<const codecs::FileFormat*> output_format(const ConvertOptions& options) {
  const codecs::FileFormat* const format = options.to.empty()
                                               ? codecs::format_to_write(options.output)
                                               : codecs::find_format(options.to);
  if (format != nullptr && format->is_written()) return format;
  return netml::fail(Errc::invalid_input,
                     fmt::format("what {} shall be is not known; name a format with --to: {}",
                                 options.output, fmt::join(codecs::written_formats(), ", ")));
}

// In a format that is written in pieces, or whole.
Result<codecs::WrittenFile> write_map(const engine::State& state, RecordId root,
                                      const codecs::FileFormat& format) {
  if (format.write != nullptr) return format.write(state.graph, root);
  auto tree = engine::export_tree(state.graph, root);
  if (!tree) return netml::fail(Errc::conflict, "a topology has no owner");
  codecs::WrittenFile file;
  codecs::NetmlWriter writer(state.graph, *std::move(tree));
  while (const auto piece = writer.next()) writer.write_part(*piece, file.bytes, std::string::npos);
  NETML_TRY(file.losses, codecs::exchange_losses(state.graph, root));
  return file;
}

void tell_losses(const engine::LossList& losses, std::string_view what, Client& client) {
  if (losses.present() == 0) return;
  client.tell(fmt::format("{}: {} present, {} carried, {} lost", what,
                          counted(losses.present(), "field"), losses.carried(), losses.lost()));
  for (const std::string& text : losses.texts()) client.tell(printable("lost " + text));
}

CommandOutcome write_file(const std::string& path, std::string_view bytes, Client& client) {
  if (path == kStandardStream) {
    NETML_TRY_VOID(client.environment().out(bytes));
    return {};
  }
  NETML_TRY(OutputFile file, OutputFile::create(path));
  NETML_TRY_VOID(file.write(bytes));
  NETML_TRY_VOID(file.commit());
  return {};
}

tl::unexpected<Failure> refused(const InputFile& file, const engine::InputErrors& errors,
                                const Client& client) {
  return invalid_file(file.shown(), errors, client,
                      fmt::format(R"({{"file":{},"errors":{},"error_count":{}}})",
                                  json_string(file.shown()), errors_json(errors), errors.count));
}

CommandOutcome convert_file(const ConvertOptions& options, Client& client) {
  NETML_TRY(const codecs::FileFormat* const to, output_format(options));
  NETML_TRY(const InputFile input, InputFile::open(options.input));
  NETML_TRY(const codecs::FileFormat* const from, format_of_file(input, options.from, kFrom));
  NETML_TRY(codecs::HeadingMap headings,
            codecs::HeadingMap::parse(map_text(options.map).value_or("")));
  if (!headings.empty() && from->read_update == nullptr)
    return netml::fail(
        Errc::invalid_input,
        fmt::format("--map: {} has no headings; CSV files and sheets have", from->article));
  NETML_TRY_VOID(codecs::check_mapping(*from, options.mapping));
  Watch watch(client, {"read", "converting"}, std::nullopt);
  NETML_TRY(const codecs::ReadResult document, read_map(input, *from,
                                                        {.topology_name = options.name,
                                                         .owner = options.owner,
                                                         .headings = std::move(headings),
                                                         .mapping = options.mapping,
                                                         .limits = client.limits().files},
                                                        watch.progress()));
  if (!document) return refused(input, document.error(), client);
  const engine::State empty;
  NETML_TRY(const engine::ImportPlan plan, engine::plan_import(empty, *document, {}));
  NETML_TRY(const engine::State state, engine::apply(empty, plan.transaction, Lsn{1}));
  NETML_TRY(const codecs::WrittenFile written, write_map(state, plan.root, *to));
  watch.finish();
  NETML_TRY_VOID(write_file(options.output, written.bytes, client));
  const std::string losses =
      fmt::format(R"({{"read":{},"written":{}}})", codecs::loss_json(document->losses),
                  codecs::loss_json(written.losses));
  if (options.loss) NETML_TRY_VOID(write_file(*options.loss, losses + '\n', client));
  client.set_result(fmt::format(R"({{"file":{},"from":"{}","to":"{}","bytes":{},"losses":{}}})",
                                json_string(options.output), from->name, to->name,
                                written.bytes.size(), losses));
  if (client.json()) return {};
  for (const engine::DocumentNote& note : document->notes)
    if (note.warning) client.tell(printable("Warning: " + note.text));
  tell_losses(document->losses, input.shown(), client);
  const bool to_stream = options.output == kStandardStream;
  tell_losses(written.losses, to_stream ? "standard output" : options.output, client);
  for (const std::string& text : written.omitted)
    if (written.losses.present() == 0) client.tell(printable("omitted: " + text));
  return {};
}

}  // namespace

void define_convert(Grammar& grammar) {
  const auto [app, options] =
      grammar.add(grammar.app(),
                  {"convert", "Write a map in another format, without a node",
                   "netml convert Abilene.graphml abilene.xml --loss losses.json"},
                  convert_file);
  app->add_option("IN", options->input, "File to read; - for standard input")->required();
  app->add_option("OUT", options->output, "File to write; - for standard output")->required();
  app->add_option(kFrom, options->from, "Format of IN; else what its content and name tell")
      ->check(CLI::IsMember(codecs::read_formats()));
  app->add_option("--to", options->to, "Format of OUT; else what its name tells")
      ->check(CLI::IsMember(codecs::written_formats()));
  app->add_option("--name", options->name, "Name of the network, instead of that in the file");
  app->add_option("--owner", options->owner, "Who owns what the file names no owner of");
  add_map_option(*app, options->map);
  app->add_option("--mapping", options->mapping, kMappingHelp);
  app->add_option("--loss", options->loss, "File for what was lost, as JSON")->type_name("FILE");
}

}  // namespace netml::admin::cli

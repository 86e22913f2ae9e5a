#include "codecs/formats/netbox/netbox_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_set.hpp>
#include <string>
#include <utility>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/netbox/netbox_fields.hpp"
#include "codecs/formats/netbox/netbox_map.hpp"
#include "codecs/formats/netbox/netbox_records.hpp"

namespace netml::codecs {

namespace netbox {
namespace {

// "dcim.site"; it becomes part of the paths of fields, so it is not just any text.
bool is_model(std::string_view text) {
  constexpr std::size_t kCharactersMax = 200;
  const auto is_part = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
  };
  const std::size_t dot = text.find('.');
  return text.size() <= kCharactersMax && dot != std::string_view::npos &&
         is_part(text.substr(0, dot)) && is_part(text.substr(dot + 1));
}

class DumpReader {
 public:
  DumpReader(const JsonTree& tree, const Mapping& mapping, const ReadLimits& limits)
      : tree_(tree), mapping_(mapping), errors_(limits.errors) {
    const auto pointer = [&tree](TextPosition at) { return tree.pointer(at); };
    errors_.name_places(pointer);
    draft_.name_places(pointer);
  }

  ReadResult read(const DraftOptions& options) && {
    const JsonValue root = tree_.root();
    if (!root.is_array()) report("no-dump", "a dump is a list of records", root);
    for (const JsonValue record : root.items()) read_record(record);
    tables_.seal();
    const std::string_view name = options.topology_name;
    draft_map(tables_, name.empty() ? options.file_name : name, mapping_, draft_);
    return std::move(draft_).take(options, std::move(errors_));
  }

 private:
  void report(std::string_view code, std::string_view message, JsonValue at) {
    errors_.report(code, message, at.position());
  }

  void read_record(JsonValue record) {
    const JsonValue model = record["model"];
    const JsonValue fields = record["fields"];
    if (!model.is_string() || !is_model(model.text()) || !fields.is_object())
      return report("no-record", "a record has a model, such as dcim.site, and fields", record);
    const Sort sort = sort_of(model.text());
    const Id id = id_of(record["pk"]);
    Named named{.at = record.position()};
    for (const auto& [name, value] : record.members()) {
      if (name == "fields" && value.position().column == fields.position().column)
        read_fields(sort, model.text(), fields, named);
      else
        read_field(sort, model.text(), fmt::format("@{}", name), value, named);
    }
    const std::string_view problem = add_record(sort, id, fields, std::move(named), tables_);
    if (!problem.empty())
      report("no-record", fmt::format("a {} is not as it must be: {}", model.text(), problem),
             record);
    if (sort != Sort::none && id != kNoId && !known_.insert({sort, id}).second)
      report("duplicate-id", fmt::format("there are two {} with the pk {}", model.text(), id),
             record);
  }

  void read_fields(Sort sort, std::string_view model, JsonValue fields, Named& named) {
    const std::string owner = fmt::format("{}.", model);
    if (fields.is_empty()) return lose(owner, "fields", fields);
    for (const auto& [name, value] : fields.members()) read_field(sort, owner, name, value, named);
  }

  // What has no row of its own, and lists where a word should be, are lost. `owner` is the
  // beginning of its row: "dcim.site." or, with a name such as "@pk", "dcim.site".
  void read_field(Sort sort, std::string_view owner, std::string_view name, JsonValue value,
                  Named& named) {
    if (!is_named(mapping_, sort)) return lose(owner, name, value);
    const FoundRule& rule = rules_.find(owner, name);
    const bool is_leaf = value.is_empty() || !(value.is_array() || value.is_object());
    if (!is_named(mapping_, rule) || !is_leaf) return lose(owner, name, value);
    named.fields.push_back({&rule, std::string(word_of(value)), value.position()});
  }

  void lose(std::string_view owner, std::string_view name, JsonValue value) {
    lost_.lose(owner, name, value, kNotNamed);
  }

  const JsonTree& tree_;
  const Mapping& mapping_;
  ErrorList errors_;
  MapDraft draft_;
  FieldRules rules_{kNetboxFields};
  JsonFields lost_{draft_, rules_};
  Tables tables_;
  boost::unordered_flat_set<std::pair<Sort, Id>> known_;
};

}  // namespace
}  // namespace netbox

ReadResult read_netbox(RandomAccessFile& file, const DraftOptions& options,
                       const netbox::Mapping& mapping, const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return netbox::DumpReader(tree, mapping, limits).read(options);
}

}  // namespace netml::codecs

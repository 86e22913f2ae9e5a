#include "codecs/formats/view_json.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "codecs/formats/json_fields.hpp"
#include "engine/base/lower_case.hpp"

namespace netml::codecs {

namespace json = boost::json;
using engine::Field;
using engine::KindSet;
using engine::View;
using engine::ViewSelection;
using engine::ViewStep;

namespace {

constexpr double kMicroOfDegree = 1e6;
constexpr std::array<std::string_view, kKindCount> kViewKinds{"topology", "institution", "node",
                                                              "link"};
constexpr std::array<std::string_view, 2> kCollapseWords{"site", "owner"};

template <std::size_t N>
using Members = std::array<std::string_view, N>;

// ---- parts of steps ----

Result<KindSet> read_kinds(const JsonFields& fields, KindSet otherwise) {
  NETML_TRY(const std::vector<std::string> words, fields.texts("kind"));
  if (words.empty()) return otherwise;
  KindSet kinds = 0;
  for (const std::string& word : words) {
    NETML_TRY(const std::size_t kind, fields.word("kind", kViewKinds, word));
    kinds = static_cast<KindSet>(kinds | engine::set_of(static_cast<Kind>(kind)));
  }
  return kinds;
}

Result<std::vector<Field>> read_fields(const JsonFields& fields, std::string_view name) {
  NETML_TRY(const std::vector<std::string> words, fields.texts(name));
  std::vector<Field> found;
  for (const std::string& word : words) {
    const std::size_t before = found.size();
    engine::for_each_attribute([&](const auto& attribute) {
      if (attribute.name == word) found.push_back(attribute.field);
    });
    if (found.size() == before)
      return wrong_json(fields.path_of(name), fmt::format("\"{}\" is no field", word));
  }
  return found;
}

// As they are stored.
Result<std::vector<std::string>> read_property_names(const JsonFields& fields) {
  NETML_TRY(std::vector<std::string> names, fields.texts("names"));
  for (std::string& name : names) name = engine::lower_case(name);
  return names;
}

Result<ViewSelection> read_view_selection(const JsonFields& fields) {
  NETML_TRY_VOID(fields.only(Members<6>{"kind", "owner", "topology", "id", "tag", "property"}));
  ViewSelection selection;
  NETML_TRY(selection.kinds, read_kinds(fields, engine::kAllKinds));
  NETML_TRY(selection.owners, fields.texts("owner"));
  NETML_TRY(selection.topologies, fields.texts("topology"));
  NETML_TRY(selection.ids, fields.texts("id"));
  if (fields.find("tag") != nullptr) {
    NETML_TRY(selection.tag, fields.needed_text("tag"));
  }
  if (fields.find("property") == nullptr) return selection;
  NETML_TRY(const JsonFields property, fields.object("property"));
  NETML_TRY_VOID(property.only(Members<2>{"name", "value"}));
  auto& named = selection.property.emplace();
  NETML_TRY(const std::string name, property.needed_text("name"));
  named.name = engine::lower_case(name);
  if (property.find("value") != nullptr) {
    NETML_TRY(named.value, property.text("value", {}));
  }
  return selection;
}

// One selection, or a list of them.
Result<std::vector<ViewSelection>> read_selections(const JsonFields& step, std::string_view name) {
  const json::value* const value = step.find(name);
  std::vector<ViewSelection> selections;
  if (value == nullptr || !value->is_array()) {
    NETML_TRY(const JsonFields one, step.object(name));
    NETML_TRY(selections.emplace_back(), read_view_selection(one));
    return selections;
  }
  for (std::size_t i = 0; i < value->get_array().size(); ++i) {
    const json::value& one = value->get_array()[i];
    const std::string path = fmt::format("{}.{}", step.path_of(name), i);
    if (!one.is_object()) return wrong_json(path, "must be an object");
    NETML_TRY(selections.emplace_back(),
              read_view_selection(JsonFields(one.get_object(), path + '.', "a selection")));
  }
  return selections;
}

// ---- steps ----

Result<ViewStep> read_keep(const JsonFields& step, std::string_view name) {
  NETML_TRY(std::vector<ViewSelection> any_of, read_selections(step, name));
  return engine::KeepStep{std::move(any_of)};
}

Result<ViewStep> read_drop(const JsonFields& step, std::string_view name) {
  NETML_TRY(std::vector<ViewSelection> any_of, read_selections(step, name));
  return engine::DropStep{std::move(any_of)};
}

Result<ViewStep> read_round(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<2>{"degrees", "kind"}));
  const json::value* const degrees = fields.find("degrees");
  if (degrees == nullptr || !degrees->is_number())
    return wrong_json(fields.path_of("degrees"), "must be a number");
  const double micro = degrees->to_number<double>() * kMicroOfDegree;
  engine::RoundStep round;
  if (micro >= 1 && micro <= static_cast<double>(engine::kGridMicroMax))
    round.grid = {std::llround(micro)};  // else none, which is wrong
  NETML_TRY(round.kinds, read_kinds(fields, engine::kPlaces));
  return round;
}

Result<ViewStep> read_properties(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<2>{"names", "kind"}));
  engine::PropertiesStep properties;
  properties.keep = name == "keep_properties";
  NETML_TRY(properties.names, read_property_names(fields));
  NETML_TRY(properties.kinds, read_kinds(fields, engine::kAllKinds));
  return properties;
}

Result<ViewStep> read_rename(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<3>{"from", "to", "kind"}));
  engine::RenamePropertyStep rename;
  NETML_TRY(const std::string from, fields.needed_text("from"));
  NETML_TRY(const std::string to, fields.needed_text("to"));
  rename.from = engine::lower_case(from);
  rename.to = engine::lower_case(to);
  NETML_TRY(rename.kinds, read_kinds(fields, engine::kAllKinds));
  return rename;
}

Result<ViewStep> read_drop_fields(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<2>{"names", "kind"}));
  engine::DropFieldsStep drop;
  NETML_TRY(drop.fields, read_fields(fields, "names"));
  NETML_TRY(drop.kinds, read_kinds(fields, engine::kAllKinds));
  return drop;
}

Result<ViewStep> read_collapse(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<1>{"to"}));
  NETML_TRY(const std::string to, fields.needed_text("to"));
  NETML_TRY(const std::size_t word, fields.word("to", kCollapseWords, to));
  return engine::CollapseStep{word == 0 ? engine::CollapseTo::site : engine::CollapseTo::owner};
}

Result<ViewStep> read_pseudonyms(const JsonFields& step, std::string_view name) {
  NETML_TRY(const JsonFields fields, step.object(name));
  NETML_TRY_VOID(fields.only(Members<3>{"fields", "kind", "key"}));
  engine::PseudonymStep pseudonyms;
  NETML_TRY(pseudonyms.fields, read_fields(fields, "fields"));
  NETML_TRY(pseudonyms.kinds, read_kinds(fields, engine::kAllKinds));
  NETML_TRY(pseudonyms.key, fields.needed_text("key"));
  return pseudonyms;
}

struct StepReader {
  std::string_view name;
  Result<ViewStep> (*read)(const JsonFields& step, std::string_view name);
};
constexpr std::array<StepReader, 9> kStepReaders{{{"keep", read_keep},
                                                  {"drop", read_drop},
                                                  {"round", read_round},
                                                  {"keep_properties", read_properties},
                                                  {"drop_properties", read_properties},
                                                  {"rename_property", read_rename},
                                                  {"drop_fields", read_drop_fields},
                                                  {"collapse", read_collapse},
                                                  {"pseudonyms", read_pseudonyms}}};

// An object with one member, which says what is done.
Result<ViewStep> read_step(const json::value& value, const std::string& path) {
  std::array<std::string_view, kStepReaders.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kStepReaders[i].name;
  if (!value.is_object() || value.get_object().size() != 1)
    return wrong_json(path, "must be an object with one member, which says what is done");
  const JsonFields step(value.get_object(), path + '.', "a step of a view");
  NETML_TRY_VOID(step.only(names));
  const std::string_view name = value.get_object().begin()->key();
  return std::ranges::find(kStepReaders, name, &StepReader::name)->read(step, name);
}

// ---- as JSON ----

// One is written as itself, a list as a list.
json::value texts_json(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return json::value(texts.front());
  return json::value_from(texts);
}

void put_kinds(json::object& object, KindSet kinds, KindSet otherwise) {
  if (kinds == otherwise) return;
  std::vector<std::string> words;
  for (const Kind kind : kKinds)
    if ((kinds & engine::set_of(kind)) != 0)
      words.emplace_back(kViewKinds[static_cast<std::size_t>(kind)]);
  object["kind"] = texts_json(words);
}

json::value fields_json(const std::vector<Field>& fields) {
  json::array names;
  for (const Field field : fields) {
    engine::for_each_attribute([&](const auto& attribute) {
      if (attribute.field == field) names.emplace_back(attribute.name);
    });
  }
  return names;
}

json::object view_selection_json(const ViewSelection& selection) {
  json::object object;
  put_kinds(object, selection.kinds, engine::kAllKinds);
  if (!selection.owners.empty()) object["owner"] = texts_json(selection.owners);
  if (!selection.topologies.empty()) object["topology"] = texts_json(selection.topologies);
  if (!selection.ids.empty()) object["id"] = texts_json(selection.ids);
  if (!selection.tag.empty()) object["tag"] = selection.tag;
  if (!selection.property) return object;
  json::object property{{"name", selection.property->name}};
  if (selection.property->value) property["value"] = *selection.property->value;
  object["property"] = std::move(property);
  return object;
}

json::value selections_json(const std::vector<ViewSelection>& selections) {
  if (selections.size() == 1) return view_selection_json(selections.front());
  json::array list;
  for (const ViewSelection& selection : selections) list.push_back(view_selection_json(selection));
  return list;
}

json::object step_json(const engine::KeepStep& step) {
  return {{"keep", selections_json(step.any_of)}};
}
json::object step_json(const engine::DropStep& step) {
  return {{"drop", selections_json(step.any_of)}};
}
json::object step_json(const engine::RoundStep& step) {
  json::object round{{"degrees", static_cast<double>(step.grid.value) / kMicroOfDegree}};
  put_kinds(round, step.kinds, engine::kPlaces);
  return {{"round", std::move(round)}};
}
json::object step_json(const engine::PropertiesStep& step) {
  json::object properties;
  if (!step.names.empty()) properties["names"] = json::value_from(step.names);
  put_kinds(properties, step.kinds, engine::kAllKinds);
  return {{step.keep ? "keep_properties" : "drop_properties", std::move(properties)}};
}
json::object step_json(const engine::RenamePropertyStep& step) {
  json::object rename{{"from", step.from}, {"to", step.to}};
  put_kinds(rename, step.kinds, engine::kAllKinds);
  return {{"rename_property", std::move(rename)}};
}
json::object step_json(const engine::DropFieldsStep& step) {
  json::object drop{{"names", fields_json(step.fields)}};
  put_kinds(drop, step.kinds, engine::kAllKinds);
  return {{"drop_fields", std::move(drop)}};
}
json::object step_json(const engine::CollapseStep& step) {
  const std::string_view to = kCollapseWords[step.to == engine::CollapseTo::site ? 0 : 1];
  return {{"collapse", {{"to", to}}}};
}
json::object step_json(const engine::PseudonymStep& step) {
  json::object pseudonyms{{"fields", fields_json(step.fields)}};
  put_kinds(pseudonyms, step.kinds, engine::kAllKinds);
  pseudonyms["key"] = step.key;
  return {{"pseudonyms", std::move(pseudonyms)}};
}

}  // namespace

Result<View> read_view(std::string_view text) {
  NETML_TRY(const json::value document, parse_json_object(text, "the view"));
  const JsonFields fields(document.get_object(), {}, "a view");
  NETML_TRY_VOID(fields.only(Members<1>{"steps"}));
  const json::value* const steps = fields.find("steps");
  if (steps == nullptr || !steps->is_array()) return wrong_json("steps", "must be a list");
  View view;
  for (std::size_t i = 0; i < steps->get_array().size(); ++i) {
    NETML_TRY(ViewStep step, read_step(steps->get_array()[i], fmt::format("steps.{}", i)));
    view.steps.push_back(std::move(step));
  }
  if (auto problem = engine::problem_of(view)) return tl::make_unexpected(*std::move(problem));
  return view;
}

json::object view_json(const View& view) {
  json::array steps;
  for (const ViewStep& step : view.steps)
    steps.push_back(std::visit([](const auto& one) { return step_json(one); }, step));
  return {{"steps", std::move(steps)}};
}

}  // namespace netml::codecs

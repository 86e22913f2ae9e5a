#include "engine/views/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace netml::engine {

namespace {

using Problem = std::optional<Error>;

Problem wrong(std::string field, std::string message) {
  return Error{Errc::invalid_input, std::move(message), std::move(field)};
}

Problem problem_of_list(std::span<const std::string> texts, const std::string& field) {
  if (texts.size() > kViewTextsMax) return wrong(field, fmt::format("at most {}", kViewTextsMax));
  if (std::ranges::any_of(texts, &std::string::empty)) return wrong(field, "must not be empty");
  return std::nullopt;
}

Problem problem_of_selection(const ViewSelection& selection, const std::string& field) {
  const bool all_kinds = selection.kinds == kAllKinds;
  const bool names_nothing = selection.owners.empty() && selection.topologies.empty() &&
                             selection.ids.empty() && selection.tag.empty() && !selection.property;
  if (all_kinds && names_nothing) return wrong(field, "selects everything; name something");
  if (auto problem = problem_of_list(selection.owners, field + ".owner")) return problem;
  if (auto problem = problem_of_list(selection.topologies, field + ".topology")) return problem;
  return problem_of_list(selection.ids, field + ".id");
}

Problem problem_of_selections(std::span<const ViewSelection> selections, const std::string& field) {
  if (selections.empty()) return wrong(field, "needs a selection");
  for (std::size_t i = 0; i < selections.size(); ++i)
    if (auto problem = problem_of_selection(
            selections[i], selections.size() == 1 ? field : fmt::format("{}.{}", field, i)))
      return problem;
  return std::nullopt;
}

Problem problem_of_step(const KeepStep& step, const std::string& at) {
  if (auto problem = problem_of_selections(step.any_of, at + "keep")) return problem;
  for (const ViewSelection& selection : step.any_of)
    if (selection.kinds == set_of(Kind::topology))
      return wrong(at + "keep.kind",
                   "topologies stay with their elements; name them with \"topology\"");
  return std::nullopt;
}
Problem problem_of_step(const DropStep& step, const std::string& at) {
  return problem_of_selections(step.any_of, at + "drop");
}
Problem problem_of_step(const RoundStep& step, const std::string& at) {
  if (step.grid.value >= 1 && step.grid.value <= kGridMicroMax) return std::nullopt;
  return wrong(at + "round.degrees", "must be a number from 0.000001 to 90");
}
Problem problem_of_step(const PropertiesStep& step, const std::string& at) {
  const std::string field = at + (step.keep ? "keep_properties" : "drop_properties") + ".names";
  if (step.names.empty() && !step.keep) return wrong(field, "needs a name");
  return problem_of_list(step.names, field);
}
Problem problem_of_step(const RenamePropertyStep& step, const std::string& at) {
  const std::string field = at + "rename_property.";
  if (step.from.empty()) return wrong(field + "from", "must not be empty");
  if (step.to.empty() || step.to.size() > kPropertyNameCharactersMax)
    return wrong(field + "to", fmt::format("has 1 to {} characters", kPropertyNameCharactersMax));
  if (step.from.starts_with(kReservedPrefix) || step.to.starts_with(kReservedPrefix))
    return wrong(field + "to", "names that begin with \"!-\" have a meaning of their own");
  return std::nullopt;
}
Problem problem_of_step(const DropFieldsStep& step, const std::string& at) {
  const std::string field = at + "drop_fields.names";
  if (step.fields.empty()) return wrong(field, "needs a field");
  if (!std::ranges::all_of(step.fields, may_be_dropped))
    return wrong(field, "every element has an identifier and a name; give it pseudonyms");
  return std::nullopt;
}
Problem problem_of_step(const CollapseStep& /*step*/, const std::string& /*at*/) {
  return std::nullopt;
}
Problem problem_of_step(const PseudonymStep& step, const std::string& at) {
  const std::string field = at + "pseudonyms.";
  const auto has_pseudonym = [](Field of) {
    return of == Field::id || of == Field::name || of == Field::short_name;
  };
  if (step.fields.empty() || !std::ranges::all_of(step.fields, has_pseudonym))
    return wrong(field + "fields", "must be some of \"id\", \"name\" and \"short_name\"");
  if (step.key.empty() || step.key.size() > kNameCharactersMax)
    return wrong(field + "key", "is missing: a name; views that share it share pseudonyms");
  return std::nullopt;
}

}  // namespace

bool may_be_dropped(Field field) {
  return is_attribute(field) && field != Field::main && field != Field::id &&
         field != Field::name && field != Field::properties;
}

std::optional<Error> problem_of(const View& view) {
  if (view.steps.size() > kViewStepsMax)
    return wrong("steps", fmt::format("at most {}", kViewStepsMax));
  for (std::size_t i = 0; i < view.steps.size(); ++i) {
    const std::string at = fmt::format("steps.{}.", i);
    if (auto problem =
            std::visit([&](const auto& step) { return problem_of_step(step, at); }, view.steps[i]))
      return problem;
  }
  return std::nullopt;
}

}  // namespace netml::engine

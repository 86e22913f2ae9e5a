#include "engine/fixes/proposals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/texts.hpp"
#include "engine/base/wording.hpp"
#include "engine/fixes/decoded_text.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

bool is_of_duplicates(Check check) {
  return check == Check::identifier_repeated || check == Check::name_repeated ||
         check == Check::link_repeated;
}

std::string named(const Graph& graph, RecordId id) {
  return fmt::format("{} <{}>", graph.attributes(id).name(), graph.attributes(id).id());
}

Proposal none(std::string reason) {
  return {.kind = FixKind::none, .text = std::move(reason)};
}

std::string degrees_text(Micro degrees) {
  std::string text = fmt::format("{:.6f}", static_cast<double>(degrees.value) / 1e6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Proposal propose_place(const Finding& finding) {
  if (!finding.place) return none("no other reading of its place fits");
  const bool exchanged = finding.check == Check::place_swapped;
  Proposal proposal{
      .kind = exchanged ? FixKind::place_exchanged : FixKind::place_mirrored,
      .text =
          fmt::format("move it to {}, {}, its place with {}", degrees_text(finding.place->latitude),
                      degrees_text(finding.place->longitude),
                      exchanged ? "latitude and longitude exchanged" : "another sign")};
  proposal.edit.latitude = finding.place->latitude;
  proposal.edit.longitude = finding.place->longitude;
  return proposal;
}

std::vector<TextProperty> properties_of(const Attributes& record) {
  std::vector<TextProperty> properties;
  record.for_each_property([&](const Property& property) {
    properties.push_back({std::string(property.name), std::string(property.value)});
  });
  return properties;
}

// Without those for which `goes(property, those before it that stay)`.
template <class Goes>
Proposal without_properties(const Attributes& record, FixKind kind, std::string_view what,
                            Goes&& goes) {
  std::vector<TextProperty> kept;
  std::vector<std::string> names;
  for (TextProperty& property : properties_of(record)) {
    if (!goes(property, kept)) {
      kept.push_back(std::move(property));
    } else if (std::ranges::find(names, property.name) == names.end()) {
      names.push_back(std::move(property.name));
    }
  }
  Proposal proposal{.kind = kind, .text = fmt::format("{}: {}", what, fmt::join(names, ", "))};
  proposal.edit.properties = std::move(kept);
  return proposal;
}

Proposal propose_without_empty(const Attributes& record) {
  return without_properties(record, FixKind::properties_removed, "remove what has no value",
                            [](const TextProperty& property, const auto&) {
                              return trimmed(property.value).empty() &&
                                     !property.name.starts_with(kReservedPrefix);
                            });
}

Proposal propose_without_repeats(const Attributes& record) {
  return without_properties(record, FixKind::repeats_removed, "leave one of each",
                            [](const TextProperty& property, const auto& kept) {
                              return std::ranges::find(kept, property) != kept.end();
                            });
}

constexpr const char* kLost = "which letters were lost cannot be known";

// Nothing to decode, too, is one of the parts of a proposal.
struct Decoding {
  std::vector<std::string> texts;  // "write Tromsø"
  bool failed = false;

  std::optional<std::string> of(std::string_view text) {
    if (!is_garbled(text)) return std::nullopt;
    std::optional<std::string> meant = decoded(text);
    if (meant)
      texts.push_back(*meant);
    else
      failed = true;
    return meant;
  }
  Proposal proposal(RecordEdit edit) const {
    if (failed || texts.empty()) return none(kLost);
    Proposal proposal{.kind = FixKind::text_decoded,
                      .text = fmt::format("read it as {}", fmt::join(texts, ", "))};
    proposal.edit = std::move(edit);
    return proposal;
  }
};

Proposal propose_decoded_name(const Attributes& record) {
  Decoding decoding;
  RecordEdit edit;
  edit.name = decoding.of(record.name());
  edit.short_name = decoding.of(record.short_name());
  return decoding.proposal(std::move(edit));
}

Proposal propose_decoded_properties(const Attributes& record) {
  Decoding decoding;
  std::vector<TextProperty> properties = properties_of(record);
  for (TextProperty& property : properties)
    if (!property.name.starts_with(kReservedPrefix))
      if (auto meant = decoding.of(property.value)) property.value = *std::move(meant);
  RecordEdit edit;
  edit.properties = std::move(properties);
  return decoding.proposal(std::move(edit));
}

}  // namespace

const char* fix_name(FixKind kind) {
  switch (kind) {
    case FixKind::none:
      return "none";
    case FixKind::place_exchanged:
      return "place-exchanged";
    case FixKind::place_mirrored:
      return "place-mirrored";
    case FixKind::merge:
      return "merge";
    case FixKind::owner_of_ends:
      return "owner-of-ends";
    case FixKind::owner_of_topology:
      return "owner-of-topology";
    case FixKind::owner_of_rest:
      return "owner-of-rest";
    case FixKind::properties_removed:
      return "properties-removed";
    case FixKind::repeats_removed:
      return "repeats-removed";
    case FixKind::text_decoded:
      return "text-decoded";
  }
  return "none";
}

bool has_fixes(Check check) {
  switch (check) {
    case Check::place_swapped:
    case Check::place_mirrored:
    case Check::owner_missing:
    case Check::property_empty:
    case Check::property_repeated:
    case Check::property_garbled:
    case Check::name_garbled:
      return true;
    default:
      return is_of_duplicates(check);
  }
}

void Proposals::take(const Finding& finding) {
  if (is_of_duplicates(finding.check) && finding.other)
    duplicates_[finding.check].join(finding.record, finding.other);
}

Proposal Proposals::propose(const Finding& finding) {
  if (is_of_duplicates(finding.check)) return propose_merge(finding);
  const Attributes& record = map_.graph.attributes(finding.record);
  switch (finding.check) {
    case Check::place_swapped:
    case Check::place_mirrored:
      return propose_place(finding);
    case Check::owner_missing:
      return propose_owner(finding);
    case Check::property_empty:
      return propose_without_empty(record);
    case Check::property_repeated:
      return propose_without_repeats(record);
    case Check::property_garbled:
      return propose_decoded_properties(record);
    case Check::name_garbled:
      return propose_decoded_name(record);
    default:
      return none("nothing says what was meant");
  }
}

std::shared_ptr<const Merge> Proposals::merge_of(const Finding& finding) {
  const Duplicates& duplicates = duplicates_[finding.check];
  auto& merge = merges_[{finding.check, duplicates.place_of(finding.record)}];
  if (!merge)
    merge = std::make_shared<const Merge>(
        choose_merge(map_, finding.check, duplicates.group_of(finding.record)));
  return merge;
}

Proposal Proposals::propose_merge(const Finding& finding) {
  std::shared_ptr<const Merge> merge = merge_of(finding);
  const auto left = std::ranges::find(merge->left, finding.record, &Merge::Left::record);
  if (left != merge->left.end()) return none(left->reason);
  if (merge->merged.empty()) return none(merge->left.front().reason);
  Proposal proposal{.kind = FixKind::merge,
                    .text = {},
                    .target = merge->kept,
                    .edit = {},
                    .merge = std::move(merge)};
  const Merge& of = *proposal.merge;
  if (finding.record == of.kept)
    proposal.text =
        fmt::format("merge {} into this one, {}", counted(of.merged.size(), "other"), of.reason);
  else
    proposal.text = fmt::format("merge it into {}, {}", named(map_.graph, of.kept), of.reason);
  return proposal;
}

Proposal Proposals::propose_owner(const Finding& finding) {
  const auto found = owners_.owner_for(finding.record);
  if (!found) return none("neither its topology nor its ends agree on an owner");
  const Graph& graph = map_.graph;
  Proposal proposal{.kind = FixKind::owner_of_ends, .text = {}, .target = found->owner};
  std::string reason = "both its ends";
  if (found->reason == OwnerSearch::Reason::topology) {
    proposal.kind = FixKind::owner_of_topology;
    reason = fmt::format("the topology {}", named(graph, found->topology));
  } else if (found->reason == OwnerSearch::Reason::rest) {
    proposal.kind = FixKind::owner_of_rest;
    reason = fmt::format("all that has an owner in {}, {}", named(graph, found->topology),
                         counted(found->owned, "record"));
  }
  proposal.text = fmt::format("give it to {}, which owns {}", named(graph, found->owner), reason);
  if (graph.kind(finding.record) == Kind::topology)
    proposal.edit.owner = found->owner;
  else
    proposal.edit.owners = std::vector<RecordId>{found->owner};
  return proposal;
}

}  // namespace netml::engine

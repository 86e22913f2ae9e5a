#include "codecs/formats/netbox/netbox_mapping.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <span>

#include "codecs/document/error_list.hpp"

namespace netml::codecs::netbox {

namespace {

using std::string_view_literals::operator""sv;

// In the order of their enumerants.
constexpr std::array kNodes{"site"sv, "location"sv, "device"sv};
constexpr std::array kOwners{"tenant"sv, "provider"sv};
constexpr std::array kTopologies{"one"sv, "region"sv, "tenant"sv};

struct Choice {
  std::string_view name;
  std::span<const std::string_view> values;
};
constexpr std::array kChoices{Choice{"nodes", kNodes}, Choice{"owner", kOwners},
                              Choice{"topologies", kTopologies}};
using Chosen = std::array<std::size_t, kChoices.size()>;  // of each, which value

tl::unexpected<Error> no_mapping(std::string_view part, std::string_view problem) {
  std::string choices;
  for (const Choice& choice : kChoices)
    choices += fmt::format("{}{}={}", choices.empty() ? "" : ", ", choice.name,
                           fmt::join(choice.values, "|"));
  return fail(Errc::invalid_input, "mapping",
              fmt::format("{} {}; a mapping is made of {}", excerpt(part), problem, choices));
}

}  // namespace

Result<Mapping> parse_mapping(std::string_view text) {
  Chosen chosen{};
  std::bitset<kChoices.size()> seen;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::string_view name = part.substr(0, part.find('='));
    const auto* const choice = std::ranges::find(kChoices, name, &Choice::name);
    if (choice == kChoices.end() || name == part) return no_mapping(part, "is none of its choices");
    const auto place = static_cast<std::size_t>(choice - kChoices.begin());
    const auto value = std::ranges::find(choice->values, part.substr(name.size() + 1));
    if (value == choice->values.end()) return no_mapping(part, "is none of its choices");
    if (seen.test(place)) return no_mapping(part, "is a second choice of one name");
    seen.set(place);
    chosen[place] = static_cast<std::size_t>(value - choice->values.begin());
  }
  return Mapping{static_cast<NodeKind>(chosen[0]), static_cast<OwnerKind>(chosen[1]),
                 static_cast<TopologyKind>(chosen[2])};
}

std::string mapping_text(const Mapping& mapping) {
  const Chosen chosen{static_cast<std::size_t>(mapping.nodes),
                      static_cast<std::size_t>(mapping.owner),
                      static_cast<std::size_t>(mapping.topologies)};
  std::string text;
  for (std::size_t i = 0; i < kChoices.size(); ++i)
    if (chosen[i] != 0)
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", kChoices[i].name,
                          kChoices[i].values[chosen[i]]);
  return text;
}

}  // namespace netml::codecs::netbox

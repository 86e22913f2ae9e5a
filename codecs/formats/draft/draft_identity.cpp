#include "codecs/formats/draft/draft_identity.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <utility>

#include "codecs/document/id_key.hpp"
#include "engine/base/sha256.hpp"

namespace netml::codecs {

namespace {

using Counts = boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash>;

// Between parts of what is hashed: no text of a map holds it.
constexpr char kBetween = '\x1f';

// Gives more and more of the traits until they are those of one element.
class Identities {
 public:
  Identities(Kind kind, std::string_view network, const std::vector<Traits>& elements)
      : kind_(kind), network_(network), elements_(elements), texts_(elements.size()) {}

  std::vector<std::string> give(const std::function<std::string(std::size_t)>& contents) && {
    begin();
    add_where_equal([&](std::size_t i) { return elements_[i].key; });
    add_where_equal(contents);
    number_equal_ones();
    std::vector<std::string> ids(elements_.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = elements_[i].identifier.empty() ? generated_id(kind_, network_, texts_[i])
                                               : std::string(elements_[i].identifier);
    return ids;
  }

 private:
  bool is_given(std::size_t i) const { return !elements_[i].identifier.empty(); }

  void begin() {
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (!is_given(i)) texts_[i] = elements_[i].label;
  }

  Counts count() const {
    Counts counts(elements_.size());
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (!is_given(i)) ++counts[IdKey(texts_[i])];
    return counts;
  }

  // To all that have one text, so that none of them is what the text alone was. A label that is
  // empty tells nothing.
  template <class Part>
  void add_where_equal(const Part& part) {
    const Counts counts = count();
    std::vector<std::size_t> equal;
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (!is_given(i) && (counts.at(IdKey(texts_[i])) > 1 || texts_[i].empty()))
        equal.push_back(i);
    for (const std::size_t i : equal) (texts_[i] += kBetween) += part(i);
  }

  void number_equal_ones() {
    const Counts counts = count();
    boost::unordered_flat_map<std::string, std::uint32_t> numbers;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (is_given(i) || counts.at(IdKey(texts_[i])) == 1) continue;
      numbered_.emplace_back(i, ++numbers[texts_[i]]);
    }
    for (const auto& [i, number] : numbered_) texts_[i] += fmt::format("{}{}", kBetween, number);
  }

  const Kind kind_;
  const std::string_view network_;
  const std::vector<Traits>& elements_;
  std::vector<std::string> texts_;
  std::vector<std::pair<std::size_t, std::uint32_t>> numbered_;
};

}  // namespace

std::vector<std::string> identify(Kind kind, std::string_view network,
                                  const std::vector<Traits>& elements,
                                  const std::function<std::string(std::size_t)>& contents) {
  return Identities(kind, network, elements).give(contents);
}

}  // namespace netml::codecs

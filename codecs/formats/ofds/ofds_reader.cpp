#include "codecs/formats/ofds/ofds_reader.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "codecs/formats/geojson/feature_draft.hpp"
#include "codecs/formats/ofds/ofds_check.hpp"
#include "codecs/formats/ofds/ofds_fields.hpp"

namespace netml::codecs {

namespace {

class Package {
 public:
  Package(const JsonTree& tree, const ReadLimits& limits)
      : root_(tree.root()), errors_(limits.errors), features_(tree, kOfdsFields) {
    errors_.name_places([&tree](TextPosition at) { return tree.pointer(at); });
  }

  ReadResult read(const DraftOptions& options) {
    check();
    MapDraft& draft = features_.draft();
    if (errors_.empty()) {
      draft.open(Kind::topology, root_.position());
      set_package();
      features_.set_networks(networks_, {"nodes", "spans", "organisations"});
      for (std::uint32_t i = 0; i < networks_.size(); ++i) add_elements(i);
      features_.set(list_);
      draft.close();
    }
    return std::move(draft).take(options, std::move(errors_));
  }

 private:
  void check() {
    const JsonValue networks = root_["networks"];
    if (!networks.is_array() || networks.is_empty())
      return errors_.report("wrong-root", "a network package has a list, networks, of one or more",
                            root_.position());
    std::unordered_set<std::string_view> known;
    for (const JsonValue network : networks.items()) {
      check_ofds_network(network, errors_);
      networks_.push_back(network);
      const JsonValue id = network["id"];
      if (is_name(id) && !known.insert(id.text()).second)
        errors_.report("duplicate-id", "two networks have one id", id.position(),
                       excerpt(id.text()));
    }
    if (!errors_.empty()) report_spans_without_ends();
  }

  // They are lost where all else is as it should be; who repairs a file wants to know them, too.
  void report_spans_without_ends() {
    for (const JsonValue network : networks_)
      for (const JsonValue span : network["spans"].items())
        if (span["start"].is_absent() || span["end"].is_absent())
          errors_.report("missing-end", "a span does not name the two nodes that it joins",
                         span.position());
  }

  void set_package() {
    for (const auto& [name, value] : root_.members())
      if (!is_same(value, root_["networks"])) features_.fields().set("package.", name, value);
  }

  void add_elements(std::uint32_t number) {
    const auto add = [&](Kind kind, std::string_view list, std::string_view geometry) {
      const JsonValue objects = networks_[number][list];
      if (!objects.is_array() || objects.is_empty()) return features_.fields().carry(objects);
      for (const JsonValue object : objects.items())
        list_.push_back({.kind = kind,
                         .properties = object,
                         .geometry = geometry.empty() ? JsonValue() : object[geometry],
                         .network_number = number});
    };
    add(Kind::institution, "organisations", {});
    add(Kind::node, "nodes", "location");
    add(Kind::link, "spans", "route");
  }

  const JsonValue root_;
  ErrorList errors_;
  FeatureDraft features_;
  std::vector<JsonValue> networks_;
  std::vector<Feature> list_;
};

}  // namespace

ReadResult read_ofds(RandomAccessFile& file, const DraftOptions& options,
                     const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Package(tree, limits).read(options);
}

}  // namespace netml::codecs

#include "codecs/formats/d3/d3_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/formats/d3/d3_fields.hpp"
#include "codecs/formats/draft/field_names.hpp"
#include "codecs/formats/draft/json_out.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr FieldNames kNames{kD3Fields, {""}};

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    out_.open('{');
    out_.name("directed");
    out_.raw("false");
    out_.name("multigraph");
    out_.raw("true");
    out_.name("graph");
    out_.open('{');
    write_record(outline_.topologies.front());
    out_.close('}');
    out_.line();
    out_.objects("nodes", outline_.nodes.size(), [&](std::size_t i) {
      out_.member("id", fmt::format("n{}", i));
      write_element(outline_.nodes[i]);
    });
    out_.line();
    out_.objects("links", outline_.links.size(), [&](std::size_t i) {
      const OutlinedLink& link = outline_.links[i];
      out_.member("source", fmt::format("n{}", link.ends[0]));
      out_.member("target", fmt::format("n{}", link.ends[1]));
      out_.number_member("key", fmt::format("{}", i));
      losses_.carry(2);
      write_element(link);
    });
    out_.line();
    out_.objects("institutions", outline_.institutions.size(),
                 [&](std::size_t i) { write_element(outline_.institutions[i]); });
    out_.line();
    out_.objects("topologies", outline_.topologies.size() - 1, [&](std::size_t i) {
      const RecordId topology = outline_.topologies[i + 1];
      write_record(topology);
      out_.member(kNames[Target::parent],
                  graph_.attributes(graph_.relations(topology).parent()).id());
      losses_.carry();
    });
    out_.close('}');
    return std::move(out_).take() + '\n';
  }

 private:
  // What it says of itself, and its owners.
  void write_record(RecordId record) {
    for_each_field(graph_.attributes(record), instants_,
                   [&](Target target, std::string_view, std::string_view value) {
                     if (target == Target::property) return;
                     if (is_number(target))
                       out_.number_member(kNames[target], value);
                     else
                       out_.member(kNames[target], value);
                     losses_.carry();
                   });
    write_properties(graph_.attributes(record));
    const auto owners = graph_.relations(record).owners();
    if (owners.empty()) return;
    write_ids(kNames[Target::owner], owners.size(), [&](std::size_t i) { return owners[i]; });
  }

  // Values by name, in the order of the names; each a list, since there may be several.
  void write_properties(const engine::Attributes& attributes) {
    std::vector<engine::Property> sorted = attributes.properties();
    if (sorted.empty()) return;
    std::ranges::stable_sort(sorted, {}, &engine::Property::name);
    out_.name("properties");
    out_.open('{');
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto [name, value] = sorted[i];
      if (i == 0 || name != sorted[i - 1].name) {
        out_.name(name);
        out_.open('[');
      }
      out_.string(value);
      losses_.carry();
      if (i + 1 == sorted.size() || name != sorted[i + 1].name) out_.close(']');
    }
    out_.close('}');
  }

  template <class RecordAt>
  void write_ids(std::string_view name, std::size_t count, RecordAt&& record_at) {
    out_.name(name);
    out_.open('[');
    for (std::size_t i = 0; i < count; ++i) {
      out_.string(graph_.attributes(record_at(i)).id());
      losses_.carry();
    }
    out_.close(']');
  }

  void write_element(const OutlinedElement& element) {
    write_record(element.record);
    const auto listed = outline_.topologies_of(element);
    if (listed.empty()) return;
    write_ids(kNames[Target::topology], listed.size(),
              [&](std::size_t i) { return outline_.topologies[listed[i]]; });
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  JsonOut out_;
  InstantText instants_;
};

}  // namespace

Result<WrittenMap> write_d3(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs

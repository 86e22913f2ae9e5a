#include "codecs/formats/d3/d3_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/formats/d3/d3_fields.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::string_view called(Target target) {
  for (const FieldRule& rule : kD3Fields)
    if (rule.target == target) return rule.field;
  return {};
}

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    out_.append("{\"directed\":false,\"multigraph\":true,\"graph\":{");
    record(outline_.topologies.front());
    out_.append("},\n\"nodes\":[");
    list(outline_.nodes.size(), [&](std::size_t i) {
      out_.append(fmt::format("\"id\":\"n{}\",", i));
      element(outline_.nodes[i]);
    });
    out_.append("],\n\"links\":[");
    list(outline_.links.size(), [&](std::size_t i) {
      const OutlinedLink& link = outline_.links[i];
      out_.append(fmt::format("\"source\":\"n{}\",\"target\":\"n{}\",\"key\":{},", link.ends[0],
                              link.ends[1], i));
      losses_.carry(2);
      element(link);
    });
    out_.append("],\n\"institutions\":[");
    list(outline_.institutions.size(), [&](std::size_t i) { element(outline_.institutions[i]); });
    out_.append("],\n\"topologies\":[");
    list(outline_.topologies.size() - 1, [&](std::size_t i) {
      const RecordId topology = outline_.topologies[i + 1];
      record(topology);
      out_.append(",");
      member(called(Target::parent), graph_.attributes(graph_.relations(topology).parent()).id());
    });
    out_.append("]}\n");
    return std::move(out_);
  }

 private:
  // One object a line.
  template <class WriteOne>
  void list(std::size_t count, WriteOne&& write_one) {
    for (std::size_t i = 0; i < count; ++i) {
      out_.append(i == 0 ? std::string_view("\n{") : std::string_view(",\n{"));
      write_one(i);
      out_.append("}");
    }
  }

  void string(std::string_view text) { append_json_string(out_, text); }

  void member(std::string_view name, std::string_view value) {
    string(name);
    out_.append(":");
    string(value);
    losses_.carry();
  }

  // What it says of itself, and its owners.
  void record(RecordId record) {
    const char* separator = "";
    for_each_field(graph_.attributes(record), instants_,
                   [&](Target target, std::string_view, std::string_view value) {
                     if (target == Target::property) return;
                     out_.append(std::string_view(separator));
                     separator = ",";
                     if (!is_number(target)) return member(called(target), value);
                     string(called(target));
                     out_.append(":");
                     out_.append(value);
                     losses_.carry();
                   });
    properties(graph_.attributes(record));
    const auto owners = graph_.relations(record).owners();
    if (owners.empty()) return;
    names(called(Target::owner), owners.size(),
          [&](std::size_t i) { return graph_.attributes(owners[i]).id(); });
  }

  // Values by name, in the order of the names; each a list, since there may be several.
  void properties(const engine::Attributes& attributes) {
    sorted_.clear();
    attributes.for_each_property(
        [&](const engine::Property& property) { sorted_.push_back(property); });
    if (sorted_.empty()) return;
    std::ranges::stable_sort(sorted_, {}, &engine::Property::name);
    out_.append(",\"properties\":{");
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      const bool again = i > 0 && sorted_[i].name == sorted_[i - 1].name;
      if (!again) {
        out_.append(i == 0 ? std::string_view() : std::string_view("],"));
        string(sorted_[i].name);
        out_.append(":[");
      } else {
        out_.append(",");
      }
      string(sorted_[i].value);
      losses_.carry();
    }
    out_.append("]}");
  }

  template <class NameOf>
  void names(std::string_view name, std::size_t count, NameOf&& name_of) {
    out_.append(",");
    string(name);
    out_.append(":[");
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_.append(",");
      string(name_of(i));
      losses_.carry();
    }
    out_.append("]");
  }

  void element(const OutlinedElement& element) {
    record(element.record);
    const auto listed = outline_.topologies_of(element);
    if (!listed.empty())
      names(called(Target::topology), listed.size(),
            [&](std::size_t i) { return graph_.attributes(outline_.topologies[listed[i]]).id(); });
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  std::string out_;
  InstantText instants_;
  std::vector<engine::Property> sorted_;
};

}  // namespace

Result<WrittenMap> write_d3(const Graph& graph, RecordId topology) {
  WrittenMap file;
  NETML_TRY(const MapOutline outline, outline_of(graph, topology, file.losses));
  file.bytes = Writer(graph, outline, file.losses).write();
  return file;
}

}  // namespace netml::codecs

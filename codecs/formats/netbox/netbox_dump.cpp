#include "codecs/formats/netbox/netbox_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "codecs/formats/draft/json_out.hpp"
#include "codecs/formats/netbox/netbox_records.hpp"

namespace netml::codecs::netbox {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kPieceBytes = 60 << 10;

class DumpWriter {
 public:
  DumpWriter(const Tables& tables, const DumpSink& take) : tables_(tables), take_(take) {}

  Status write() {
    text_ = "[";
    for (const NamedSort& each : kSorts)
      with_table(each.sort, tables_, [&](const auto& table) {
        for (const auto& record : table.all()) add(each.model, record);
      });
    text_ += "\n]\n";
    flush();
    return std::move(done_);
  }

 private:
  template <class Record>
  void add(std::string_view model, const Record& record) {
    if (!done_) return;
    out_ = JsonOut();
    out_.open('{');
    out_.member("model", model);
    out_.number_member("pk", fmt::to_string(record.id));
    out_.name("fields");
    out_.open('{');
    fields_of(record);
    out_.close('}');
    out_.close('}');
    if (!std::exchange(is_first_, false)) text_ += ',';
    text_ += '\n';
    text_ += std::move(out_).take();
    if (text_.size() >= kPieceBytes) flush();
  }

  // ---- what each sort has ----

  void fields_of(const Tenant& tenant) { named(tenant.named); }
  void fields_of(const Provider& provider) { named(provider.named); }
  void fields_of(const Region& region) {
    named(region.named);
    reference("parent", region.parent);
  }
  void fields_of(const Site& site) {
    named(site.named);
    reference("tenant", site.tenant);
    named_reference(site.named, "region", site.region);
  }
  void fields_of(const Location& location) {
    named(location.named);
    reference("site", location.site);
    named_reference(location.named, "tenant", location.tenant);
  }
  void fields_of(const Circuit& circuit) {
    named(circuit.named);
    reference("provider", circuit.provider);
    reference("tenant", circuit.tenant);
  }
  void fields_of(const CircuitTermination& termination) {
    out_.member("term_side", std::string_view(&termination.side, 1));
    reference("circuit", termination.circuit);
    reference("site", termination.site);
    reference("location", termination.location);
    reference("provider_network", termination.provider_network);
  }
  void fields_of(const Device& device) {
    named(device.named);
    named_reference(device.named, "tenant", device.tenant);
    reference("site", device.site);
    reference("location", device.location);
  }
  void fields_of(const Interface& interface) { reference("device", interface.device); }
  void fields_of(const FrontPort& port) {
    reference("rear_port", port.rear_port);
    out_.number_member("rear_port_position", fmt::to_string(port.position));
  }
  void fields_of(const RearPort& port) {
    out_.number_member("positions", fmt::to_string(port.positions));
  }

  // ---- pieces ----

  void flush() {
    if (done_) done_ = take_(text_);
    text_.clear();
  }

  // References are written by what they were found to lead to.
  static constexpr std::array kReferences{"tenant"sv, "provider"sv, "region"sv, "parent"sv,
                                          "site"sv};
  void named(const Named& named) {
    for (const NamedField& field : named.fields) {
      const std::string_view name = field.rule->name;
      if (name.starts_with('@') || std::ranges::find(kReferences, name) != kReferences.end())
        continue;
      if (field.value.empty())
        out_.number_member(name, "null");
      else
        out_.member(name, field.value);
    }
  }

  void reference(std::string_view name, Id id) {
    out_.number_member(name, id == kNoId ? "null" : fmt::to_string(id));
  }

  // Where the mapping names it.
  void named_reference(const Named& record, std::string_view name, Id id) {
    if (record.has(name)) reference(name, id);
  }

  // Its ends follow those of the cables before it.
  void fields_of(const Cable& record) {
    const Id cable = record.id;
    const auto& all = tables_.cable_terminations;
    while (next_end_ < all.size() && all[next_end_].cable < cable) ++next_end_;
    for (const auto& [side, name] :
         {std::pair(Side::a, "a_terminations"), std::pair(Side::b, "b_terminations")}) {
      out_.name(name);
      out_.open('[');
      for (; next_end_ < all.size() && all[next_end_].cable == cable && all[next_end_].side == side;
           ++next_end_) {
        const Port port = all[next_end_].port;
        out_.open('{');
        out_.member("object_type", model_of(port.kind));
        out_.number_member("object_id", fmt::to_string(port.id));
        out_.close('}');
      }
      out_.close(']');
    }
  }

  const Tables& tables_;
  const DumpSink& take_;
  Status done_;
  JsonOut out_;
  std::string text_;
  bool is_first_ = true;
  std::size_t next_end_ = 0;  // in the ends of cables
};

}  // namespace

Status write_dump(const Tables& tables, const DumpSink& take) {
  return DumpWriter(tables, take).write();
}

}  // namespace netml::codecs::netbox

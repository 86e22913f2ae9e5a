// Exports: the live data of a version as a stream of XML, or what was published last
// (http-api.md, sections 7 and 8; import.md, section 10).
//
// Thread: any.
#pragma once

#include <memory>

#include "admin/services/node.hpp"
#include "admin/services/publisher.hpp"
#include "engine/export_order.hpp"
#include "net/ports.hpp"

namespace netml::admin {

class Exporter : public net::ExportService {
 public:
  Exporter(Node& node, Publisher& publisher) : node_(node), publisher_(publisher) {}

  tl::expected<net::Export, net::ExportProblem> open(net::ExportKind kind,
                                                     const net::Request& request) override;

  // The main topology with all below it.
  tl::expected<net::Export, net::ExportProblem> open_live() const;
  tl::expected<net::Export, net::ExportProblem> open_topology(const Version& version,
                                                              RecordId topology) const;
  tl::expected<net::Export, net::ExportProblem> open_published(const Caller& caller) const;

 private:
  Node& node_;
  Publisher& publisher_;
};

// Differs whenever the bytes of an export may differ: the digest of all records, and which of them
// is its root.
std::string entity_tag(const engine::Graph& graph, RecordId root);

// The export of a version, made piece by piece as it is pulled.
std::unique_ptr<net::BodySource> export_stream(engine::StatePtr state, engine::ExportTree tree);

}  // namespace netml::admin

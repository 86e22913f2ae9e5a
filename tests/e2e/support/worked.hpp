// Worked cases through HTTP: files in by the public upload, the store read back by the endpoints of
// functional tests as one line for each record, so that a case is two short lists.
//
//   "topology P owner p", "topology C below P owner c"
//   "institution p in P", "node n in C,P of c,p k=v", "link l a-b in P of p"
//
// A name follows in quotes where it is not the identifier. The global institution is left out.
// Thread: one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/support/test_mode.hpp"

namespace netml::e2e {

using Lines = std::vector<std::string>;
using Infos = std::vector<std::pair<std::string, std::string>>;

// A criterion or an action, and a rule, as ruleset files have them.
boost::json::object criterion(std::string_view type, const Infos& infos = {});
boost::json::object action(std::string_view type, const Infos& infos = {});
boost::json::object stored_rule(std::string_view name, boost::json::array criteria,
                                boost::json::array actions, int priority = 1000);

class WorkedNode {
 public:
  WorkedNode();  // without rulesets; an upload is answered with its outcome

  // ---- changing ----
  void import(const std::string& file, const UploadForm& form = {});  // must be accepted
  net::ClientResponse upload(const std::string& file, const UploadForm& form = {});
  void restore_default_rulesets();
  void propagate_topology_deletion(bool on);
  void store(std::string_view ruleset, boost::json::array rules, int priority = 1000);
  // The log of the rule of that name, run manually.
  boost::json::value run(std::string_view rule);

  // ---- looking ----
  Lines lines();  // topologies, institutions, nodes, links; each kind by its text
  boost::json::array list(std::string_view kind);  // "nodes": as the endpoint shows them
  boost::json::value only(std::string_view kind, std::string_view id);
  std::string exported() { return node.node().export_all(); }

  TestModeNode node;

 private:
  std::string token_;
};

}  // namespace netml::e2e

// A site with the topology Coast and its institution Harbour, and somebody signed in who fills in
// forms. Thread: one.
#pragma once

#include <string>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin::testing {

class CoastSite : public ::testing::Test {
 protected:
  explicit CoastSite(engine::Role role) {
    site.add_account("ed", role);
    browser.sign_in("ed");
    topology = browser.create("topologies", {{"name", "Coast"}});
    owner = browser.create("institutions", {{"name", "Harbour"}, {"topologies", {topology}}});
  }
  // Of an element of Coast that Harbour owns.
  boost::json::object fields_of(const std::string& name) const {
    return {{"name", name}, {"topologies", {topology}}, {"owners", {owner}}};
  }
  std::uint64_t node(const std::string& name) { return browser.create("nodes", fields_of(name)); }
  std::uint64_t link(const std::string& name, std::uint64_t a, std::uint64_t b) {
    boost::json::object fields = fields_of(name);
    fields["node_a"] = {{"number", a}};
    fields["node_b"] = b;
    return browser.create("links", fields);
  }

  OpenSite site;
  Browser browser{site};
  std::uint64_t topology = 0;
  std::uint64_t owner = 0;
};

}  // namespace netml::admin::testing

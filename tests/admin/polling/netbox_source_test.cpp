// Goal: a NetBox that is polled becomes a map, and is asked for no more than what changed since;
// its token is for it alone; what it answers wrongly changes nothing and says why
// (docs/formats/netbox.md). Method: a node on a real directory; a peer on loopback that gives
// pages.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "admin/polling/netbox_choice.hpp"
#include "net/http/http.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

using ::testing::AllOf;
using testing::answer;
using ::testing::HasSubstr;
using testing::kCaller;
using ::testing::Not;

// Later than any answer.
constexpr const char* kLater = "2999-01-01T00:00:00Z";

// Records of one sort, with when each was changed.
using Records = std::map<int, std::pair<std::string, std::string>>;

class NetboxSource : public testing::PollerFixture {
 protected:
  NetboxSource() {
    SourceFields fields;
    fields.kind = engine::SourceKind::netbox;
    fields.token = std::string(40, 'a');
    change(fields);
    for (const char* const path :
         {"dcim/regions", "dcim/sites", "dcim/locations", "tenancy/tenants", "circuits/providers",
          "circuits/circuits", "circuits/circuit-terminations", "dcim/devices", "dcim/interfaces",
          "dcim/front-ports", "dcim/rear-ports", "dcim/cables"})
      peer_.on(fmt::format("/api/{}/", path),
               [this, path](const net::Request& request) { return page(path, request); });
    put("dcim/sites", 1, R"("name": "Oslo", "slug": "oslo")");
    put("dcim/sites", 2, R"("name": "Bergen", "slug": "bergen")");
    put("dcim/devices", 1, R"("site": {"id": 1}, "serial": "canary")");
    put("dcim/devices", 2, R"("site": {"id": 2}, "name": "canary")");
    put("dcim/interfaces", 1, R"("device": {"id": 1})");
    put("dcim/interfaces", 2, R"("device": {"id": 2})");
    put("dcim/cables", 1, cable(1, 2));
  }

  static std::string cable(int a, int b) {
    return fmt::format(R"("a_terminations": [{{"object_type": "dcim.interface", "object_id": {}}}],
      "b_terminations": [{{"object_type": "dcim.interface", "object_id": {}}}])",
                       a, b);
  }
  void put(const std::string& path, int id, const std::string& fields,
           const std::string& changed = "2020-01-01T00:00:00Z") {
    records_[path][id] = {fields, changed};
  }

  net::Response page(const std::string& path, const net::Request& request) {
    const auto given = [&](const char* name) {
      return net::query_parameter(request.query, name).value_or("");
    };
    asked_ += fmt::format("{}?{}\n", path, request.query);
    const std::string since = given("last_updated__gte");
    std::vector<std::string> found;
    for (const auto& [id, record] : records_[path])
      if (record.second >= since) {
        const std::string fields = given("fields") == "id" ? "" : ", " + record.first;
        found.push_back(fmt::format(R"({{"id": {}{}}})", id, fields));
      }
    const std::size_t offset = std::stoul(given("offset"));
    const std::size_t limit = std::min<std::size_t>(std::stoul(given("limit")), page_max_);
    std::string results;
    for (std::size_t i = offset; i < std::min(found.size(), offset + limit); ++i)
      results += (results.empty() ? "" : ", ") + found[i];
    const bool more = offset + limit < found.size();
    net::Response page = answer(
        200, fmt::format(R"({{"count": {}, "next": {}, "results": [{}]}})", found.size(),
                         more ? R"("http://elsewhere.example/api/?offset=1")" : "null", results));
    if (after_page_) after_page_(path);
    return page;
  }

  std::size_t count(Kind kind) { return state()->graph.count(kind); }
  std::size_t asked() { return peer_.paths().size(); }

  std::map<std::string, Records> records_;
  std::size_t page_max_ = 1000;
  std::function<void(const std::string& path)> after_page_;
  std::string asked_;
};

TEST_F(NetboxSource, BecomesAMapNamedAsTheSource) {
  const PollReport report = poll();
  ASSERT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_EQ(count(Kind::node), 2U);
  EXPECT_EQ(count(Kind::link), 1U);
  EXPECT_EQ(peer_.header(0, "Authorization"), "Token " + std::string(40, 'a'));
  EXPECT_EQ(peer_.header(0, "Accept"), "application/json");
  const auto record = state()->catalog.imports.find(report.record);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->format, "netbox");
  EXPECT_EQ(record->topology_name, "peer");
}

TEST_F(NetboxSource, IsReadPageByPageFromItsOwnHost) {
  page_max_ = 1;
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(count(Kind::node), 2U);
  EXPECT_EQ(asked(), 11U + 3U) << "a second page of sites, devices and interfaces";
}

TEST_F(NetboxSource, IsReadWithinTheMemoryOfTheProcess) {
  put("dcim/sites", 1, fmt::format(R"("name": "{}", "slug": "oslo")", std::string(5000, 'x')));
  std::map<std::string, std::uint64_t> taken;
  after_page_ = [&](const std::string& path) {
    const MemoryBudget::Report report = node_->memory().report();
    taken[path] = report.by_use[static_cast<std::size_t>(MemoryUse::imports)];
  };
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(taken["dcim/sites"], 0U) << "before anything was read";
  EXPECT_GT(taken["dcim/locations"], 5U * 5000U) << "of a page of sites and its tree";
  const MemoryBudget::Report report = node_->memory().report();
  EXPECT_EQ(report.by_use[static_cast<std::size_t>(MemoryUse::imports)], 0U) << "given back";
}

TEST_F(NetboxSource, IsReadFromTheStartAgainWherePagesMove) {
  page_max_ = 1;
  after_page_ = [&](const std::string& path) {
    if (path == "dcim/sites") records_[path].erase(1);
  };
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(count(Kind::node), 1U) << "the site that is still there, which was to be passed over";
  int number = 10;
  after_page_ = [&](const std::string& path) {
    if (path == "dcim/sites") put(path, number++, R"("name": "X", "slug": "x")", kLater);
  };
  expect_failure("unexpected_answer", "dcim/sites/ changes while it is read");
}

TEST_F(NetboxSource, IsAskedForWhatChangedSince) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(asked(), 11U);
  peer_.forget();
  asked_.clear();
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(asked(), 22U) << "what changed, and how many there are";
  EXPECT_THAT(asked_,
              HasSubstr("dcim/cables?limit=1000&offset=0&ordering=id&last_updated__gte=20"));

  put("dcim/sites", 2, R"("name": "Bergen 2", "slug": "bergen")", kLater);
  put("dcim/sites", 3, R"("name": "Trondheim", "slug": "trondheim")", kLater);
  peer_.forget();
  const PollReport report = poll();
  ASSERT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_EQ(report.result.changes.created, 1U);
  EXPECT_EQ(report.result.changes.updated, 2U) << "the site, and the link that is called after it";
  EXPECT_EQ(count(Kind::link), 1U);
  EXPECT_EQ(asked(), 22U);
}

TEST_F(NetboxSource, IsAskedWhichRecordsThereAreWhenSomeAreGone) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  records_["dcim/cables"].erase(1);
  peer_.forget();
  const PollReport report = poll();
  ASSERT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_EQ(report.result.changes.deleted, 1U);
  EXPECT_EQ(asked(), 23U);
  EXPECT_EQ(count(Kind::link), 0U);
}

TEST_F(NetboxSource, IsReadAnewWhereItHasRecordsThatNobodyKnows) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  put("dcim/sites", 3, R"("name": "Trondheim", "slug": "trondheim")");
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(count(Kind::node), 3U);
}

TEST_F(NetboxSource, IsReadAnewByForceAndWithOtherFilters) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  asked_.clear();
  PollOrder forced;
  forced.force = true;
  EXPECT_EQ(poll(forced).end, PollEnd::imported);
  EXPECT_THAT(asked_, Not(HasSubstr("last_updated__gte")));
  SourceFields fields;
  fields.filters = std::vector<std::string>{"region=europe", "site=oslo"};
  change(fields);
  asked_.clear();
  poll();
  EXPECT_THAT(asked_, AllOf(Not(HasSubstr("last_updated__gte")),
                            HasSubstr("dcim/sites?limit=1000&offset=0&ordering=id&region=europe"
                                      "&slug=oslo\n"),
                            HasSubstr("dcim/cables?limit=1000&offset=0&ordering=id"
                                      "&fields=id,a_terminations,b_terminations\n")));
}

TEST_F(NetboxSource, BecomesTheMapThatIsWanted) {
  put("dcim/regions", 1, R"("name": "Norway", "slug": "canary", "parent": null)");
  put("dcim/sites", 1, R"("name": "Oslo", "slug": "oslo", "region": {"id": 1})");
  const auto want = [&](const char* mapping) {
    SourceFields fields;
    fields.mapping = mapping;
    change(fields);
    asked_.clear();
    return poll();
  };
  const PollReport report = want("topologies=region,nodes=device");
  ASSERT_EQ(report.end, PollEnd::imported) << report.message;
  EXPECT_EQ(state()->catalog.imports.find(report.record)->format,
            "netbox;mapping=\"nodes=device,topologies=region\"");
  EXPECT_THAT(asked_, AllOf(HasSubstr("dcim/regions?"), HasSubstr("&fields=id,name,parent\n"),
                            HasSubstr("&fields=id,site,location,name,tenant\n")));
  EXPECT_EQ(count(Kind::topology), 2U) << "that of the source, and that of the region";
  EXPECT_EQ(poll().end, PollEnd::unchanged);

  ASSERT_EQ(want("").end, PollEnd::imported);
  EXPECT_THAT(asked_, Not(HasSubstr("dcim/regions")));
  EXPECT_EQ(count(Kind::topology), 1U);
  EXPECT_EQ(want("owner=provider").end, PollEnd::imported) << "of a file that is the same";
  EXPECT_EQ(poll().end, PollEnd::unchanged);
}

TEST_F(NetboxSource, KeepsFiltersAndMappingApart) {
  SourceFields fields;
  fields.filters = std::vector<std::string>{"region=europe"};
  fields.mapping = "topologies=tenant,nodes=location";
  change(fields);
  const auto choice = [&] { return netbox_choice(*state()->catalog.sources.find(1)); };
  EXPECT_THAT(choice().filters, ::testing::ElementsAre("region=europe"));
  EXPECT_EQ(mapping_text(choice().mapping), "nodes=location,topologies=tenant");
  fields = {};
  fields.filters.emplace();
  change(fields);
  EXPECT_THAT(choice().filters, ::testing::IsEmpty());
  EXPECT_EQ(mapping_text(choice().mapping), "nodes=location,topologies=tenant");
  fields = {};
  fields.mapping = "nodes=site";
  change(fields);
  EXPECT_THAT(state()->catalog.sources.find(1)->filters, ::testing::IsEmpty());
}

TEST_F(NetboxSource, KeepsNothingThatTheMappingDoesNotName) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  const auto peer = state()->catalog.peer_states.find(1);
  const auto kept = read_kept_file(*node_, peer->file_hash);
  ASSERT_TRUE(kept);
  EXPECT_THAT(*kept, AllOf(HasSubstr("Oslo"), Not(HasSubstr("canary"))));
}

TEST_F(NetboxSource, ThatAnswersWrongChangesNothing) {
  ASSERT_EQ(poll().end, PollEnd::imported);
  peer_.on("/api/dcim/devices/", [](const net::Request&) { return answer(403, "{}"); });
  expect_failure("denied", "dcim/devices/: access denied");
  peer_.on("/api/dcim/devices/", [](const net::Request&) { return answer(200, "<html>"); });
  expect_failure("unexpected_answer", "dcim/devices/ is no page of NetBox");
  peer_.on("/api/dcim/devices/", [](const net::Request&) {
    return answer(200, R"({"count": 5, "next": null, "results": []})");
  });
  expect_failure("unexpected_answer", "dcim/devices/ has 0 of 5 records");
}

TEST_F(NetboxSource, IsBoundedByWhatAFileMayHold) {
  PollRules rules;
  rules.limits.body_bytes_max = 500;
  use(std::move(rules));
  expect_failure("too_large", "bytes of all answers");
}

TEST_F(NetboxSource, IsTestedByAPageOfItsSites) {
  const auto reports = polling_.test(kCaller, {1});
  ASSERT_TRUE(reports.has_value());
  EXPECT_TRUE(reports->front().good) << reports->front().message;
  EXPECT_THAT(reports->front().message, HasSubstr("has 2 sites"));
  peer_.on("/api/dcim/sites/", [](const net::Request&) { return answer(403, ""); });
  EXPECT_EQ(polling_.test(kCaller, {1})->front().reason, "denied");
}

TEST_F(NetboxSource, HasTokensAndFiltersOfItsOwn) {
  const auto refused = [&](const SourceFields& fields) {
    const Status updated = sources_.update(kCaller, "peer", fields);
    EXPECT_FALSE(updated);
    return updated ? std::string() : updated.error().text();
  };
  SourceFields filters;
  filters.filters = std::vector<std::string>{"name=x&limit=1"};
  EXPECT_THAT(refused(filters), HasSubstr("region=europe"));
  filters.filters = std::vector<std::string>{"nodes=device"};
  EXPECT_THAT(refused(filters), HasSubstr("region=europe"));
  SourceFields mapping;
  mapping.mapping = "nodes=rack";
  EXPECT_THAT(refused(mapping), HasSubstr("nodes=site|location|device"));
  SourceFields back;
  back.kind = engine::SourceKind::netml;
  back.filters = std::vector<std::string>{"region=europe"};
  EXPECT_THAT(refused(back), HasSubstr("\"netbox\" alone"));
  back.filters.reset();
  back.mapping = "nodes=device";
  EXPECT_THAT(refused(back), HasSubstr("\"netbox\" alone"));
  back.mapping.reset();
  change(back);
  EXPECT_TRUE(state()->catalog.sources.find(1)->sealed_token.empty())
      << "another program would get the token otherwise";
  SourceFields token;
  token.token = std::string(40, 'a');
  EXPECT_THAT(refused(token), HasSubstr("at most 32 characters"));
}

}  // namespace
}  // namespace netml::admin

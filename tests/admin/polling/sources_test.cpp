// Goal: a source is what a poll may safely go to, and its token is kept secret (N1, A4, C5;
// decision 32; docs/requirements/polling-and-publishing.md, sections 2 and 3). Method: a table of
// tricks; a node on a real directory.
#include "admin/polling/sources.hpp"

#include <gtest/gtest.h>

#include "admin/polling/source_address.hpp"
#include "tests/admin/support/named_sources.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

using testing::OpenNode;

using testing::kCaller;

SourceFields peer(const std::string& name) {
  SourceFields fields;
  fields.name = name;
  fields.hostname = "peer.example.org";
  return fields;
}
SourceFields with(const std::function<void(SourceFields&)>& change) {
  SourceFields fields = peer("peer");
  change(fields);
  return fields;
}

// ---- where it is ----

TEST(SourceAddress, AcceptsNamesAndCanonicalAddresses_N1) {
  for (const char* host : {"peer", "peer.example.org", "PEER.Example.ORG", "xn--bcher-kva.example",
                           "a-b.c_d.e", "1.peer", "127.0.0.1", "255.255.255.255", "::1",
                           "2001:db8::1", "fe80::1", "node_1", "4ever"})
    EXPECT_TRUE(check_hostname(host).has_value()) << host;
}

constexpr std::string_view kNoHosts[] = {"",
                                         " ",
                                         ".",
                                         "..",
                                         "peer.",
                                         ".peer",
                                         "a..b",
                                         "-a",
                                         "a-",
                                         "a-.b",
                                         "a b",
                                         " peer",
                                         "peer ",
                                         "peer\n",
                                         "peer\r\nHost: x",
                                         "peer\t",
                                         std::string_view("peer\0", 5),
                                         "peer/",
                                         "peer/path",
                                         "peer:80",
                                         "peer:",
                                         "user@peer",
                                         "user:pw@peer",
                                         "@peer",
                                         "peer#x",
                                         "peer?x",
                                         "peer%2e",
                                         "%70eer",
                                         "peer\\x",
                                         "http://peer",
                                         "//peer",
                                         "[::1]",
                                         "[::1",
                                         "::1]",
                                         "[::1]:80",
                                         "fe80::1%eth0",
                                         "fe80::1%25eth0",
                                         "0:0:0:0:0:0:0:1",
                                         "::0001",
                                         "::FFFF:1.2.3.4",
                                         "2001:DB8::1",
                                         "2001:db8:0::1",
                                         "1::2::3",
                                         ":::1",
                                         ":",
                                         "::g",
                                         "::127.1",
                                         "0",
                                         "1",
                                         "2130706433",
                                         "0x7f000001",
                                         "0X7F000001",
                                         "0x",
                                         "0x7f.0.0.1",
                                         "127.1",
                                         "127.0.1",
                                         "127.0.0.01",
                                         "0177.0.0.1",
                                         "127.0.0.1.",
                                         "127.0.0.256",
                                         "127.0.0.0x1",
                                         "1.2.3.4.5",
                                         "00.0.0.0",
                                         "peer.1",
                                         "a.0x1",
                                         "p\xC3\xA9",
                                         "\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1",
                                         "1\xE3\x80\x82"
                                         "1",
                                         "peer,other",
                                         "peer;x",
                                         "peer&x",
                                         "a*b",
                                         "*",
                                         "(a)",
                                         "a+b",
                                         "a=b",
                                         "a~b",
                                         "a!b",
                                         "$a",
                                         "'a'",
                                         "\"a\"",
                                         "<a>",
                                         "a|b",
                                         "{a}",
                                         "a^b",
                                         "`a`"};

TEST(SourceAddress, RefusesEveryOtherWayToNameAHost_N1) {
  for (const std::string_view host : kNoHosts)
    EXPECT_FALSE(check_hostname(host).has_value()) << ::testing::PrintToString(host);
  for (const std::string& host :
       {std::string(64, 'a'), std::string(64, 'a') + ".b", std::string(254, 'a')})
    EXPECT_FALSE(check_hostname(host).has_value()) << host;
}

TEST(SourceAddress, TakesPathsOfWholeSegments_N1) {
  for (const char* path :
       {"", "a/", "published_network_data/current/", "a.b/c-d/e_f/~g/", "..a/", "a../", ".../"})
    EXPECT_TRUE(check_source_path(path).has_value()) << path;
  for (const std::string& path :
       {std::string("/"),           std::string("a"),         std::string("/a/"),
        std::string("a//"),         std::string("a//b/"),     std::string("./"),
        std::string("../"),         std::string("a/../"),     std::string("a/./b/"),
        std::string("a/b"),         std::string("a b/"),      std::string("a%20b/"),
        std::string("%2e%2e/"),     std::string("a?x/"),      std::string("a#x/"),
        std::string("a;x/"),        std::string("a\\b/"),     std::string("a:b/"),
        std::string("@a/"),         std::string("\xC3\xA9/"), std::string("a\n/"),
        std::string("a\0/", 3),     std::string("a b/c/xx"),  std::string("a&b/"),
        std::string(255, 'a') + "/"})
    EXPECT_FALSE(check_source_path(path).has_value()) << ::testing::PrintToString(path);
}

TEST(SourceAddress, PutsUrlsTogether) {
  engine::PollingSource source;
  source.hostname = "peer";
  EXPECT_EQ(base_url(source), "https://peer:443/");
  EXPECT_EQ(polling_url(source), "https://peer:443/netml_export/");
  EXPECT_EQ(status_url(source), "https://peer:443/status/");
  source.protocol = engine::Protocol::http;
  source.hostname = "2001:db8::1";
  source.port = 8080;
  source.path = "map/published_network_data/current/";
  EXPECT_EQ(polling_url(source),
            "http://[2001:db8::1]:8080/map/published_network_data/current/netml_export/");
  EXPECT_EQ(status_url(source), "http://[2001:db8::1]:8080/map/status/");
  source.path = "unpublished_network_data/current/";
  EXPECT_EQ(status_url(source),
            "http://[2001:db8::1]:8080/unpublished_network_data/current/status/");
}

// ---- the records ----

TEST(Sources, AreKeptWithTheirDefaultsThroughAStart) {
  OpenNode node;
  const auto number = Sources(*node).create(kCaller, peer("peer"));
  ASSERT_TRUE(number.has_value()) << number.error().message;
  ASSERT_TRUE(node->checkpoint().has_value());
  node.close();
  node.open();
  const auto source = node->version().state->catalog.sources.find(*number);
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(source->name, "peer");
  EXPECT_EQ(source->protocol, engine::Protocol::https);
  EXPECT_EQ(source->port, 443);
  EXPECT_TRUE(source->active);
  EXPECT_EQ(*Sources(*node).token(*source), std::nullopt);
  EXPECT_TRUE(node.events().warnings.empty());
}

TEST(Sources, RefuseWhatCannotBePolled) {
  OpenNode node;
  testing::NamedSources sources(*node);
  for (const auto& change : std::vector<std::function<void(SourceFields&)>>{
           [](SourceFields& f) { f.name = ""; },
           [](SourceFields& f) { f.name = std::string(141, 'n'); },
           [](SourceFields& f) { f.hostname.reset(); }, [](SourceFields& f) { f.hostname = "a/b"; },
           [](SourceFields& f) { f.port = 0; }, [](SourceFields& f) { f.port = -1; },
           [](SourceFields& f) { f.port = 65536; }, [](SourceFields& f) { f.port = 99999999; },
           [](SourceFields& f) { f.path = "a"; },
           [](SourceFields& f) { f.token = std::string(33, 't'); },
           [](SourceFields& f) { f.token = "a b"; }, [](SourceFields& f) { f.token = "a\r\nX: y"; },
           [](SourceFields& f) { f.ca_certificates = "no certificate"; },
           [](SourceFields& f) { f.protocol = engine::Protocol::http; },
           [](SourceFields& f) { f.unverified = true; }}) {
    const auto refused = sources.create(kCaller, with(change));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, Errc::invalid_input) << refused.error().message;
  }
  EXPECT_EQ(node->version().state->catalog.sources.count(), 0U);
  EXPECT_TRUE(sources
                  .create(kCaller, with([](SourceFields& f) {
                            f.name.reset();
                            f.name = std::string(140, 'n');
                            f.port = 65535;
                            f.token = std::string(32, 't');
                          }))
                  .has_value());
}

TEST(Sources, MayBeLaxerWhereNobodyIsHarmed) {
  OpenNode node;
  testing::NamedSources sources(*node);
  const auto plain = with([](SourceFields& f) { f.protocol = engine::Protocol::http; });
  const auto unchecked = with([](SourceFields& f) {
    f.name = "unchecked";
    f.unverified = true;
  });
  sources.set_rule(SourceRule::test_mode);
  EXPECT_TRUE(sources.create(kCaller, plain).has_value());
  EXPECT_FALSE(sources.create(kCaller, unchecked).has_value());
  sources.set_rule(SourceRule::development);
  EXPECT_TRUE(sources.create(kCaller, unchecked).has_value());
  sources.set_rule(SourceRule::production);
  EXPECT_TRUE(sources
                  .create(kCaller, with([](SourceFields& f) {
                            f.name = "marked";
                            f.protocol = engine::Protocol::http;
                            f.plain_http = true;
                          }))
                  .has_value());
}

TEST(Sources, ForgetTheMarkForPlainHttpWithTheProtocol) {
  OpenNode node;
  testing::NamedSources sources(*node);
  SourceFields fields = peer("peer");
  fields.protocol = engine::Protocol::http;
  fields.plain_http = true;
  ASSERT_TRUE(sources.create(kCaller, fields).has_value());
  SourceFields change;
  change.protocol = engine::Protocol::https;
  ASSERT_TRUE(sources.update(kCaller, "peer", change).has_value());
  change.protocol = engine::Protocol::http;
  EXPECT_FALSE(sources.update(kCaller, "peer", change).has_value());
}

TEST(Sources, HaveNamesOfTheirOwn) {
  OpenNode node;
  testing::NamedSources sources(*node);
  ASSERT_TRUE(sources.create(kCaller, peer("a")).has_value());
  ASSERT_TRUE(sources.create(kCaller, peer("b")).has_value());
  EXPECT_EQ(sources.create(kCaller, peer("a")).error().code, Errc::conflict);
  SourceFields change;
  change.name = "a";
  EXPECT_EQ(sources.update(kCaller, "b", change).error().code, Errc::conflict);
  change.name = "c";
  EXPECT_TRUE(sources.update(kCaller, "b", change).has_value());
  EXPECT_EQ(sources.update(kCaller, "b", change).error().code, Errc::not_found);
  EXPECT_TRUE(sources.remove(kCaller, "a").has_value());
  EXPECT_EQ(sources.remove(kCaller, "a").error().code, Errc::not_found);
}

TEST(Sources, ChangeNothingWhenNothingDiffers) {
  OpenNode node;
  testing::NamedSources sources(*node);
  ASSERT_TRUE(sources.create(kCaller, peer("peer")).has_value());
  const Lsn before = node->version().state->lsn;
  SourceFields same;
  same.port = 443;
  ASSERT_TRUE(sources.update(kCaller, "peer", same).has_value());
  EXPECT_EQ(node->version().state->lsn, before);
}

TEST(Sources, KeepTheirTokensSecret_A4) {
  const std::string secret = "the-token-of-a-peer";
  OpenNode node;
  testing::NamedSources sources(*node);
  const auto number = sources.create(kCaller, with([&](SourceFields& f) { f.token = secret; }));
  ASSERT_TRUE(number.has_value());
  SourceFields other;
  other.path = "map/";
  ASSERT_TRUE(sources.update(kCaller, "peer", other).has_value());
  const auto stored = [&] { return node->version().state->catalog.sources.find(*number); };
  EXPECT_EQ(*sources.token(*stored()), secret);
  ASSERT_TRUE(node->checkpoint().has_value());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(node.file(""))) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(test::file_content(entry.path()).find(secret), std::string::npos) << entry.path();
  }
  other.token = "";
  ASSERT_TRUE(sources.update(kCaller, "peer", other).has_value());
  EXPECT_EQ(*sources.token(*stored()), std::nullopt);
}

TEST(Sources, SendTheirTokenToNobodyButWhomItWasGivenFor_A5) {
  OpenNode node;
  testing::NamedSources sources(*node);
  const auto number = sources.create(kCaller, with([&](SourceFields& f) { f.token = "secret"; }));
  const auto token = [&] {
    return *sources.token(*node->version().state->catalog.sources.find(*number));
  };
  const auto update = [&](auto&& set) {
    SourceFields fields;
    set(fields);
    return sources.update(kCaller, "peer", fields).has_value();
  };
  ASSERT_TRUE(update([](SourceFields& f) { f.hostname = "elsewhere.example"; }));
  EXPECT_EQ(token(), std::nullopt);
  ASSERT_TRUE(update([](SourceFields& f) {
    f.hostname = "third.example";
    f.token = "another";
  }));
  EXPECT_EQ(token(), "another") << "it came with the address";
  ASSERT_TRUE(update([](SourceFields& f) { f.port = 8443; }));
  EXPECT_EQ(token(), std::nullopt);
}

TEST(Sources, HaveAnAuthorityWithTheListThatItNeeds) {
  OpenNode node;
  testing::NamedSources sources(*node);
  const auto number = sources.create(kCaller, peer("peer"));
  const auto stored = [&] { return node->version().state->catalog.sources.find(*number); };
  EXPECT_EQ(stored()->authority, engine::SourceAuthority::own);
  SourceFields fields;
  fields.authority = engine::SourceAuthority::listed;
  EXPECT_EQ(sources.update(kCaller, "peer", fields).error().code, Errc::invalid_input);
  fields.listed_topologies = {"urn:a", "urn:b"};
  ASSERT_TRUE(sources.update(kCaller, "peer", fields).has_value());
  EXPECT_EQ(stored()->listed_topologies.size(), 2U);
  fields.listed_topologies = {""};
  EXPECT_EQ(sources.update(kCaller, "peer", fields).error().code, Errc::invalid_input);
  fields = {};
  fields.authority = engine::SourceAuthority::any;
  ASSERT_TRUE(sources.update(kCaller, "peer", fields).has_value());
  EXPECT_TRUE(stored()->listed_topologies.empty());
  ASSERT_EQ(node.events().warnings.size(), 1U);
  EXPECT_TRUE(node.events().warnings.front().starts_with("source_authority: "));
}

TEST(Sources, TellWhenTheKeyOfATokenIsLost) {
  OpenNode node;
  const auto number = Sources(*node).create(kCaller, with([](SourceFields& f) { f.token = "t"; }));
  ASSERT_TRUE(number.has_value());
  engine::PollingSource source = *node->version().state->catalog.sources.find(*number);
  source.sealed_token.back() = static_cast<char>(source.sealed_token.back() ^ 1);
  EXPECT_EQ(Sources(*node).token(source).error().code, Errc::conflict);
}

}  // namespace
}  // namespace netml::admin

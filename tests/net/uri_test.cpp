// Request targets and hosts (X5, decision 33), networks (A20).
#include "net/http/uri.hpp"

#include <gtest/gtest.h>

#include "net/http/address.hpp"

namespace netml::net {
namespace {

TEST(Target, IsDecodedOnceAndItsSlashesMerge) {
  const auto target = parse_target("//netml_export///map%5Fdata/?a=%20b");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->path, "/netml_export/map_data/");
  EXPECT_EQ(target->query, "a=%20b");
  EXPECT_EQ(parse_target("/a%2520b").value().path, "/a%20b");
}

TEST(Target, InAbsoluteFormGivesItsHostApart) {
  const auto target = parse_target("HTTP://Example.org:80/x/");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->authority, "Example.org:80");
  EXPECT_EQ(target->path, "/x/");
  EXPECT_EQ(parse_target("http://h").value().path, "/");
}

TEST(Target, WithTricksIsRefused) {
  for (const char* trick :
       {"/a%00b", "/a%2fb", "/a%2Fb", "/a/../b", "/a/..", "/%2e%2e/b", "/a\\b",
        "/a%5cb", "/a%0ab", "/a%7f",  "/a\x80",  "/a b",  "a/b",       "",
        "*",      "/a#b",   "/a%",    "/a%4",    "/a%zz", "http:///x", "ftp://h/x"}) {
    EXPECT_FALSE(parse_target(trick).has_value()) << trick;
  }
}

TEST(HostName, IsTheAuthorityWithoutItsPort) {
  EXPECT_EQ(host_name("Example.ORG:8080"), "example.org");
  EXPECT_EQ(host_name("example.org."), "example.org");
  EXPECT_EQ(host_name("[::1]:80"), "[::1]");
  for (const char* bad : {"", ":80", "a b", "a/b", "user@host", "host:x", "host:123456", "[::1",
                          "[]", "[::1]x", "a,b", "\xc3\xa4.org"}) {
    EXPECT_EQ(host_name(bad), std::nullopt) << bad;
  }
}

TEST(HostAllowList, AdmitsLoopbackAndOwnAddressByDefault) {
  const HostAllowList hosts;
  EXPECT_TRUE(hosts.allows("localhost", "192.0.2.1"));
  EXPECT_TRUE(hosts.allows("127.0.0.1", "192.0.2.1"));
  EXPECT_TRUE(hosts.allows("192.0.2.1", "192.0.2.1"));
  EXPECT_TRUE(hosts.allows("[2001:db8::1]", "2001:db8::1"));
  EXPECT_FALSE(hosts.allows("evil.example", "192.0.2.1"));
}

TEST(HostAllowList, AdmitsOnlyWhatItListsOnceItListsAnything) {
  const HostAllowList hosts({"Map.example.org", ".ren.example"});
  EXPECT_TRUE(hosts.allows("map.example.org", ""));
  EXPECT_TRUE(hosts.allows("a.ren.example", ""));
  EXPECT_TRUE(hosts.allows("ren.example", ""));
  EXPECT_FALSE(hosts.allows("evilren.example", ""));
  EXPECT_FALSE(hosts.allows("localhost", ""));
  EXPECT_TRUE(HostAllowList({"*"}).allows("anything", ""));
}

TEST(IpNetwork, ContainsTheAddressesOfItsPrefix) {
  const auto network = IpNetwork::parse("10.1.128.0/17");
  ASSERT_TRUE(network.has_value());
  EXPECT_TRUE(network->contains(*IpAddress::parse("10.1.255.1")));
  EXPECT_TRUE(network->contains(*IpAddress::parse("::ffff:10.1.128.9")));
  EXPECT_FALSE(network->contains(*IpAddress::parse("10.1.127.255")));
  EXPECT_TRUE(IpNetwork::parse("::/0")->contains(*IpAddress::parse("192.0.2.1")));
  for (const char* bad : {"10.0.0.0/33", "10.0.0/8", "::/129", "x", "10.0.0.0/", "010.0.0.1"})
    EXPECT_FALSE(IpNetwork::parse(bad).has_value()) << bad;
}

// Whoever has one IPv6 address has 2^64 of them.
TEST(ClientGroup, IsTheNetworkOfAnIpv6AddressAndAnIpv4AddressAlone) {
  const auto same = [](const char* a, const char* b) { return client_group(a) == client_group(b); };
  EXPECT_TRUE(same("2001:db8:0:1::1", "2001:DB8:0:1:ffff:ffff:ffff:ffff"));
  EXPECT_FALSE(same("2001:db8:0:1::1", "2001:db8:0:2::1"));
  EXPECT_TRUE(same("fe80::1%eth0", "fe80::2%eth0"));
  EXPECT_EQ(client_group("2001:db8:0:1::1"), "2001:db8:0:1::/64");
  EXPECT_EQ(client_group("192.0.2.1"), "192.0.2.1");
  EXPECT_TRUE(same("192.0.2.1", "::ffff:192.0.2.1"));
  EXPECT_FALSE(same("192.0.2.1", "192.0.2.2"));
  EXPECT_FALSE(same("::ffff:192.0.2.1", "::ffff:192.0.2.2"));
  for (const char* other : {"", "unknown", "127.0.0.1:80"}) EXPECT_EQ(client_group(other), other);
}

}  // namespace
}  // namespace netml::net

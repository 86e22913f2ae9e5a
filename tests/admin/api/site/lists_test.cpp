// Goal: a page of a table costs that page, however long the table has become (invariant: the cost
// follows the work). Method: tables of many entries, and a maker that counts its calls.
#include "admin/api/site/calls/lists.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin::web {
namespace {

namespace json = boost::json;
using engine::AllowedOrigin;

constexpr std::uint64_t kEntries = 5000;
constexpr std::array<std::string_view, 1> kSearched{"name"};

class Lists : public ::testing::Test {
 protected:
  Lists() {
    for (std::uint64_t number = 1; number <= kEntries; ++number) put(number);
  }
  void put(std::uint64_t number) {
    AllowedOrigin entry;
    entry.name = "origin " + std::to_string(number % 1000);
    table_.set(number, std::make_shared<const AllowedOrigin>(std::move(entry)));
  }
  // How an answer of the list looks; counts what was made for it.
  Result<net::Response> ask(const std::string& query) {
    whole_ = names_ = 0;
    const net::Request request = testing::OpenSite::request(net::Method::get, "list?" + query);
    const std::string body;
    const Call call{site_.site(), site_.services(), request, body, std::nullopt};
    return newest_first(call, table_, kSearched,
                        [&](std::uint64_t number, const AllowedOrigin& entry, ItemFields item) {
                          item.add("number", [&] { return number; });
                          item.add("name", [&] { return ++names_, entry.name; });
                          item.add("log", [&] { return ++whole_, json::array{1, 2}; });
                          return item.take();
                        });
  }
  json::value answer(const std::string& query) {
    const auto response = ask(query);
    EXPECT_TRUE(response.has_value());
    return json::parse(std::get<std::string>(response->body));
  }
  static std::vector<std::uint64_t> numbers(const json::value& answer) {
    std::vector<std::uint64_t> numbers;
    for (const json::value& item : answer.at("items").as_array())
      numbers.push_back(item.at("number").to_number<std::uint64_t>());
    return numbers;
  }

  using Numbers = std::vector<std::uint64_t>;
  testing::OpenSite site_;
  engine::Table<AllowedOrigin> table_;
  std::size_t whole_ = 0;  // items with all their fields
  std::size_t names_ = 0;
};

TEST_F(Lists, MakeTheItemsOfThePageAndTheFirst) {
  const json::value newest = answer("limit=3");
  EXPECT_EQ(numbers(newest), (Numbers{5000, 4999, 4998}));
  EXPECT_EQ(newest.at("total"), kEntries);
  EXPECT_EQ(newest.at("next"), "3");
  EXPECT_EQ(whole_, 4U);
  EXPECT_EQ(names_, 4U) << "no other entry was looked at";
  EXPECT_EQ(answer("limit=3&sort=-number"), newest) << "what pages ask for is that order";
  EXPECT_EQ(names_, 4U);
  EXPECT_EQ(numbers(answer("limit=2&cursor=4997")), (Numbers{3, 2}));
  EXPECT_EQ(whole_, 3U);
  const json::value last = answer("limit=9&cursor=4999");
  EXPECT_EQ(numbers(last), Numbers{1});
  EXPECT_TRUE(last.at("next").is_null());
  EXPECT_EQ(numbers(answer("cursor=6000")), Numbers{});
  EXPECT_EQ(whole_, 1U);
}

TEST_F(Lists, PassOverNumbersThatAreNobodysAnyMore) {
  for (const std::uint64_t gone : {1, 2, 4998, 5000}) table_.set(gone, nullptr);
  EXPECT_EQ(numbers(answer("limit=2")), (Numbers{4999, 4997}));
  EXPECT_EQ(answer("limit=2").at("total"), kEntries - 4);
  EXPECT_EQ(numbers(answer("limit=2&cursor=4995")), Numbers{3});
  table_ = {};
  EXPECT_EQ(numbers(answer("sort=colour")), Numbers{}) << "nothing tells the fields";
  EXPECT_EQ(answer("").at("total"), 0);
}

TEST_F(Lists, JudgeEntriesByTheFieldsInQuestion) {
  const json::value found = answer("q=ORIGIN%20999&limit=2");
  EXPECT_EQ(numbers(found), (Numbers{4999, 3999}));
  EXPECT_EQ(found.at("total"), 5) << "of those found";
  EXPECT_EQ(whole_, 3U);
  EXPECT_EQ(numbers(answer("name=origin%207&limit=2&cursor=1")), (Numbers{3007, 2007}));
  EXPECT_EQ(whole_, 3U);
  EXPECT_EQ(numbers(answer("number=17")), Numbers{17});
  EXPECT_EQ(whole_, 2U);
  EXPECT_EQ(names_, 2U) << "the filter is of another field";
  EXPECT_EQ(answer("log=1").at("total"), kEntries) << "a list is no filter";
  EXPECT_EQ(whole_, 101U);
}

TEST_F(Lists, SortByOneFieldAndKeepTheOrderOfEquals) {
  EXPECT_EQ(numbers(answer("sort=number&limit=3&cursor=1")), (Numbers{2, 3, 4}));
  EXPECT_EQ(whole_, 4U);
  EXPECT_EQ(numbers(answer("sort=name&limit=3")), (Numbers{5000, 4000, 3000}));
  EXPECT_EQ(numbers(answer("sort=-name&limit=2")), (Numbers{4999, 3999}));
  const auto refused = ask("sort=colour");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::invalid_input);
}

TEST_F(Lists, OfSmallTablesAreTheSame) {
  const std::vector<json::object> items{{{"name", "b"}, {"size", 2}},
                                        {{"name", "A"}, {"size", 10}, {"more", 1}}};
  const auto names = [&](const std::string& query) {
    const net::Request request = testing::OpenSite::request(net::Method::get, "list?" + query);
    const std::string body;
    const Call call{site_.site(), site_.services(), request, body, std::nullopt};
    const auto response = list_answer(call, items, kSearched);
    std::string all;
    if (!response) return response.error().text();
    const json::value page = json::parse(std::get<std::string>(response->body));
    for (const json::value& item : page.at("items").as_array()) all += item.at("name").as_string();
    return all;
  };
  EXPECT_EQ(names(""), "bA");
  EXPECT_EQ(names("sort=name"), "Ab");
  EXPECT_EQ(names("sort=-size"), "Ab");
  EXPECT_EQ(names("q=a"), "A");
  EXPECT_EQ(names("size=2"), "b");
}

}  // namespace
}  // namespace netml::admin::web

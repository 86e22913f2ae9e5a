// Views as JSON (docs/views.md).
#include "codecs/formats/view_json.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace netml::codecs {
namespace {

constexpr std::string_view kEveryStep = R"({"steps": [
  {"keep": {"owner": "urn:us"}},
  {"keep": [{"kind": "link", "topology": ["urn:a", "urn:b"]}, {"id": "urn:n"}]},
  {"drop": {"kind": ["node", "link"], "tag": "internal"}},
  {"drop": {"property": {"name": "room"}}},
  {"drop": {"property": {"name": "room", "value": "12"}}},
  {"round": {"degrees": 0.5}},
  {"round": {"degrees": 0.25, "kind": "node"}},
  {"keep_properties": {"names": ["speed", "tag"], "kind": "link"}},
  {"keep_properties": {}},
  {"drop_properties": {"names": ["contact*"]}},
  {"rename_property": {"from": "a", "to": "b"}},
  {"drop_fields": {"names": ["address", "start"]}},
  {"collapse": {"to": "site"}},
  {"collapse": {"to": "owner"}},
  {"pseudonyms": {"fields": ["id", "name"], "kind": "node", "key": "public"}}]})";

TEST(ViewJson, IsReadAndWrittenTheSame) {
  const Result<engine::View> view = read_view(kEveryStep);
  ASSERT_TRUE(view) << view.error().text();
  EXPECT_EQ(view->steps.size(), 15U);
  EXPECT_EQ(boost::json::value(view_json(*view)), boost::json::parse(kEveryStep));
  const Result<engine::View> again = read_view(boost::json::serialize(view_json(*view)));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(*again == *view);
}

TEST(ViewJson, NamesOfPropertiesAreInLowerCaseAsTheyAreStored) {
  const auto view = read_view(R"({"steps":[{"drop_properties":{"names":"Contact"}}]})");
  ASSERT_TRUE(view) << view.error().text();
  EXPECT_EQ(std::get<engine::PropertiesStep>(view->steps.at(0)).names,
            (std::vector<std::string>{"contact"}));
}

TEST(ViewJson, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](std::string_view text) {
    const auto view = read_view(text);
    return view ? std::string("fine") : view.error().text();
  };
  EXPECT_EQ(wrong("[]"), "the view is no JSON object");
  EXPECT_EQ(wrong("{}"), "steps: must be a list");
  EXPECT_EQ(wrong(R"({"step":[]})"), "step: is no field of a view (did you mean steps?)");
  EXPECT_EQ(wrong(R"({"steps":[{}]})"),
            "steps.0: must be an object with one member, which says what is done");
  EXPECT_EQ(wrong(R"({"steps":[{"hide":{}}]})"), "steps.0.hide: is no field of a step of a view");
  EXPECT_EQ(wrong(R"({"steps":[{"drop":{}}]})"),
            "steps.0.drop: selects everything; name something");
  EXPECT_EQ(wrong(R"({"steps":[{"drop":{"ownr":"x"}}]})"),
            "steps.0.drop.ownr: is no field of a step of a view (did you mean owner?)");
  EXPECT_EQ(wrong(R"({"steps":[{"drop":[{"tag":"a"},{"kind":"nodes"}]}]})"),
            "steps.0.drop.1.kind: must be \"topology\" or \"institution\" or \"node\" or \"link\"");
  EXPECT_EQ(wrong(R"({"steps":[{"round":{"degrees":0}}]})"),
            "steps.0.round.degrees: must be a number from 0.000001 to 90");
  EXPECT_EQ(wrong(R"({"steps":[{"drop_fields":{"names":["nam"]}}]})"),
            "steps.0.drop_fields.names: \"nam\" is no field");
  EXPECT_EQ(wrong(R"({"steps":[{"pseudonyms":{"fields":["id"]}}]})"),
            "steps.0.pseudonyms.key: is missing");
}

}  // namespace
}  // namespace netml::codecs

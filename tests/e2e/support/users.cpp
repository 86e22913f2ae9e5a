#include "tests/e2e/support/users.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <map>
#include <optional>

#include "tests/support/netml_text.hpp"

namespace netml::e2e {

namespace json = boost::json;

namespace {

constexpr int kBusy = 503;  // and nothing was done

// What is always asked of a server that nobody kills.
net::ClientResponse expect_answer(const Answer& answer, int status) {
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  if (!answer) return {};
  EXPECT_EQ(answer->status, status) << answer->body;
  return *answer;
}

// Moves something of its own from one of two states to the other.
class Alternating : public User {
 public:
  bool ask(const Doors& doors) final {
    const int next = 1 - stored_;
    const Answer answer = move_to(next, doors);
    if (!answer) {
      uncertain_ = next;
      return false;
    }
    if (answer->status == kBusy) return true;
    EXPECT_THAT(answer->status, testing::AnyOf(200, 201, 204)) << answer->body;
    stored_ = next;
    ++answered_;
    return true;
  }

  void check(const Doors& doors) final {
    const std::optional<int> found = find(doors);
    if (uncertain_ && found == uncertain_) {
      stored_ = *found;
      ++kept_unanswered_;
    }
    EXPECT_EQ(found, stored_) << name() << ": not the state answered last, nor the one asked for";
    uncertain_.reset();
  }

 protected:
  virtual Answer move_to(int state, const Doors& doors) = 0;
  virtual std::optional<int> find(const Doors& doors) = 0;
  virtual std::string name() const = 0;

 private:
  int stored_ = 0;
  std::optional<int> uncertain_;
};

class Importer final : public Alternating {
 public:
  Importer(TwoMaps map, const Doors& doors) : map_(std::move(map)) {
    for (const int state : {1, 0}) {
      expect_answer(move_to(state, doors), 201);
      exports_[static_cast<std::size_t>(state)] = export_now(doors);
    }
    EXPECT_NE(exports_[0], exports_[1]);
  }

 private:
  Answer move_to(int state, const Doors& doors) override {
    return doors.importing.upload(map_.files[static_cast<std::size_t>(state)]);
  }
  std::optional<int> find(const Doors& doors) override {
    const auto found = std::ranges::find(exports_, export_now(doors));
    if (found == exports_.end()) return std::nullopt;
    return static_cast<int>(found - exports_.begin());
  }
  std::string name() const override { return map_.root; }
  std::string export_now(const Doors& doors) const {
    return expect_answer(doors.control.get("/api/v1/node/export?topology=" + map_.root), 200).body;
  }

  TwoMaps map_;
  std::array<std::string, 2> exports_;
};

// State 1: there is a token of this name.
class Editor final : public Alternating {
 public:
  explicit Editor(int number) : name_(fmt::format("editor{}", number)) {}

 private:
  Answer move_to(int state, const Doors& doors) override {
    if (state == 1)
      return doors.control.send("POST", "/api/v1/tokens", {},
                                fmt::format(R"({{"name": "{}", "type": "import"}})", name_));
    Answer found = doors.control.get("/api/v1/tokens?name=" + name_);
    if (!found || found->status != 200) return found;
    const json::value list = json::parse(found->body);
    const json::array& tokens = list.at("items").as_array();
    return doors.control.send(
        "DELETE",
        "/api/v1/tokens/" + (tokens.empty() ? "0" : json::serialize(tokens.front().at("number"))));
  }
  std::optional<int> find(const Doors& doors) override {
    const auto tokens = expect_answer(doors.control.get("/api/v1/tokens?limit=1000"), 200).body;
    return tokens.find(fmt::format("\"{}\"", name_)) == std::string::npos ? 0 : 1;
  }
  std::string name() const override { return name_; }

  std::string name_;
};

// Keeps few items; the names of its own are never used again.
class Publisher final : public User {
 public:
  explicit Publisher(int number) : name_(fmt::format("publisher{}", number)) {}

  bool ask(const Doors& doors) override {
    return items_.size() < kItems ? publish(doors) : remove(doors);
  }

  void check(const Doors& doors) override {
    std::map<std::string, std::uint64_t> found;
    const auto list = expect_answer(doors.control.get("/api/v1/publications?limit=1000"), 200).body;
    const json::value items = json::parse(list);
    for (const json::value& item : items.at("items").as_array()) {
      const std::string name(item.at("name").as_string());
      if (name.starts_with(name_ + "-")) found[name] = item.at("number").to_number<std::uint64_t>();
    }
    if (uncertain_ && found.contains(*uncertain_) != items_.contains(*uncertain_)) {
      ++kept_unanswered_;
      if (!items_.erase(*uncertain_)) items_[*uncertain_] = found[*uncertain_];
    }
    uncertain_.reset();
    EXPECT_EQ(found, items_) << name_;
  }

 private:
  static constexpr std::size_t kItems = 4;

  bool publish(const Doors& doors) {
    const std::string name = fmt::format("{}-{}", name_, ++published_);
    const Answer answer = doors.control.send("POST", "/api/v1/publications", {},
                                             fmt::format(R"({{"name": "{}"}})", name));
    if (!answer) uncertain_ = name;
    if (!answer) return false;
    if (answer->status == kBusy) return true;
    EXPECT_EQ(answer->status, 201) << answer->body;
    items_[name] = json::parse(answer->body).at("number").to_number<std::uint64_t>();
    ++answered_;
    return true;
  }

  bool remove(const Doors& doors) {
    const auto oldest =
        std::ranges::min_element(items_, {}, [](const auto& item) { return item.second; });
    const Answer answer =
        doors.control.send("DELETE", fmt::format("/api/v1/publications/{}", oldest->second));
    if (!answer) uncertain_ = oldest->first;
    if (!answer) return false;
    if (answer->status == kBusy) return true;
    EXPECT_EQ(answer->status, 204) << answer->body;
    items_.erase(oldest);
    ++answered_;
    return true;
  }

  std::string name_;
  int published_ = 0;
  std::map<std::string, std::uint64_t> items_;  // their numbers, by name
  std::optional<std::string> uncertain_;        // published or deleted without an answer
};

// What was shown to anybody must outlast everything, too (S1).
class Reader final : public User {
 public:
  bool ask(const Doors& doors) override {
    const Answer answer = doors.polling.get("/netml_export/");
    if (!answer) return false;
    if (answer->status == kBusy) return true;
    EXPECT_EQ(answer->status, 200) << answer->body;
    const std::string_view head = answer->headers.get("X-NetML-Head");
    std::uint64_t lsn = 0;
    std::from_chars(head.data(), head.data() + head.size(), lsn);
    EXPECT_GE(lsn, shown_);
    shown_ = lsn;
    ++answered_;
    return true;
  }

  void check(const Doors& doors) override {
    const auto status = expect_answer(doors.control.get("/api/v1/node/status"), 200).body;
    EXPECT_GE(json::parse(status).at("lsn").to_number<std::uint64_t>(), shown_)
        << "a reader was shown what is not there any more";
  }
  bool makes_changes() const override { return false; }

 private:
  std::uint64_t shown_ = 0;
};

class Keeper final : public User {
 public:
  bool ask(const Doors& doors) override {
    constexpr int kBetween = 20;
    const bool takes = ++asked_ % kBetween == 0;
    const Answer answer = takes ? doors.control.send("POST", "/api/v1/node/checkpoint")
                                : doors.control.get("/api/v1/node/status");
    if (!answer) return false;
    EXPECT_THAT(answer->status, testing::AnyOf(200, 201, kBusy)) << answer->body;
    if (takes) ++answered_;
    return true;
  }
  void check(const Doors&) override {}  // verify looks at checkpoints
  bool makes_changes() const override { return false; }

 private:
  int asked_ = 0;
};

}  // namespace

TwoMaps small_map(int number) {
  const std::string name = fmt::format("map{}", number);
  const auto id = [&](const char* element) { return fmt::format("{}-{}", name, element); };
  const auto node = [&](const char* element) { return test::node(id(element)); };
  const auto owner = test::institution(id("i"));
  return {name,
          {test::topology(name, id("i"), owner, node("a"), node("b"), node("c"),
                          test::link(id("l"), id("a"), id("b"))),
           test::topology(name, id("i"), owner, node("a"), node("b").named("another name"),
                          node("d"), test::link(id("l"), id("b"), id("d")))}};
}

std::unique_ptr<User> make_importer(TwoMaps map, const Doors& doors) {
  return std::make_unique<Importer>(std::move(map), doors);
}
std::unique_ptr<User> make_editor(int number) {
  return std::make_unique<Editor>(number);
}
std::unique_ptr<User> make_publisher(int number) {
  return std::make_unique<Publisher>(number);
}
std::unique_ptr<User> make_reader() {
  return std::make_unique<Reader>();
}
std::unique_ptr<User> make_keeper() {
  return std::make_unique<Keeper>();
}

}  // namespace netml::e2e

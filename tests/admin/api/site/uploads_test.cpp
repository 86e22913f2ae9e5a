// Goal: files that people send from the site take the way of all others: no more at once than the
// limit says, each written to the disk once. Method: the handlers, on a node on a real directory,
// whose folder of unfinished files is watched.
#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <array>

#include "net/http/unique_fd.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using testing::Browser;
using testing::OpenSite;

// How many files were made in a folder.
class MadeFiles {
 public:
  explicit MadeFiles(const std::string& folder)
      : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(events_.get(), folder.c_str(), IN_CREATE), 0);
  }
  std::size_t count() const {
    std::size_t made = 0;
    alignas(inotify_event) std::array<char, 4096> buffer{};
    while (true) {
      const ssize_t got = ::read(events_.get(), buffer.data(), buffer.size());
      if (got <= 0) return made;
      for (ssize_t at = 0; at < got; ++made)
        at += static_cast<ssize_t>(sizeof(inotify_event) +
                                   reinterpret_cast<const inotify_event*>(buffer.data() + at)->len);
    }
  }

 private:
  const net::UniqueFd events_;
};

class SiteUploads : public ::testing::Test {
 protected:
  void SetUp() override {
    site.add_account("ed", engine::Role::editor);
    ASSERT_EQ(browser.sign_in("ed").status, 200);
  }

  OpenSite site;
  Browser browser{site};
  const std::string map = test::topology("P", "o", test::institution("o"), test::node("n"));
};

TEST_F(SiteUploads, AreRefusedWhileAsManyAreReceivedAsTheLimitSays) {
  Intake& intake = site.services().intake;
  std::vector<std::unique_ptr<Upload>> others;
  for (std::size_t i = 0; i < cli::Limits().uploads_at_once_max; ++i)
    others.push_back(*intake.begin(testing::from_client()));
  const testing::Reply refused = browser.upload(map);
  EXPECT_EQ(refused.status, 503) << refused.body;
  EXPECT_EQ(refused.code(), "unavailable");
  EXPECT_FALSE(refused.headers.get("Retry-After").empty());
  others.pop_back();
  EXPECT_EQ(browser.upload(map).status, 202);
}

TEST_F(SiteUploads, AreWrittenToTheDiskOnceWhateverBecomesOfThem) {
  for (const Browser::FormFields& form :
       {Browser::FormFields{}, {{"plan", "true"}}, {{"parent", "keep"}}}) {
    const MadeFiles made(site.node().file("tmp"));
    EXPECT_EQ(browser.upload(map, form).status, 202);
    EXPECT_EQ(made.count(), 1U) << (form.empty() ? "queued" : form.front().first);
  }
}

}  // namespace
}  // namespace netml::admin

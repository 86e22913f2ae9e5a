// Goal: a password is asked for at the terminal, or taken from standard input or a file, and from
// nowhere else (A18); a directory that another command holds is waited for. Method: a fake node and
// a fake terminal.
#include <gmock/gmock.h>

#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kAccount = R"({"id":1,"name":"ann","role":"admin"})";

class UserCommand : public ::testing::Test {
 protected:
  UserCommand() {
    cli.script.response.body = kAccount;
    cli.environment.in_line = [this]() -> Result<std::string> {
      ++lines_read;
      return std::string("from the input");
    };
    cli.environment.ask_secret = [this](std::string_view prompt) -> Result<std::string> {
      prompts.emplace_back(prompt);
      return typed.at(prompts.size() - 1);
    };
  }

  CommandLineRunner cli;
  std::vector<std::string> typed{"from the terminal", "from the terminal"};
  std::vector<std::string> prompts;
  int lines_read = 0;
};

TEST_F(UserCommand, AsksTwiceAtTheTerminal) {
  EXPECT_EQ(cli.run({"user", "create", "ann", "--role", "admin", "--email", "a@b.c"}), 0);
  EXPECT_EQ(prompts, (std::vector<std::string>{"Password: ", "Password (again): "}));
  EXPECT_EQ(lines_read, 0);
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/accounts");
  EXPECT_EQ(cli.request().body,
            R"({"name":"ann","email":"a@b.c","role":"admin","password":"from the terminal"})");
  EXPECT_EQ(cli.out, "created account ann (admin)\n");
}

TEST_F(UserCommand, TakesALineOfTheInputWhenTold) {
  cli.script.response.body = R"({"items":[{"number":5,"name":"a@b"}]})";
  EXPECT_EQ(cli.run({"user", "passwd", "a@b", "--password-stdin"}), 0);
  EXPECT_TRUE(prompts.empty());
  EXPECT_EQ(cli.request().target, "/api/v1/accounts?name=a%40b");
  EXPECT_EQ(cli.script.requests.at(1).method, "PUT");
  EXPECT_EQ(cli.script.requests.at(1).target, "/api/v1/accounts/5");
  EXPECT_EQ(cli.script.requests.at(1).body, R"({"password":"from the input"})");
  EXPECT_THAT(cli.out, Not(HasSubstr("from the input")));
}

TEST_F(UserCommand, TakesAFileThatAnOptionOrAVariableNames) {
  cli.script.response.body = R"({"items":[{"number":5,"name":"ann"}]})";
  const std::string file = cli.file("secret", "from the file\r\nnot this\n");
  EXPECT_EQ(cli.run({"user", "passwd", "ann", "--password-file", file}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.at(1).body, R"({"password":"from the file"})");
  cli.variables["NETML_PASSWORD_FILE"] = file;
  EXPECT_EQ(cli.run({"user", "passwd", "ann"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.at(3).body, R"({"password":"from the file"})");
  EXPECT_EQ(cli.run({"user", "passwd", "ann", "--password-stdin"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.at(5).body, R"({"password":"from the input"})")
      << "what is said in the call wins";
  EXPECT_EQ(cli.run({"user", "passwd", "ann", "--password-file", "-"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.at(7).body, R"({"password":"from the input"})");
  EXPECT_TRUE(prompts.empty());
  for (const std::string& bad :
       {cli.path("missing"), cli.file("empty", "\nx"), cli.file("long", std::string(2000, 'x'))}) {
    EXPECT_NE(cli.run({"user", "passwd", "ann", "--password-file", bad}), 0);
    EXPECT_THAT(cli.err, HasSubstr(bad));
    EXPECT_THAT(cli.err, Not(HasSubstr("xxx")));
  }
  EXPECT_EQ(cli.script.requests.size(), 8U);
}

// The API takes an empty one for none.
TEST_F(UserCommand, SendsNoEmptyPassword) {
  typed = {"", ""};
  EXPECT_EQ(cli.run({"user", "passwd", "ann"}), 2);
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST_F(UserCommand, MakesViewersUnlessTold) {
  EXPECT_EQ(cli.run({"user", "create", "ann", "--password-stdin"}), 0);
  EXPECT_THAT(cli.request().body, HasSubstr(R"("role":"viewer")"));
  EXPECT_EQ(cli.run({"user", "create", "ann", "--role", "owner"}), 2);
}

TEST_F(UserCommand, SendsNothingWhenThePasswordsDiffer) {
  typed = {"one", "another"};
  EXPECT_EQ(cli.run({"user", "create", "ann"}), 1);
  EXPECT_TRUE(cli.script.requests.empty());
  EXPECT_THAT(cli.err, HasSubstr("differ"));
}

TEST_F(UserCommand, TellsWhenThereIsNoTerminal) {
  cli.environment.ask_secret = [](std::string_view) -> Result<std::string> {
    return netml::fail(Errc::invalid_input, "no terminal");
  };
  EXPECT_NE(cli.run({"user", "create", "ann"}), 0);
  EXPECT_THAT(cli.err, HasSubstr("no terminal"));
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST_F(UserCommand, TakesNoPasswordAsAnArgument) {
  EXPECT_EQ(cli.run({"user", "create", "ann", "--password", "secret"}), 2);
  EXPECT_EQ(cli.run({"user", "create", "ann", "secret"}), 2);
}

// ---- a directory in use ----

class DirectoryInUse : public UserCommand {
 protected:
  DirectoryInUse() {
    cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
      return std::unique_ptr<Control>();
    };
    cli.environment.open = [this](const GlobalOptions&,
                                  Access) -> Result<std::unique_ptr<Control>> {
      if (++tries < free_at) return netml::fail(Errc::conflict, "in use by process 1");
      return std::make_unique<test::FakeControl>(cli.script);
    };
  }
  int tries = 0;
  int free_at = 1;
};

TEST_F(DirectoryInUse, IsWaitedForWhenItIsFreeSoon) {
  free_at = 5;
  cli.script.response.body = R"({"items":[]})";
  EXPECT_EQ(cli.run({"user", "list"}), 0) << cli.err;
  EXPECT_EQ(tries, 5);
}

TEST_F(DirectoryInUse, IsGivenUpAfterAFewSeconds) {
  free_at = 1'000'000;
  EXPECT_EQ(cli.run({"user", "list"}), 4);
  EXPECT_THAT(cli.err, HasSubstr("in use by process 1"));
  EXPECT_LE(cli.clock.now.load(), std::chrono::seconds(4));
  EXPECT_GE(cli.clock.now.load(), std::chrono::seconds(3));
}

}  // namespace
}  // namespace netml::admin::cli

// Goal: `netml status` shows all that the node reports of itself, and bears what it does not.
// Method: a fake node; the table is compared whole.
#include <gtest/gtest.h>

#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;

TEST(StatusCommand, ShowsATableOfAllThereIs) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"version":"0.1.0","revision":"abc","state":"read_only","reason":"disk full",)"
      R"("data_directory":"/d","listeners":["http://h:1","https://h:2"],"lsn":12,"head":"ab",)"
      R"("counts":{"topologies":1,"institutions":2,"nodes":3,"links":4},)"
      R"("main_topology":{"id":"urn:t","name":"Net"},"last_checkpoint":{"lsn":10,"time":"T1"},)"
      R"("start_proof":{"state":"proving","bytes_checked":1048576,"bytes":4194304},)"
      R"("last_import":{"record":5,"name":"f.xml","status":"1: Import complete","time":"T2"},)"
      R"("latest_published":null,"journal_bytes":1048576,)"
      R"("disk":{"free_bytes":1073741824,"total_bytes":4294967296},)"
      R"("certificates_expire":"T3","memory_bytes":100,)"
      R"("memory":{"limit_bytes":402653184,"limit_origin":"--memory-max","used_bytes":3145728,)"
      R"("refused":0,"uses":{"map":1048576,"imports":2097152}},)"
      R"("limits":{"upload_bytes_max":7},"settings":{"A":"On"}})";
  EXPECT_EQ(cli.run({"status"}), 0) << cli.err;
  EXPECT_EQ(cli.out,
            "state             read_only: disk full\n"
            "version           0.1.0 (abc)\n"
            "data directory    /d\n"
            "listening on      http://h:1 https://h:2\n"
            "LSN               12\n"
            "head              ab\n"
            "main topology     Net (urn:t)\n"
            "topologies        1\n"
            "institutions      2\n"
            "nodes             3\n"
            "links             4\n"
            "last import       5 f.xml, 1: Import complete, T2\n"
            "last checkpoint   LSN 10, T1\n"
            "map of the start  being proved: 1.0 MiB of 4.0 MiB\n"
            "latest published  none\n"
            "journal           1.0 MiB\n"
            "disk              1.0 GiB free of 4.0 GiB\n"
            "certificate       expires T3\n"
            "map in memory     100 B\n"
            "memory budget     384.0 MiB (--memory-max)\n"
            "memory in use     3.0 MiB (map 1.0 MiB, imports 2.0 MiB)\n"
            "\nlimits\n  upload_bytes_max  7\n"
            "\nsettings\n  A  On\n");
}

TEST(StatusCommand, SaysThatTheExportFailsAndHowToMendIt) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"lsn":12,"export":{"ok":false,"detail":"Export fails: GARR has no owner",)"
      R"("remedy":"give GARR an owner, at /admin/topologies/7/"}})";
  EXPECT_EQ(cli.run({"status"}), 0) << cli.err;
  EXPECT_NE(cli.out.find("export            Export fails: GARR has no owner\n"
                         "to mend it        give GARR an owner, at /admin/topologies/7/\n"),
            std::string::npos)
      << cli.out;
  cli.script.response.body = R"({"lsn":12,"export":{"ok":true}})";
  EXPECT_EQ(cli.run({"status"}), 0) << cli.err;
  EXPECT_EQ(cli.out.find("export "), std::string::npos) << cli.out;
}

TEST(StatusCommand, BearsAnAnswerWithoutAnything) {
  CommandLineRunner cli;
  cli.script.response.body = "{}";
  EXPECT_EQ(cli.run({"status"}), 0) << cli.err;
  EXPECT_NE(cli.out.find("main topology     none\n"), std::string::npos) << cli.out;
}

}  // namespace
}  // namespace netml::admin::cli

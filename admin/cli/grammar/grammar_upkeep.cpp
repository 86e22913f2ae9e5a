// The data directory: state, checks, repair, archive, backup.
#include <algorithm>
#include <charconv>

#include "admin/base/limit_texts.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

std::string check_head(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view lsn = std::string_view(text).substr(0, colon);
  const std::string_view hash = colon == text.npos ? "" : std::string_view(text).substr(colon + 1);
  const bool head = !lsn.empty() && lsn.find_first_not_of("0123456789") == lsn.npos &&
                    hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == hash.npos;
  return head ? "" : "a head is LSN:HASH as netml verify prints it, not " + text;
}

std::string check_public_key(const std::string& text) {
  const bool key =
      text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return key ? "" : "a public key has 64 hexadecimal digits";
}

// "3-transactions": the number, with the word that says what it counts.
std::optional<std::uint64_t> transaction_count(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view word = text.substr(std::min(text.size(), dash));
  std::uint64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + std::min(text.size(), dash), count);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + dash;
  if (!whole || (word != "-transactions" && word != "-transaction")) return std::nullopt;
  return count;
}

std::string check_transaction_count(const std::string& text) {
  return transaction_count(text) ? "" : "say it like 3-transactions, not " + text;
}

}  // namespace

void Grammar::define_node_commands() {
  const auto status =
      define<StatusOptions>(app_, {"status", "Show what the node holds and does", "netml status"});
  status.app->footer(fmt::format(
      "{}\n\nLimits on what clients and files may demand, set with --limit NAME=NUMBER, and their "
      "defaults:\n{}",
      status.app->get_footer(), limit_list()));
  define<CheckpointOptions>(app_, {"checkpoint", "Take a checkpoint now", "netml checkpoint"});
  const auto verify =
      define<VerifyOptions>(app_, {"verify", "Check everything stored: checksums, chain and replay",
                                   "netml verify --data /var/lib/netml"});
  verify.app
      ->add_option("--head", verify.options->head,
                   "LSN:HASH noted earlier: the journal must pass through it")
      ->check(check_head);
  verify.app
      ->add_option("--key", verify.options->key,
                   "Public key that netml key create printed: checkpoints must be signed by it")
      ->check(check_public_key);
  CLI::App& key = define_group("key", "Make the key that signs checkpoints");
  define<KeyCreate>(key, {"create",
                          "Make a key, sign every checkpoint from now on with it, and print "
                          "its public half",
                          "netml key create"});
}

void Grammar::define_repair() {
  const auto [app, options] = define<RepairOptions>(
      app_,
      {"repair",
       "Cut a damaged journal after an LSN, when there is no backup. Without the second option "
       "it says what would be lost and changes nothing",
       "netml repair --truncate-at 1233 --i-accept-losing 3-transactions"});
  app->add_option("--truncate-at", options->truncate_at, "The last LSN that stays")->required();
  app->add_option_function<std::string>(
         "--i-accept-losing",
         [options = options](const std::string& text) {
           options->accepted = transaction_count(text);
         },
         "N-transactions, with the number that the command names without this option")
      ->check(check_transaction_count);
}

void Grammar::define_backup() {
  const auto archive = define<ArchiveOptions>(
      app_, {"archive", "Move old segments of the journal to another directory, compressed",
             "netml archive /mnt/archive/netml"});
  archive.app
      ->add_option("DIR", archive.options->directory,
                   "Directory outside of the data directory, for this node alone; log, verify, "
                   "replay and backup read the segments there")
      ->required();
  define<DowngradeCheckOptions>(
      app_, {"downgrade-check", "Say whether the previous version could open the data directory",
             "netml downgrade-check"});
  const auto backup = define<BackupOptions>(
      app_, {"backup", "Write all data into one file, also while a server runs; print its head",
             "netml backup /mnt/backup/netml-2024-03-01.tar"});
  backup.app
      ->add_option("FILE", backup.options->file,
                   "File to write (replaced when complete), or - for standard output, without its "
                   "head")
      ->required();
  backup.app->add_flag("--without-missing-uploads", backup.options->without_missing_uploads,
                       "Leave out files of imports that are missing, and say so in the backup");
  const auto restore = define<RestoreOptions>(
      app_, {"restore", "Make a data directory from a backup and verify all of it",
             "netml restore /mnt/backup/netml-2024-03-01.tar --into /var/lib/netml-restored"});
  restore.app
      ->add_option("FILE", restore.options->file,
                   "What netml backup wrote, or - for standard input")
      ->required();
  restore.app->add_option("--into", restore.options->into, "Directory to make, or an empty one")
      ->required();
  restore.app->add_option("--key", restore.options->key,
                          "Copy of the node.key of the node that was backed up");
  restore.app
      ->add_option("--head", restore.options->head,
                   "LSN:HASH noted earlier: the backup's journal must pass through it")
      ->check(check_head);
}

}  // namespace netml::admin::cli

#include "wal/postgres/postgres_engine.hpp"

#include <fmt/format.h>

#include "wal/postgres/detail/postgres_log.hpp"
#include "wal/postgres/detail/schema.hpp"

namespace netml::wal {

namespace postgres {

namespace {

struct Role {
  std::string name;
  bool sees_standbys = false;  // the right to read pg_stat_replication
};

Result<Role> role_of(Session& session, const std::string& wanted) {
  Statement select{
      "SELECT r.rolname::text, pg_has_role(r.oid, 'pg_read_all_stats', 'USAGE') FROM pg_roles r"
      " WHERE r.rolname = CASE WHEN $1 = '' THEN current_user ELSE $1::name END"};
  select.parameters.add(std::string_view(wanted));
  NETML_TRY(const std::vector<Rows> answers, session.read({std::move(select)}));
  NETML_TRY_VOID(answers.front().expect({Type::text, Type::truth}));
  if (answers.front().size() != 1)
    return fail(Errc::not_found, fmt::format("the database has no role {}", wanted));
  return Role{std::string(answers.front().text(0, 0)), answers.front().truth(0, 1)};
}

Status let_see_standbys(Session& session, const Role& role, const std::string& quoted) {
  if (role.sees_standbys) return {};
  const Written granted = session.write({{"GRANT pg_read_all_stats TO " + quoted}});
  if (granted.fate == Fate::undone && granted.error.code == Errc::denied)
    return fail(Errc::denied,
                fmt::format("the role {0} must see the standbys, and it takes a superuser to allow "
                            "that: GRANT pg_read_all_stats TO {1}",
                            role.name, quoted));
  return status_of(granted);
}

Result<bool> is_there(Session& session) {
  NETML_TRY(const std::vector<Rows> answers,
            session.read({{"SELECT count(*) > 0 FROM pg_namespace WHERE nspname = 'netml'"}}));
  NETML_TRY_VOID(answers.front().expect({Type::truth}));
  return answers.front().truth(0, 0);
}

// Whether what is there is what would be made.
Status is_as_made(const SharedEngineSettings& settings, const SharedLogStart& start) {
  SharedEngineSettings of_cluster = settings;
  of_cluster.cluster = start.cluster;
  PostgresLog log(std::move(of_cluster));
  NETML_TRY(const SharedHead found, log.head());
  if (found.head == start.head && found.lease.epoch == Epoch{}) return {};
  return fail(Errc::conflict, fmt::format("the database has a log of this cluster, which stands at "
                                          "LSN {}",
                                          found.head.lsn.value));
}

Status init(const SharedEngineSettings& settings, const SharedLogStart& start) {
  Session session(settings, Session::Check::nothing);
  NETML_TRY(const Role role, role_of(session, start.role));
  NETML_TRY(const std::string quoted, session.quoted(role.name));
  NETML_TRY_VOID(let_see_standbys(session, role, quoted));
  NETML_TRY(const bool there, is_there(session));
  if (!there) NETML_TRY_VOID(status_of(session.write(make_schema(start, quoted))));
  return is_as_made(settings, start);
}

Result<std::unique_ptr<SharedLog>> open(const SharedEngineSettings& settings) {
  auto log = std::make_unique<PostgresLog>(settings);
  NETML_TRY_VOID(log->connect());
  return log;
}

}  // namespace

}  // namespace postgres

SharedEngine postgres_engine(const SharedEngineSettings& settings) {
  return {[settings](const SharedLogStart& start) { return postgres::init(settings, start); },
          [settings] { return postgres::open(settings); }};
}

}  // namespace netml::wal

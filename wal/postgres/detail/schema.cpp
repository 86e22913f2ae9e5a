#include "wal/postgres/detail/schema.hpp"

#include <fmt/format.h>

namespace netml::wal::postgres {

namespace {

// EXTERNAL: what gets smaller is compressed already (payload.hpp), so the server does not try.
constexpr const char* kTables[] = {
    R"(CREATE TABLE netml.head (
         one boolean PRIMARY KEY DEFAULT true CHECK (one),
         schema_version bigint NOT NULL,
         cluster bytea NOT NULL CHECK (length(cluster) = 16),
         lsn bigint NOT NULL,
         chain bytea NOT NULL CHECK (length(chain) = 32),
         epoch bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50))",
    R"(CREATE TABLE netml.lease (
         one boolean PRIMARY KEY DEFAULT true CHECK (one),
         holder text NOT NULL DEFAULT '',
         epoch bigint NOT NULL DEFAULT 0,
         until timestamptz NOT NULL DEFAULT '-infinity') WITH (fillfactor = 50))",
    R"(CREATE TABLE netml.frames (
         before_lsn bigint NOT NULL,
         before_chain bytea NOT NULL,
         after_lsn bigint NOT NULL,
         after_chain bytea NOT NULL,
         epoch bigint NOT NULL,
         piece bigint NOT NULL,
         pieces bigint NOT NULL,
         bytes bigint NOT NULL,
         compressed boolean NOT NULL,
         data bytea NOT NULL,
         at timestamptz NOT NULL DEFAULT clock_timestamp(),
         PRIMARY KEY (after_lsn, piece, epoch)))",
    "ALTER TABLE netml.frames ALTER data SET STORAGE EXTERNAL",
    R"(CREATE TABLE netml.uploads (
         hash bytea NOT NULL,
         how bigint NOT NULL,
         file_bytes bigint NOT NULL,
         piece bigint NOT NULL,
         bytes bigint NOT NULL,
         compressed boolean NOT NULL,
         data bytea NOT NULL,
         PRIMARY KEY (hash, how, file_bytes, piece)))",
    "ALTER TABLE netml.uploads ALTER data SET STORAGE EXTERNAL",
    R"(CREATE TABLE netml.members (
         name text COLLATE "C" PRIMARY KEY,
         address text NOT NULL,
         lsn bigint NOT NULL,
         chain bytea NOT NULL,
         version text NOT NULL,
         seen timestamptz NOT NULL) WITH (fillfactor = 50))",
    R"(CREATE VIEW netml.state AS SELECT
         h.cluster,
         coalesce((SELECT f.before_lsn FROM netml.frames f ORDER BY f.after_lsn, f.piece LIMIT 1),
                  h.lsn) AS begins,
         h.lsn, h.chain, h.epoch, l.holder,
         CASE WHEN l.holder = '' THEN 0
              ELSE (extract(epoch FROM l.until - clock_timestamp()) * 1000000)::bigint
         END AS left_us,
         EXISTS (SELECT FROM pg_stat_replication r
                 WHERE r.sync_state IN ('sync', 'quorum') AND r.state = 'streaming')
           AS synchronous
       FROM netml.head h, netml.lease l)"};

// Each locks the row that decides before it reads it, so that it sees what was committed last.
constexpr const char* kFunctions[] = {
    R"(CREATE FUNCTION netml.advance(lsn_before bigint, chain_before bytea,
         lsn_after bigint, chain_after bytea, of_epoch bigint) RETURNS void
       LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE netml.head SET lsn = lsn_after, chain = chain_after
           WHERE lsn = lsn_before AND chain = chain_before AND epoch = of_epoch;
         IF NOT FOUND THEN
           RAISE EXCEPTION 'another head or epoch stands there' USING ERRCODE = 'NM001';
         END IF;
         PERFORM pg_notify('netml', lsn_after::text);
       END $$)",
    R"(CREATE FUNCTION netml.take_lease(by_holder text, seen_epoch bigint, for_us bigint)
       RETURNS boolean LANGUAGE plpgsql AS $$
       DECLARE
         at_epoch bigint;
         held netml.lease;
       BEGIN
         SELECT epoch INTO at_epoch FROM netml.head FOR UPDATE;
         SELECT * INTO held FROM netml.lease FOR UPDATE;
         IF at_epoch <> seen_epoch OR (held.holder NOT IN ('', by_holder)
                                       AND held.until > clock_timestamp()) THEN
           RETURN false;
         END IF;
         UPDATE netml.head SET epoch = seen_epoch + 1;
         UPDATE netml.lease SET holder = by_holder, epoch = seen_epoch + 1,
           until = clock_timestamp() + for_us * interval '1 microsecond';
         RETURN true;
       END $$)",
    R"(CREATE FUNCTION netml.renew_lease(by_holder text, of_epoch bigint, for_us bigint)
       RETURNS boolean LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE netml.lease SET until = clock_timestamp() + for_us * interval '1 microsecond'
           WHERE holder = by_holder AND epoch = of_epoch AND holder <> '';
         RETURN FOUND;
       END $$)",
    R"(CREATE FUNCTION netml.release_lease(by_holder text, of_epoch bigint)
       RETURNS boolean LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE netml.lease SET holder = '', until = '-infinity'
           WHERE holder = by_holder AND epoch = of_epoch AND holder <> '';
         RETURN FOUND;
       END $$)",
    // Pieces from one of the first append behind `behind` on, until `bytes_max` is used up.
    R"(CREATE FUNCTION netml.read_frames(behind bigint, from_piece bigint, bytes_max bigint)
       RETURNS SETOF netml.frames LANGUAGE plpgsql STABLE AS $$
       DECLARE
         each netml.frames;
         total numeric := 0;
         given bigint := 0;
       BEGIN
         FOR each IN
           SELECT * FROM netml.frames f
             WHERE (f.after_lsn, f.piece) >=
               ((SELECT min(b.after_lsn) FROM netml.frames b WHERE b.after_lsn > behind),
                from_piece)
             ORDER BY f.after_lsn, f.piece
         LOOP
           total := total + each.bytes;
           EXIT WHEN given > 0 AND total > bytes_max;
           given := given + 1;
           RETURN NEXT each;
         END LOOP;
       END $$)",
    // Whole appends from the first on, up to one that a member lacks or that is too young, or
    // until `bytes_max` is used up: then there may be more. A row by itself costs a kilobyte.
    R"(CREATE FUNCTION netml.forget(upto bigint, age_us bigint, bytes_max bigint)
       RETURNS boolean LANGUAGE plpgsql AS $$
       DECLARE
         young timestamptz := clock_timestamp() - age_us * interval '1 microsecond';
         total bigint := 0;
         gone bigint;
         each record;
       BEGIN
         FOR each IN
           SELECT after_lsn, piece, pieces, bytes, at FROM netml.frames
             WHERE after_lsn <= least(upto, (SELECT min(lsn) FROM netml.members))
               AND EXISTS (SELECT FROM netml.members)
             ORDER BY after_lsn, piece
         LOOP
           EXIT WHEN each.at > young OR (each.piece = 0 AND total >= bytes_max);
           total := total + each.bytes + 1024;
           IF each.piece = each.pieces - 1 THEN
             gone := each.after_lsn;
           END IF;
         END LOOP;
         DELETE FROM netml.frames WHERE after_lsn <= gone;
         RETURN gone IS NOT NULL AND total >= bytes_max;
       END $$)"};

}  // namespace

// The tables belong to the role from the beginning, which needs no other right in the database.
std::vector<Statement> make_schema(const SharedLogStart& start, const std::string& role) {
  std::vector<Statement> statements{{"CREATE SCHEMA netml AUTHORIZATION " + role},
                                    {"SET LOCAL ROLE " + role}};
  for (const char* each : kTables) statements.push_back({each});
  for (const char* each : kFunctions) statements.push_back({each});
  Parameters head;
  head.add(kSchemaVersion).add(std::span<const std::byte>(start.cluster.bytes));
  head.add(start.head.lsn.value).add(std::span<const std::byte>(start.head.chain));
  statements.push_back(
      {"INSERT INTO netml.head (schema_version, cluster, lsn, chain) VALUES ($1, $2, $3, $4)",
       std::move(head)});
  statements.push_back({"INSERT INTO netml.lease DEFAULT VALUES"});
  return statements;
}

}  // namespace netml::wal::postgres

// The tables in PostgreSQL, and the statement that appends to a log.
import { tablesVersion } from "./sql.js";

export interface TableNames {
  readonly schema: string | undefined;
  readonly sessions: string;
  readonly events: string;
  readonly version: string;
  /** Without its schema. */
  readonly index: string;
}

export function tableNames(prefix: string, schema?: string): TableNames {
  const full = (name: string) => `${schema ? `"${schema}".` : ""}"${prefix}${name}"`; // a schema may be called "user"
  return { schema, sessions: full("sessions"), events: full("events"), version: full("version"), index: `"${prefix}by_age"` };
}

/** One statement, so that a lock can keep others from doing the same at the same moment. */
export function makeTablesSql({ schema, sessions, events, version, index }: TableNames): string {
  return `DO $make$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('sandbox-agent tables'));
    ${schema ? `IF to_regnamespace('"${schema}"') IS NULL THEN CREATE SCHEMA "${schema}"; END IF;` : ""}
    CREATE TABLE IF NOT EXISTS ${sessions} (
      number bigint GENERATED ALWAYS AS IDENTITY UNIQUE, id text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL,
      last_event bigint NOT NULL, last_nth bigint NOT NULL, event_count bigint NOT NULL,
      created_at float8 NOT NULL, updated_at float8 NOT NULL, data jsonb NOT NULL);
    CREATE INDEX IF NOT EXISTS ${index} ON ${sessions} (created_at, id);
    CREATE TABLE IF NOT EXISTS ${events} (
      session bigint NOT NULL REFERENCES ${sessions} (number) ON DELETE CASCADE, idx bigint NOT NULL, epoch bigint NOT NULL,
      event_id bigint NOT NULL, nth bigint NOT NULL, sender text NOT NULL, at float8 NOT NULL, json text NOT NULL,
      PRIMARY KEY (session, idx));
    CREATE TABLE IF NOT EXISTS ${version} (version integer NOT NULL);
    INSERT INTO ${version} SELECT ${tablesVersion} WHERE NOT EXISTS (SELECT FROM ${version});
  END $make$`;
}

/**
 * $1 id, $2 epoch, $3 and $4 the place up to which, $5 the time of the last event, then an array per column. A row when it was
 * done. "here" waits for other writers and has the row as they left it; everything else is computed from it, as the rest of the
 * statement sees the database as it was at its beginning.
 */
export function appendSql({ sessions, events }: TableNames): string {
  return `WITH here AS (
      SELECT number, last_event, last_nth, event_count, updated_at FROM ${sessions}
      WHERE id = $1 AND epoch = $2::bigint FOR UPDATE
    ), fresh AS (
      SELECT given.*, row_number() OVER (ORDER BY given.position) - 1 AS nr
      FROM here, unnest($6::bigint[], $7::bigint[], $8::text[], $9::float8[], $10::text[])
        WITH ORDINALITY AS given (event_id, nth, sender, at, json, position)
      WHERE (given.event_id, given.nth) > (here.last_event, here.last_nth)
    ), stored AS (
      INSERT INTO ${events} (session, idx, epoch, event_id, nth, sender, at, json)
      SELECT here.number, here.event_count + nr, $2::bigint, event_id, nth, sender, at, json FROM here, fresh
    )
    UPDATE ${sessions} AS session SET
      event_count = here.event_count + (SELECT count(*) FROM fresh),
      last_event = CASE WHEN ($3::bigint, $4::bigint) > (here.last_event, here.last_nth) THEN $3::bigint ELSE here.last_event END,
      last_nth = CASE WHEN ($3::bigint, $4::bigint) > (here.last_event, here.last_nth) THEN $4::bigint ELSE here.last_nth END,
      updated_at = greatest(here.updated_at, $5::float8)
    FROM here WHERE session.number = here.number RETURNING 1 AS done`;
}

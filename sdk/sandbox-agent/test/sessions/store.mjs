// A store in a file that several processes may use, until the package has its own.
import Database from "libsql";

const schema = `
  create table if not exists sessions(id text primary key, session text not null);
  create table if not exists events(id text, place integer, event text not null, primary key (id, place)) without rowid;
`;

const isBehind = (a, b) => (a.eventId === b.eventId ? a.nth > b.nth : a.eventId > b.eventId);

class FileStore {
  #db;

  constructor(file) {
    this.#db = new Database(file, { timeout: 10_000 });
    this.#db.pragma("journal_mode = wal");
    this.#db.pragma("synchronous = normal");
    this.#db.exec(schema);
  }

  #get(id) {
    const row = this.#db.prepare("select session from sessions where id = ?").get(id);
    return row && JSON.parse(row.session);
  }

  #put(session) {
    this.#db.prepare("insert or replace into sessions values (?, ?)").run(session.id, JSON.stringify(session));
    return session;
  }

  #transaction(work) {
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      return result;
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }

  async getSession(id) {
    return this.#get(id);
  }

  async listSessions() {
    return { sessions: this.#db.prepare("select session from sessions").all().map(({ session }) => JSON.parse(session)) };
  }

  async createSession(session) {
    return this.#transaction(() => (this.#get(session.id) ? undefined : this.#put({ ...session, eventCount: 0 })));
  }

  async updateSession(id, change, ifEpoch) {
    return this.#transaction(() => {
      const session = this.#get(id);
      if (!session || (ifEpoch !== undefined && session.epoch !== ifEpoch)) return undefined;
      return this.#put({ ...session, ...change });
    });
  }

  async deleteSession(id) {
    this.#transaction(() => {
      this.#db.prepare("delete from sessions where id = ?").run(id);
      this.#db.prepare("delete from events where id = ?").run(id);
    });
  }

  async appendEvents(id, { epoch, events, upTo }) {
    return this.#transaction(() => {
      const session = this.#get(id);
      if (!session || session.epoch !== epoch) return false;
      const insert = this.#db.prepare("insert into events values (?, ?, ?)");
      let { eventCount } = session;
      for (const event of events) {
        if (!isBehind(event, session.last)) continue;
        insert.run(id, eventCount, JSON.stringify({ ...event, epoch, index: eventCount }));
        ++eventCount;
      }
      this.#put({ ...session, eventCount, last: isBehind(upTo, session.last) ? upTo : session.last });
      return true;
    });
  }

  async listEvents(id, { offset = 0, limit = 100 } = {}) {
    const rows = this.#db.prepare("select event from events where id = ? and place >= ? order by place limit ?").all(id, offset, limit);
    return { events: rows.map(({ event }) => JSON.parse(event)), total: this.#get(id)?.eventCount ?? 0 };
  }

  async close() {
    this.#db.close();
  }
}

/** @returns {Promise<import("../../src/persist/driver.js").SessionPersistDriver>} */
export const openStore = async (file) => new FileStore(file);

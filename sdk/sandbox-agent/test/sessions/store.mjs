// The store that all processes of these tests share: a SQLite file.
import { SQLiteSessionPersistDriver } from "../../dist/persist/sqlite.js";

/** @returns {Promise<import("../../src/persist/driver.js").SessionPersistDriver>} */
export const openStore = (file) => SQLiteSessionPersistDriver.open(file);

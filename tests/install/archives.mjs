// Small writers of archives, honest and hostile ones. An entry: {name, body?, mode?, link?, type?}; with `link` it is a symbolic
// link, or a hard link when its type says so. A name that ends in a slash is a directory.
import { spawnSync } from "node:child_process";
import zlib from "node:zlib";

const block = 512;
const typeOf = (entry) => entry.type ?? (entry.link !== undefined ? "symlink" : entry.name.endsWith("/") ? "directory" : "file");
const tarFlags = { file: "0", hardlink: "1", symlink: "2", character: "3", device: "4", directory: "5", fifo: "6" };
const modeOf = (entry) => entry.mode ?? (typeOf(entry) === "directory" ? 0o755 : 0o644);

export function tar(entries) {
  const pieces = entries.flatMap((entry) => {
    const body = Buffer.from(entry.body ?? "");
    return [tarHead(entry, body.length), body, Buffer.alloc((block - (body.length % block)) % block)];
  });
  return Buffer.concat([...pieces, Buffer.alloc(2 * block)]);
}

function tarHead(entry, size) {
  const head = Buffer.alloc(block);
  const octal = (value, at, width) => head.write(value.toString(8).padStart(width - 1, "0"), at);
  head.write(entry.name, 0, 100);
  octal(modeOf(entry), 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(1_700_000_000, 136, 12);
  head.fill(" ", 148, 156);
  head.write(tarFlags[typeOf(entry)], 156);
  head.write(entry.link ?? "", 157, 100);
  head.write("ustar\0" + "00", 257);
  octal(head.reduce((sum, byte) => sum + byte, 0), 148, 7);
  return head;
}

export const tarGz = (entries) => zlib.gzipSync(tar(entries));

export function tarBz2(entries) {
  const made = spawnSync("bzip2", ["--stdout"], { input: tar(entries), maxBuffer: 1 << 28 });
  if (made.error || made.status !== 0) throw new Error(`bzip2: ${made.error ?? made.stderr}`);
  return made.stdout;
}

export function zip(entries) {
  const locals = [];
  const centrals = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const body = Buffer.from(entry.link ?? entry.body ?? "");
    const packed = zlib.deflateRawSync(body);
    const shared = zipFields(name, body, packed);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, name, packed]);
    const central = Buffer.alloc(46);
    central.write("PK\x01\x02");
    central.writeUInt16LE((3 << 8) | 20, 4); // made by unix: the mode is in the upper half of the attributes
    shared.copy(central, 6);
    const kind = { symlink: 0o120000, directory: 0o040000 }[typeOf(entry)] ?? 0o100000;
    central.writeUInt32LE(((kind | modeOf(entry)) << 16) >>> 0, 38);
    central.writeUInt32LE(at, 42);
    locals.push(local);
    centrals.push(central, name);
    at += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

// The 26 bytes a local and a central head have in common.
function zipFields(name, body, packed) {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8); // 1 January 1980
  fields.writeUInt32LE(crc32(body), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(body.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import * as z from 'zod';
import { Blob } from './blobs.ts';

const Stored = z.object({
  etag: z.string(),
  size: z.number(),
  modifiedAt: z.number(),
  /** Headers that GET and HEAD answer: content type, metadata, checksum. */
  headers: z.record(z.string(), z.string()),
  blobs: z.array(Blob),
});
export type StoredObject = z.infer<typeof Stored>;

const Upload = z.object({ bucket: z.string(), key: z.string(), headers: z.record(z.string(), z.string()) });
export type Upload = z.infer<typeof Upload>;

const Row = z.object({ key: z.string(), value: z.string() });
const ValueRow = z.object({ value: z.string() });
const PartRow = z.object({ part: z.number(), value: z.string() });

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, value TEXT, PRIMARY KEY (bucket, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (upload TEXT, part INTEGER, value TEXT, PRIMARY KEY (upload, part)) WITHOUT ROWID;
`;

/**
 * The index of the objects. An object changes in one statement, after its bytes are in their own file. A process that
 * is killed at any moment leaves either the old object or the new one.
 */
export function openIndex(file: string) {
  const database = new DatabaseSync(file);
  database.exec(schema);
  const prepare = preparedOnce(database);
  const run = (sql: string, ...values: (string | number)[]) => prepare(sql).run(...values);
  const all = (sql: string, ...values: (string | number)[]) => prepare(sql).all(...values);

  return {
    hasBucket: (name: string) => all('SELECT name FROM buckets WHERE name = ?', name).length > 0,
    addBucket: (name: string) => run('INSERT INTO buckets VALUES (?)', name),

    find: (bucket: string, key: string) =>
      parse(Stored, all('SELECT value FROM objects WHERE bucket = ? AND key = ?', bucket, key)[0]),
    put: (bucket: string, key: string, object: StoredObject) =>
      run('INSERT OR REPLACE INTO objects VALUES (?, ?, ?)', bucket, key, JSON.stringify(object)),
    remove: (bucket: string, key: string) => run('DELETE FROM objects WHERE bucket = ? AND key = ?', bucket, key),
    /** Up to `limit` objects with the prefix that follow a key, in the byte order of their keys. */
    list: (bucket: string, range: { prefix: string; after: string; limit: number }) =>
      all(
        `SELECT key, value FROM objects WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, length(?)) = ?
         ORDER BY key LIMIT ?`,
        ...[bucket, range.after, range.prefix, range.prefix, range.prefix, range.limit],
      ).map((row) => {
        const { key, value } = Row.parse(row);
        return { key, object: Stored.parse(JSON.parse(value)) };
      }),

    findUpload: (id: string) => parse(Upload, all('SELECT value FROM uploads WHERE id = ?', id)[0]),
    addUpload: (id: string, upload: Upload) => run('INSERT INTO uploads VALUES (?, ?)', id, JSON.stringify(upload)),
    /** Removes an upload and its parts; their blobs belong to the completed object, or the caller removes them. */
    removeUpload(id: string) {
      run('DELETE FROM parts WHERE upload = ?', id);
      run('DELETE FROM uploads WHERE id = ?', id);
    },
    putPart: (id: string, part: number, object: StoredObject) =>
      run('INSERT OR REPLACE INTO parts VALUES (?, ?, ?)', id, part, JSON.stringify(object)),
    parts: (id: string) =>
      new Map(
        all('SELECT part, value FROM parts WHERE upload = ? ORDER BY part', id).map((row) => {
          const { part, value } = PartRow.parse(row);
          return [part, Stored.parse(JSON.parse(value))];
        }),
      ),

    inOneStep(change: () => void): void {
      database.exec('BEGIN IMMEDIATE');
      try {
        change();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    knownFiles(): Set<string> {
      const rows = [...all('SELECT value FROM objects'), ...all('SELECT value FROM parts')];
      return new Set(rows.flatMap((row) => parse(Stored, row)?.blobs.map((blob) => blob.file) ?? []));
    },
    close: () => database.close(),
  };
}

function preparedOnce(database: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

const parse = <T>(schemaOf: z.ZodType<T>, row: unknown) =>
  row === undefined ? undefined : schemaOf.parse(JSON.parse(ValueRow.parse(row).value));

export type ObjectIndex = ReturnType<typeof openIndex>;

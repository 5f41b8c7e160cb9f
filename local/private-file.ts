import { renameSync, writeFileSync } from 'node:fs';

/** Writes a JSON file that nobody but its owner can read, also where others could read an earlier one. */
export function writePrivate(file: string, content: object): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

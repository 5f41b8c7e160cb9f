import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Says whose data it is, and what to do. */
export class DataDirInUse extends Error {}

/**
 * Keeps a second system off the same data, which two would ruin (DataDirInUse). A lock of the operating system on a file, held
 * through SQLite because Node has no call of its own for it: it ends with the process, however that dies.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    const advice = 'Stop that one, or choose another --data-dir.';
    throw new DataDirInUse(`${dataDir} is in use by another running system. ${advice}`);
  }
  return { release: () => lock.close() };
}

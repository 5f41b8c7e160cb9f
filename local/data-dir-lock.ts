import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The message names the data directory and the remedy. */
export class DataDirInUse extends Error {}

/**
 * Keeps other users out of the data, and a second system (DataDirInUse). The lock is a file lock of the operating system, held
 * through SQLite because Node has no call for it, and ends with the process in any case.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700); // an earlier release made it readable for all
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

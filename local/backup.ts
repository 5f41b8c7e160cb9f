import { cpSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';
import { dataDirOption } from './running-system.ts';

/**
 * `npm run backup -- --to DIR`: copies the data of a local system that is stopped: table, queues, files, keys. To go back to the
 * copy, start the system with it: `npm start -- --data-dir DIR`.
 */
const { values } = parseArgs({ options: { ...dataDirOption, to: { type: 'string' } } });
if (!values.to) fail('usage: npm run backup -- --to DIR [--data-dir DIR]', 64);
const [from, to] = [resolve(values['data-dir']), resolve(values.to)];
if (!existsSync(from)) fail(`${from} has no data: nothing was started there`);
if (existsSync(to)) fail(`${to} exists already: name a new directory, so that no copy is overwritten`);
const lock = lockData();
cpSync(from, to, { recursive: true, preserveTimestamps: true });
lock.release();
console.log(`copied to ${to}; it holds keys and secrets, so keep it as you keep the data`);

function lockData() {
  try {
    return lockDataDir(from);
  } catch (error) {
    if (error instanceof DataDirInUse)
      fail(`${from} is in use by a running system: stop it, so that the copy is of one moment`);
    throw error;
  }
}

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

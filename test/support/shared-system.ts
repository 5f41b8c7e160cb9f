import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { type Addresses, readAddresses } from './addresses.ts';
import type { SharedSystem } from './system-process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    system: SharedSystem | { failure: string };
    addresses: Addresses;
  }
}

const file = fileURLToPath(new URL('./system-process.ts', import.meta.url));

/** Errors that tests provoke are logged there, and not between the results. */
const logFile = fileURLToPath(new URL('../../dist/test-system.log', import.meta.url));

/**
 * One system for the whole run, because two cores start few: each test makes its own organization in it. If it does not
 * start, the tests that need it fail with its reason and the others still tell what they know.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  // it serves all tests: with this much room for young objects it is seldom cleaned
  const child = fork(file, { stdio: ['ignore', log, log, 'ipc'], execArgv: ['--max-semi-space-size=64'] });
  const ended = once(child, 'exit');
  const ready = once(child, 'message').then(([message]: SharedSystem[]) => message);
  provide('addresses', await readAddresses());
  const system = await Promise.race([ready, ended.then(() => undefined)]);
  provide('system', system ?? { failure: readFileSync(logFile, 'utf8') });
  return async () => {
    if (child.connected) child.disconnect();
    await ended;
    closeSync(log);
  };
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { SharedSystem } from './system-process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    system: SharedSystem | { failure: string };
  }
}

const file = fileURLToPath(new URL('./system-process.ts', import.meta.url));

/**
 * One system for the whole run, because two cores start few: each test makes its own organization in it. If it does not
 * start, the tests that need it fail with its reason and the others still tell what they know.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let complaints = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaints += text.toString();
    process.stderr.write(text);
  });
  const ended = once(child, 'exit');
  const ready = once(child, 'message').then(([message]: SharedSystem[]) => message);
  const system = await Promise.race([ready, ended.then(() => undefined)]);
  provide('system', system ?? { failure: complaints });
  return async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
}

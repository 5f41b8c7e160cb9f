import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Measured, Ready } from './system.ts';

/** The measured system in a process of its own. */
export type System = Ready & {
  measure(): Promise<Measured>;
  /** Messages that a worker failed to handle since the start, counted in the log. */
  failedDeliveries(): number;
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
};
/** The address and key of a system, for its clients. */
export type Called = Pick<Ready, 'baseUrl' | 'apiKey'>;
type Answer = Record<string, unknown>;

/** @param environment of the process, for example the address of another engine; without one the data lies on disk */
export async function startSystem(environment: Record<string, string> = {}): Promise<System> {
  // Passes only the launcher's memory argument: its other arguments would end the child at the disconnect that asks the
  // child to stop.
  const child = fork(fileURLToPath(new URL('system.ts', import.meta.url)), {
    execArgv: process.execArgv.filter((argument) => /^--(max-semi-space-size|heap-growing-percent)=/.test(argument)),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let failures = 0;
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"job failed"')) failures++;
      console.error(line);
    });
  let isKilled = false;
  const died = once(child, 'exit').then(([code]) => {
    if (code !== 0 && !isKilled) throw new Error(`the measured system ended with ${code}`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), died])) as [Ready];
  return {
    ...ready,
    failedDeliveries: () => failures,
    async measure() {
      child.send('measure');
      return ((await once(child, 'message')) as [Measured])[0];
    },
    async stop() {
      child.disconnect();
      await died;
    },
    async kill() {
      isKilled = true;
      child.kill('SIGKILL');
      await died;
    },
  };
}

/** @param of the repository, or the branch of one that is scanned */
export async function startImport(
  system: Called,
  report: Buffer,
  { name = 'bench', ref = 'main' }: { name?: string; ref?: string } = {},
): Promise<{ id: string }> {
  const uploadId = await uploaded(system, report);
  const body = { format: 'sarif', uploadId, repository: `https://git.example.com/${name}`, ref };
  const { taskId } = await send(system, 'POST', '/api/v1/findings/import', body);
  return { id: String(taskId) };
}

/** The id of an upload of these bytes. */
export async function uploaded(system: Called, report: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(report).digest('hex');
  const upload = await send(system, 'POST', '/api/v1/uploads', { sizeBytes: report.length, sha256 });
  const parts = upload.parts as { sizeBytes: number; url: string; headers: Record<string, string> }[];
  let from = 0;
  for (const { url, headers, sizeBytes } of parts) {
    const body = new Uint8Array(report.subarray(from, from + sizeBytes));
    const answer = await fetch(url, { method: 'PUT', headers, body });
    if (!answer.ok) throw new Error(`the upload was refused: ${answer.status}`);
    from += sizeBytes;
  }
  return String(upload.uploadId);
}

/** The same system, called by its administrator's account: a key neither makes rules nor approves. */
export async function asAdministrator(system: System): Promise<System> {
  const { clientId: client_id, clientSecret: client_secret } = system;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return { ...system, apiKey: String((await send(system, 'POST', '/api/v1/oauth/token', body)).access_token) };
}

/** Asks in short waits: a request of the busy process must end before its time limit. */
export async function finished(system: Called, id: string): Promise<void> {
  for (;;) {
    const { status, error } = await send(system, 'GET', `/api/v1/tasks/${id}?waitSeconds=5`);
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(`an import failed: ${JSON.stringify(error)}`);
  }
}

/** Resolves when the table has the first findings of an import. */
export async function isRunning(system: Called, id: string): Promise<void> {
  for (;;) {
    const { progress } = await send(system, 'GET', `/api/v1/tasks/${id}?waitSeconds=1`);
    if (Number((progress as { done: number }).done) > 0) return;
  }
}

export async function send({ baseUrl, apiKey }: Called, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = (await answer.json()) as Answer;
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(content)}`);
  return content;
}

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Report } from '#local/reference-scanner/send-report.ts';

export const Linked = z.object({
  id: z.string(),
  instanceId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});
export type Linked = z.infer<typeof Linked>;

/** A result that the service has not taken yet. Its report lies in a file beside it. */
export type Pending = { taskId: string; result: Record<string, unknown>; report?: Report };

export type State = Awaited<ReturnType<typeof openState>>;

/** What the scanner must not lose when it stops: who it is, and results that are still to be sent. */
export async function openState(directory: string) {
  const spool = join(directory, 'results');
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const identity = join(directory, 'scanner.json');
  const resultFile = (taskId: string) => join(spool, `${taskId}.json`);
  return {
    reportFile: (taskId: string) => join(spool, `${taskId}.report`),
    async read(): Promise<Partial<Linked>> {
      const text = await readFile(identity, 'utf8').catch(absent);
      return text === undefined ? {} : JSON.parse(text);
    },
    write: (linked: Partial<Linked>) => replace(identity, linked),
    keepResult: (pending: Pending) => replace(resultFile(pending.taskId), pending),
    async results(): Promise<Pending[]> {
      const files = (await readdir(spool)).filter((name) => name.endsWith('.json'));
      return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(spool, name), 'utf8'))));
    },
    async forgetResult({ taskId, report }: Pending): Promise<void> {
      await rm(resultFile(taskId), { force: true });
      if (report) await rm(report.file, { force: true });
    },
  };
}

/** Any other failure must not look like a scanner that was never linked: it would link a second time. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** Whole or not at all, so that a crash leaves the earlier state. */
async function replace(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

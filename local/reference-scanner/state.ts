import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openIdentity, replaceFile } from '#local/reference-machine/identity.ts';
import type { Report } from '#local/reference-scanner/send-report.ts';

/** A result that was not sent yet. Its report is in a file beside it. */
export type Pending = { taskId: string; result: Record<string, unknown>; report?: Report };

export type State = Awaited<ReturnType<typeof openState>>;

/** The state that a scanner must keep when it stops: its identity and its unsent results. */
export async function openState(directory: string) {
  const spool = join(directory, 'results');
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const resultFile = (taskId: string) => join(spool, `${taskId}.json`);
  return {
    ...openIdentity(join(directory, 'scanner.json')),
    reportFile: (taskId: string) => join(spool, `${taskId}.report`),
    keepResult: (pending: Pending) => replaceFile(resultFile(pending.taskId), pending),
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

import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openIdentity, replaceFile } from '../reference-machine/identity.ts';
import type { Report } from './send-report.ts';

/** An unsent result. Its report is in a file beside it. */
export type Pending = { taskId: string; result: Record<string, unknown>; reports: Report[] };

export type State = Awaited<ReturnType<typeof openState>>;

/** A result that an earlier version kept has one report at most. */
const pendingOf = ({ report, ...pending }: Pending & { report?: Report }): Pending =>
  report ? { ...pending, reports: [report] } : pending;

/** The state that a scanner must keep when it stops: its identity and its unsent results. */
export async function openState(directory: string) {
  const spool = join(directory, 'results');
  const checkouts = join(directory, 'checkouts');
  // left by a scanner that was killed
  await rm(checkouts, { recursive: true, force: true });
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const resultFile = (taskId: string) => join(spool, `${taskId}.json`);
  return {
    ...openIdentity(join(directory, 'scanner.json')),
    /** The file of a task's n-th report. */
    reportFile: (taskId: string, n = 0) => join(spool, n === 0 ? `${taskId}.report` : `${taskId}.report-${n}`),
    /** Holds the files of a repository for the time of a scan. */
    checkoutDirectory: (taskId: string) => join(checkouts, taskId),
    keepResult: (pending: Pending) => replaceFile(resultFile(pending.taskId), pending),
    async results(): Promise<Pending[]> {
      const files = (await readdir(spool)).filter((name) => name.endsWith('.json'));
      return Promise.all(files.map(async (name) => pendingOf(JSON.parse(await readFile(join(spool, name), 'utf8')))));
    },
    async forgetResult({ taskId, reports }: Pending): Promise<void> {
      await rm(resultFile(taskId), { force: true });
      for (const { file } of reports) await rm(file, { force: true });
    },
  };
}

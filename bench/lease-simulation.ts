import { completeAsScanner } from '#functions/scanning/scanner-communication/complete.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';

export type Simulated = {
  polls: number;
  idlePolls: number;
  leased: number;
  completed: number;
  /** Seconds of wall clock time. */
  seconds: number;
  simulatedSeconds: number;
};
type Simulation = Context & { scannerIds: readonly string[]; tasks: number; concurrency: number };

/** Duration of a scan, in simulated time. */
const SCAN_SECONDS = 20;
const CAPACITY = 4;

type Scanner = { id: string; at: number; holds: string[] };

/**
 * Scanners poll at the intervals that the service names, in simulated time. The next scanners in turn act at once, up
 * to the number of concurrent requests. The simulation ends when all tasks are done.
 * @throws when a task was handed out or done twice
 */
export async function simulate({ table, connections, scannerIds, tasks, concurrency }: Simulation): Promise<Simulated> {
  const counts = { polls: 0, idlePolls: 0, leased: 0, completed: 0 };
  const start = nowMs();
  const begun = performance.now();
  const scanners = scannerIds.map((id, n): Scanner => ({ id, at: start + (n % 5000) * 10, holds: [] }));
  const ended = new Set<string>();
  const act = async (scanner: Scanner): Promise<void> => {
    const as = openTable(table.dynamo, table.organizationId, { kind: 'machine', id: scanner.id, name: 'scanner' });
    if (scanner.holds.length > 0) await complete(as, scanner);
    const body = { capacity: CAPACITY, running: [] };
    const answer = await pollAsScanner(as, { machineId: scanner.id, body, address: '192.0.2.1' });
    counts.polls++;
    if (answer.tasks.length === 0) counts.idlePolls++;
    counts.leased += answer.tasks.length;
    scanner.holds = answer.tasks.map(({ id }) => id);
    scanner.at += (scanner.holds.length > 0 ? SCAN_SECONDS : answer.pollAfterSeconds) * 1000;
  };
  const complete = async (as: Table, scanner: Scanner): Promise<void> => {
    const sent = scanner.holds.map((taskId) => ({ taskId, outcome: 'completed' }));
    const { results } = await completeAsScanner({ connections, table: as, machineId: scanner.id }, sent);
    for (const { taskId, accepted, message } of results) {
      if (!accepted || ended.has(taskId)) throw new Error(`task ${taskId}: done twice or refused: ${message}`);
      ended.add(taskId);
    }
    counts.completed += results.length;
  };
  let now = start;
  setClock(() => now);
  try {
    while (counts.completed < tasks) {
      scanners.sort((a, b) => a.at - b.at);
      const next = scanners.slice(0, concurrency);
      now = Math.max(now, next.at(-1)?.at ?? now);
      await Promise.all(next.map(act));
    }
  } finally {
    setClock();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { ...counts, seconds: Math.round(seconds), simulatedSeconds: Math.round((now - start) / 1000) };
}

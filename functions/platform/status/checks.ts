import { setTimeout as sleep } from 'node:timers/promises';
import { jobNames, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { getRow } from '#shared/platform/table/io/read.ts';
import type { Status } from './routes.ts';

type Check = Status['checks'][number];

/** A dependency that answers later than this fails for users too. */
const PATIENCE_MS = 2_000;
const KEPT_MS = 5_000;

const kept = new WeakMap<Connections, { checks: Promise<Check[]>; until: number }>();

/** The state of the service's dependencies, checked at most every five seconds. */
export function checkDependencies(connections: Connections): Promise<Check[]> {
  const earlier = kept.get(connections);
  if (earlier && earlier.until > elapsedMs()) return earlier.checks;
  const checks = Promise.all([
    runCheck('table', checkTable(connections)),
    runCheck('queues', checkQueues(connections)),
    runCheck('bucket', checkBucket(connections)),
  ]);
  kept.set(connections, { checks, until: elapsedMs() + KEPT_MS });
  return checks;
}

/** Reads a row that does not exist, which costs half a read unit. */
async function checkTable({ dynamo }: Connections): Promise<void> {
  await getRow(dynamo, { pk: 'status', sk: '-' });
}

/** Asks for an object that does not exist. */
async function checkBucket({ bucket }: Connections): Promise<void> {
  await bucket.size('status');
}

async function checkQueues({ queues }: Connections): Promise<void> {
  await Promise.all(jobNames.map((name) => queues.countInFlight(queueName(jobs[name]))));
}

async function runCheck(name: Check['name'], work: Promise<void>): Promise<Check> {
  const started = elapsedMs();
  const patience = new AbortController();
  const tooLate = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS} ms`);
  });
  const failed = await Promise.race([work, tooLate]).then(
    () => false,
    (error: unknown) => {
      log.error('dependency failing', { name, error: error instanceof Error ? error : String(error) });
      return true;
    },
  );
  patience.abort();
  return { name, status: failed ? 'failing' : 'ok', latencyMilliseconds: Math.round(elapsedMs() - started) };
}

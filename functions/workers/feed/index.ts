import { setTimeout as sleep } from 'node:timers/promises';
import { followUp } from '#shared/platform/feed/audit.ts';
import { hasUnseen } from '#shared/platform/feed/consumer.ts';
import { SETTLE_MS } from '#shared/platform/feed/order.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { longId, timeOf } from '#shared/platform/runtime/ids.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { entryIdIn, INBOX_SHARDS, inboxPartition, organizationIn } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { timers, VIEWS_SHARD } from '#shared/platform/timers/timers.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';

/** A run ends before the next begins; the next run numbers the rest. */
const RUN_MS = 45_000;
/** A run looks so often who has changed something, so that events go out within seconds although a schedule comes once a minute. */
const LOOK_MS = 10_000;
const LOOKS = 6;
const AT_ONCE = 8;

const SHARDS = Array.from({ length: INBOX_SHARDS }, (_, shard) => shard);

/** Every minute: wakes the readers of what all organizations change meanwhile, and numbers it. */
export async function handler({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
  const connections = openConnections();
  await Promise.all([numberAll(connections), wakeReaders(connections, signal)]);
}

async function wakeReaders(connections: Connections, signal: AbortSignal | undefined): Promise<void> {
  const began = elapsedMs();
  for (let n = 0; n < LOOKS; n++) {
    const wait = began + n * LOOK_MS - elapsedMs();
    await sleep(Math.max(0, wait), undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return;
    await lookForNews(connections);
  }
}

/**
 * Wakes the views of each organization whose oldest change can be numbered: they number it, and wake who waits for its events. The changes of
 * others are numbered already, by a reader of their log.
 */
export async function lookForNews(connections: Connections): Promise<void> {
  await eachAtOnce(SHARDS, AT_ONCE, async (shard) => {
    for await (const { organizationId, oldest } of withNews(connections, shard))
      if (timeOf(oldest) <= nowMs() - SETTLE_MS)
        await wakeViewsSoon({ connections, table: openTable(connections.dynamo, organizationId) }, oldest);
  });
  const numbered = await numberedLately(connections);
  await eachAtOnce(numbered, AT_ONCE, async (organizationId) => {
    const table = openTable(connections.dynamo, organizationId);
    if (await hasUnseen(table, 'views')) await wakeViewsSoon({ connections, table });
  });
}

/** The organizations with a timer of their views, which each sheet of the log sets a minute ahead. */
async function numberedLately({ dynamo }: Pick<Connections, 'dynamo'>): Promise<string[]> {
  const anyTimer = { shard: VIEWS_SHARD, at: 0, kind: 'views' as const, organizationId: '', id: '' };
  const { pk } = rowKey(GLOBAL_SCOPE, timers, anyTimer);
  const rows = await queryRows(dynamo, { pk, all: true });
  return [...new Set(rows.map(({ organizationId }) => String(organizationId)))];
}

export async function numberAll(connections: Connections): Promise<void> {
  const end = elapsedMs() + RUN_MS;
  await eachAtOnce(SHARDS, AT_ONCE, (shard) => numberShard(connections, shard, end));
}

/** An organization with many changes gets the next turn after the others. */
async function numberShard(connections: Connections, shard: number, end: number): Promise<void> {
  for (let more = true; more; ) {
    more = false;
    for await (const { organizationId } of withNews(connections, shard)) {
      if (elapsedMs() > end) return;
      more = (await numberOrganization(connections, organizationId)) || more;
    }
  }
}

/** Changes of one organization that cannot be numbered do not stop the other organizations. @returns whether there are more */
async function numberOrganization({ dynamo }: Pick<Connections, 'dynamo'>, organizationId: string): Promise<boolean> {
  try {
    return await followUp(openTable(dynamo, organizationId));
  } catch (error) {
    log.error('changes not numbered', { organizationId, error: error as Error });
    return false;
  }
}

/** The organizations of a shard whose changes wait for their numbers, with the oldest: the first row behind one belongs to the next. */
async function* withNews({ dynamo }: Pick<Connections, 'dynamo'>, shard: number) {
  for (let from = ' '; ; ) {
    const [row] = await queryRows(dynamo, { ...inboxPartition(shard), from, to: '~', limit: 1 });
    if (!row) return;
    const organization = organizationIn(row);
    yield { organizationId: longId(organization), oldest: entryIdIn(row) };
    from = `${organization}~`;
  }
}

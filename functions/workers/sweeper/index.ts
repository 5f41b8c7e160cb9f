import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { embeddedMetric, MACHINES_OFFLINE } from '#shared/platform/runtime/metrics.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { dueBefore, TIMER_KINDS, TIMER_SHARDS, type Timer, timers } from '#shared/platform/timers/timers.ts';
import { work } from './work.ts';

/** Timers of one shard that one read returns; a sweep continues until none is due. */
const BATCH = 50;
/** Timers that are worked at the same time. */
const AT_ONCE = 8;
/** A sweep ends well before the next begins; the next sweep does the rest. */
const SWEEP_MS = 45_000;

/** Every minute: machines that went silent, leases that ended, messages that were not sent. */
export async function handler(): Promise<void> {
  await sweep(openConnections());
}

export async function sweep(connections: Connections): Promise<void> {
  const end = elapsedMs() + SWEEP_MS;
  const shards = Array.from({ length: TIMER_SHARDS }, (_, shard) => shard);
  const offline = (await Promise.all(shards.map((shard) => sweepShard(connections, shard, end)))).flat();
  const table = connections.dynamo.tableName;
  for (const kind of TIMER_KINDS) {
    const count = offline.filter((timer) => timer.kind === kind).length;
    if (count > 0) log.info('machines went offline', embeddedMetric(MACHINES_OFFLINE, count, { table, kind }));
  }
}

/** Each timer is met once, so that those that fail, however many, keep none from being worked. @returns who went offline */
async function sweepShard(connections: Connections, shard: number, end: number): Promise<Timer[]> {
  const offline: Timer[] = [];
  let seen = 0;
  const range = { from: '0', to: dueBefore(nowMs()) };
  while (elapsedMs() < end) {
    const due = await readDue(connections, shard, range);
    offline.push(...(await workAll(connections, due)));
    seen += due.length;
    const last = due[BATCH - 1];
    if (!last) break;
    // a space sorts behind the key that it follows and before every longer one
    range.from = `${rowKey(GLOBAL_SCOPE, timers, last).sk} `;
  }
  if (seen > 0) log.info('timers swept', { shard, count: seen });
  return offline;
}

async function readDue({ dynamo }: Connections, shard: number, range: { from: string; to: string }): Promise<Timer[]> {
  const anyTimer: Timer = { shard, at: 0, kind: 'scanner', organizationId: '', id: '' };
  const { pk } = rowKey(GLOBAL_SCOPE, timers, anyTimer);
  const rows = await queryRows(dynamo, { pk, ...range, limit: BATCH });
  return rows.map(({ at, kind, organizationId, id, send }) => ({
    shard,
    at: Number(at),
    kind,
    organizationId: String(organizationId),
    id: String(id),
    send,
  }));
}

/** Works timers. A timer whose work fails stays due. @returns the timers whose machines went offline */
async function workAll(connections: Connections, due: readonly Timer[]): Promise<Timer[]> {
  const offline: Timer[] = [];
  for (const part of chunksOf(due, AT_ONCE)) {
    const results = await Promise.allSettled(part.map(async (timer) => work(connections, timer)));
    for (const [i, result] of results.entries()) {
      const timer = part[i];
      if (result.status === 'rejected')
        log.error('timer not worked', { kind: timer?.kind, id: timer?.id, reason: String(result.reason) });
      else if (result.value && timer) offline.push(timer);
    }
  }
  return offline;
}

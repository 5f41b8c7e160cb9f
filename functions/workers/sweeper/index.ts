import { nowMs } from '#shared/clock.ts';
import { log } from '#shared/log.ts';
import { ALARM_SCOPE, ALARM_SHARDS, type Alarm, alarms, dueBefore } from '#shared/machines/alarms.ts';
import { openPorts } from '#shared/open-ports.ts';
import type { Ports } from '#shared/ports.ts';
import { resend } from '#shared/scanning/outbox.ts';
import { queryRows } from '#shared/table/read.ts';
import { rowKey } from '#shared/table/row.ts';
import { sweepScanner } from './sweep-scanner.ts';

/** Alarms of one shard that are read at a time; a sweep goes on until none is due. */
const BATCH = 50;
/** Alarms that are worked at the same time. */
const AT_ONCE = 8;
/** A sweep ends well before the next begins; what is left is due then. */
const SWEEP_MS = 45_000;

/** Every minute: scanners that went silent, leases that ended, messages that were not sent. */
export async function handler(): Promise<void> {
  await sweep(openPorts());
}

export async function sweep(ports: Ports): Promise<void> {
  const end = Date.now() + SWEEP_MS;
  const shards = Array.from({ length: ALARM_SHARDS }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => sweepShard(ports, shard, end)));
}

async function sweepShard(ports: Ports, shard: number, end: number): Promise<void> {
  let seen = 0;
  while (Date.now() < end) {
    const due = await readDue(ports, shard, BATCH);
    const failed = await workAll(ports, due);
    seen += due.length;
    if (due.length < BATCH || failed === due.length) break;
  }
  if (seen > 0) log.info('alarms swept', { shard, count: seen });
}

async function readDue({ dynamo }: Ports, shard: number, limit: number): Promise<Alarm[]> {
  const anyAlarm: Alarm = { shard, at: 0, kind: 'scanner', organizationId: '', id: '' };
  const { pk } = rowKey(ALARM_SCOPE, alarms, anyAlarm);
  const rows = await queryRows(dynamo, { pk, from: '0', to: dueBefore(nowMs()), limit });
  return rows.map(({ at, kind, organizationId, id, send }) => ({
    shard,
    at: Number(at),
    kind: kind === 'send' ? 'send' : 'scanner',
    organizationId: String(organizationId),
    id: String(id),
    send,
  }));
}

/** One that fails stays due and keeps none of the others from being worked. @returns how many failed */
async function workAll(ports: Ports, due: readonly Alarm[]): Promise<number> {
  let failed = 0;
  for (let n = 0; n < due.length; n += AT_ONCE) {
    const works = due.slice(n, n + AT_ONCE).map((alarm) => work(ports, alarm));
    for (const result of await Promise.allSettled(works)) {
      if (result.status === 'fulfilled') continue;
      failed++;
      log.error('alarm not worked', { reason: String(result.reason) });
    }
  }
  return failed;
}

const work = (ports: Ports, alarm: Alarm): Promise<void> =>
  alarm.kind === 'send' ? resend(ports, alarm) : sweepScanner(ports, alarm);

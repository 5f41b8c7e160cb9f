import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalSystem } from '#local/system.ts';
import { zones } from '#shared/assets/zones/zone.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { entryWrite, type RecordChange } from '#shared/platform/table/changes.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { addEndpoint, startReceiver, zoneOf } from './notify.ts';
import { type BenchTable, benchRow, benchTable } from './report.ts';

const MOST_SECONDS = 30;
/** Changes of one transaction, as an import makes them. */
const TOGETHER = 25;
/** The flooded endpoints of the first organization. */
const ENDPOINTS = 4;
/** Between two changes of the other organization. */
const EVERY_MS = 3_000;

type Flood = { perMinute: number; seconds: number };

/**
 * How long a change of one organization takes to its webhook endpoint, while another organization has so many events a minute, which go to
 * endpoints of its own. All workers and schedules run as `npm start` runs them.
 */
export async function benchNotifyFlood({ perMinute, seconds }: Flood): Promise<BenchTable> {
  const settings = { CODE_HOSTS_PRIVATE: '1' };
  const system = await startLocalSystem({ port: 0, workersBeside: true, settings });
  const heard = new Map<string, number>();
  const receiver = await startReceiver((body) => heard.set(JSON.parse(body).data.id, elapsedMs()));
  const flooded = await startReceiver();
  try {
    const { connections } = system;
    await ensureSealingKey(connections);
    const [first, other] = [newId(), newId()].map((id) => openTable(connections.dynamo, id)) as [Table, Table];
    for (let n = 0; n < ENDPOINTS; n++) await addEndpoint({ connections, table: first }, flooded.url, ['finding.*']);
    await addEndpoint({ connections, table: other }, receiver.url);
    const end = elapsedMs() + seconds * 1000;
    const [made, sent] = await Promise.all([flood(connections, first, { perMinute, end }), change(other, end)]);
    const limit = elapsedMs() + 2 * MOST_SECONDS * 1000;
    while ([...sent.keys()].some((id) => !heard.has(id)) && elapsedMs() < limit) await sleep(100);
    const took = [...sent]
      .map(([id, at]) => ((heard.get(id) ?? Number.POSITIVE_INFINITY) - at) / 1000)
      .sort((a, b) => a - b);
    const worst = took.at(-1) ?? 0;
    const operation = 'delivery of another organization, slowest';
    const units = { roundTrips: 0, readUnits: 0, writeUnits: 0 };
    const row = benchRow({
      operation,
      size: String(perMinute),
      ...units,
      seconds: worst,
      budget: { seconds: MOST_SECONDS },
    });
    const figures = {
      'events of the first organization': made,
      'of them sent meanwhile': flooded.received(),
      'deliveries of the other': took.length,
      'half of them within seconds': Number((took[Math.floor(took.length / 2)] ?? 0).toFixed(1)),
    };
    return benchTable(`Deliveries beside ${perMinute} events a minute`, [row], [figures]);
  } finally {
    receiver.close();
    flooded.close();
    await system.stop();
  }
}

/** Writes changes as transactions do, at an even pace. @returns how many */
async function flood(
  { dynamo }: Connections,
  { tenant }: Table,
  { perMinute, end }: { perMinute: number; end: number },
) {
  const began = elapsedMs();
  let made = 0;
  while (elapsedMs() < end) {
    const due = ((elapsedMs() - began) / 60_000) * perMinute;
    const entries = Math.floor((due - made) / TOGETHER);
    const rows = Array.from({ length: entries }, () => entryWrite(tenant, systemActor, { changes: changes() }).put);
    await writeRows(dynamo, { put: rows });
    made += entries * TOGETHER;
    await sleep(50);
  }
  return made;
}

const changes = (): RecordChange[] =>
  Array.from({ length: TOGETHER }, () => ({
    kind: 'created' as const,
    entity: 'finding',
    id: newId(),
    version: 1,
    fields: { status: { to: 'open' }, severity: { to: 'high' } },
    masked: ['description'],
  }));

/** Changes something every few seconds. @returns when each record was made */
async function change(table: Table, end: number): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  for (let n = 0; elapsedMs() < end; n++) {
    const { id } = await table.create(zones, zoneOf(n));
    sent.set(id, elapsedMs());
    await sleep(EVERY_MS);
  }
  return sent;
}

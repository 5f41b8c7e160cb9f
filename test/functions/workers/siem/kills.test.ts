import { afterAll, beforeAll, expect, test } from 'vitest';
import { showSource } from '#functions/soc/siem/show-sources.ts';
import { searchEvents } from '#functions/soc/siem-search/search.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { inSeconds, now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { keepBatch } from '#shared/soc/siem/batches.ts';
import { siemSources } from '#shared/soc/siem/siem-source.ts';
import { sourceOf } from '#shared/soc/siem/sources.ts';
import { lastDay, newestVolumes } from '#shared/soc/siem/volume.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from '../imports/crash.ts';
import { redriven, startWorld, type World } from '../imports/world.ts';

let world: World;
let victim: Awaited<ReturnType<typeof makeVictim>>;
beforeAll(async () => {
  world = await startWorld();
  victim = await makeVictim(world.connections);
});
afterAll(async () => {
  setClock();
  await world.stop();
});

const collectorId = newId();
const LINES = 40;

/** Failed logins of two hours, so that a batch has two segments, and as many in each as a starter rule counts for its alert. */
const content = (at: number) =>
  Buffer.from(
    Array.from({ length: LINES }, (_, n) => {
      const time = new Date(at - (n % 2 === 0 ? 60_000 : 5_400_000)).toISOString();
      return `<86>1 ${time} web-01 sshd 7 - - Failed password for root from 203.0.113.7 port ${n} ssh2`;
    }).join('\n'),
  );

const keep = (table: Table, batchId: string, at = nowMs()) =>
  keepBatch(
    { table, connections: world.connections },
    { collectorId, batchId, source: 'app', format: 'auto', content: content(at) },
  );

const search = (table: Table, more: object = {}) =>
  searchEvents({ table, connections: world.connections }, { limit: 500, from: inSeconds(-90_000), ...more });

test('a worker that is killed at any write loses no event and doubles none, nor on an alert', async () => {
  for (let write = 1, died = true; died; write++) {
    const table = world.newOrganization();
    const at = nowMs();
    await keep(table, 'first', at);
    victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
    await world.deliver().catch(() => false);
    died = victim.isDead();
    victim.restart();
    // the collector got its answer, or not: it may send the batch again
    await keep(table, 'first', at);
    await world.drain();
    const { data, histogram, isComplete } = await search(table);
    expect({ write, isComplete, found: data.length }).toEqual({ write, isComplete: true, found: LINES });
    expect(new Set(data.map(({ message }) => message)).size).toBe(LINES);
    expect(histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(LINES);
    expect(lastDay(await newestVolumes(table), nowMs()).events).toBe(LINES);
    expect((await raised(table)).map(({ eventCount }) => eventCount)).toEqual([LINES / 2, LINES / 2]);
    await expectExact(table, [siemSources, alerts]);
  }
});

test('a batch at which its worker dies twice is given up: its source says why, the next batch is stored, and a redrive stores it', async () => {
  const table = world.newOrganization();
  await keep(table, 'poison');
  await keep(table, 'next');
  const [poison, next] = world.messages.splice(0);
  for (const _ of [1, 2]) {
    victim.killAt(3, 'before');
    expect(await world.deliver(poison)).toBe(false);
    expect(victim.isDead()).toBe(true);
    victim.restart();
  }
  expect(await world.deliver(poison)).toBe(false);
  const shown = async () => showSource(table, await sourceOf(table, { collectorId, name: 'app' }));
  expect((await shown()).failure).toMatchObject({ batchId: 'poison', code: 'worker_died' });
  expect(await world.deliver(next)).toBe(true);
  expect((await search(table)).data).toHaveLength(LINES);
  expect((await shown()).failure).toMatchObject({ batchId: 'poison' });
  expect(await world.deliver(poison && { ...poison, ...redriven() })).toBe(true);
  expect((await search(table)).data).toHaveLength(2 * LINES);
  expect((await shown()).failure).toBeNull();
  world.messages.length = 0;
});

const raised = async (table: Table) => (await table.list(alerts, { paginateFrom: 0, paginateSize: 50 })).data;

test('a source that is silent makes one alert for each silence, and is active again with its next event', async () => {
  const table = world.newOrganization();
  const start = nowMs();
  const at = (seconds: number) => setClock(() => start + seconds * 1000);
  await keep(table, 'one');
  await world.drain();
  const read = () => sourceOf(table, { collectorId, name: 'app' });
  for (const seconds of [86_500, 86_600, 100_000]) {
    at(seconds);
    await sweep(world.connections);
  }
  expect(await read()).toMatchObject({ status: 'silent', quiet: true });
  const ofSilence = async () => (await raised(table)).filter(({ source }) => source.ruleId === 'siem-source-silent');
  expect(await ofSilence()).toMatchObject([{ eventCount: 1, source: { kind: 'siem' } }]);
  await keep(table, 'two');
  await world.drain();
  expect(await read()).toMatchObject({ status: 'active', quiet: false });
  at(200_000);
  await sweep(world.connections);
  expect(await ofSilence()).toHaveLength(2);
  await expectExact(table, [siemSources, alerts]);
  setClock();
});

test('events whose days are over are not found, and then removed with their counters', async () => {
  const table = world.newOrganization();
  const start = nowMs();
  await keep(table, 'old');
  await world.drain();
  setClock(() => start + 29 * 86_400_000);
  await keep(table, 'new');
  await world.drain();
  expect((await search(table, { from: inSeconds(-30 * 86_400) })).data).toHaveLength(2 * LINES);
  setClock(() => start + 32 * 86_400_000);
  expect((await search(table, { from: inSeconds(-50 * 86_400), to: now() })).data).toHaveLength(LINES);
  const key = `siem/${table.organizationId}/${new Date(start - 60_000).toISOString().slice(0, 13)}`;
  expect(await objectsUnder(key)).toBe(1);
  await sweep(world.connections);
  expect(await objectsUnder(key)).toBe(0);
  setClock();
});

async function objectsUnder(Prefix: string): Promise<number> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const { bucket } = world.connections;
  const answer = await (await bucket.client()).send(new ListObjectsV2Command({ Bucket: bucket.name, Prefix }));
  return answer.KeyCount ?? 0;
}

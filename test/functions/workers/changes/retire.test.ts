import { afterAll, afterEach, expect, test } from 'vitest';
import { assetsSummary } from '#functions/exposure/dashboards/assets-summary.ts';
import { findingsSummary } from '#functions/exposure/dashboards/summaries.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueRetirement } from '#shared/exposure/asset-actions/retire.ts';
import { returnAsset } from '#shared/exposure/asset-actions/return-asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { expectExact } from '../../../support/verify.ts';
import { makeVictim } from '../imports/crash.ts';
import { allFindings } from '../imports/expectations.ts';
import { codeScan, networkScan, nmap, problems, repository, sarif } from '../imports/reports.ts';
import { redriven, startWorld } from '../imports/world.ts';

const world = await startWorld();
afterEach(() => setClock());
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const page = { paginateFrom: 0, paginateSize: 100 };

/** Lets days pass; the sweeper looks at the end of them, twice, because a timer that it puts may be due already. */
async function pass(days: number): Promise<void> {
  const at = nowMs() + days * DAY_MS;
  setClock(() => at);
  await sweep(world.connections);
  await world.drain();
}

const names = async (table: Table, entity: typeof findings) =>
  (await table.list(entity, page)).data.map(({ asset }) => asset.name.split('/').at(-1)).sort();

const scan = (name: string, count = 2) => codeScan(sarif(problems(count)), { target: repository(name) });

const exact = (table: Table) => expectExact(table, [assets, findings, retiredFindings]);

test('an asset that nothing saw for 180 days takes its findings off lists and dashboards, and brings them back', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scan('old'));
  await world.ingest(table, scan('used'));
  const before = await allFindings({ connections: world.connections, table });
  await pass(150);
  await world.ingest(table, scan('used'));
  expect(await assetsSummary(table)).toMatchObject({ total: 2, seen7d: 1, stale30d: 1 });
  await pass(29);
  expect(await names(table, findings)).toEqual(['old', 'old', 'used', 'used']);
  await pass(2);
  expect(await names(table, findings)).toEqual(['used', 'used']);
  expect(await names(table, retiredFindings)).toEqual(['old', 'old']);
  expect(await findingsSummary(table)).toMatchObject({ total: 2, open: 2 });
  expect(await assetsSummary(table)).toMatchObject({ total: 1, seen7d: 0, stale30d: 1, unowned: 1 });
  const old = before.find(({ asset }) => asset.name.endsWith('old'));
  expect((await getFinding(table, old?.id ?? '')).finding.title).toBe(old?.title);
  await exact(table);
  const { result } = await world.ingest(table, scan('old', 1));
  expect(result).toMatchObject({ created: 0, unchanged: 1, closed: 1 });
  expect(await names(table, findings)).toEqual(['old', 'old', 'used', 'used']);
  expect(await names(table, retiredFindings)).toEqual([]);
  const after = await allFindings({ connections: world.connections, table });
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  expect(await assetsSummary(table)).toMatchObject({ total: 2, seen7d: 1 });
  await exact(table);
});

test('a host of a range that is down while it is retired keeps what its next scan closes', async () => {
  const table = world.newOrganization();
  const both = (ports: number[]) => networkScan(nmap(['10.0.0.1', '10.0.0.2'].map((address) => ({ address, ports }))));
  await world.ingest(table, both([80, 443]));
  const { data } = await table.list(assets, page);
  await queueRetirement(
    { connections: world.connections, table },
    data.filter(({ name }) => name === '10.0.0.2'),
  );
  await world.drain();
  const down = { address: '10.0.0.2', ports: [], state: 'down' as const };
  await world.ingest(table, networkScan(nmap([{ address: '10.0.0.1', ports: [80, 443] }, down])));
  expect(await names(table, findings)).toEqual(['10.0.0.1', '10.0.0.1']);
  const { result } = await world.ingest(table, both([80]));
  expect(result).toMatchObject({ created: 0, closed: 2 });
  await exact(table);
});

test('an asset that a report saw between its retirement and the task keeps its findings', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scan('api', 3));
  const { data } = await table.list(assets, page);
  await queueRetirement({ connections: world.connections, table }, data);
  const retiring = world.messages.shift();
  await world.ingest(table, scan('api', 3));
  await world.deliver(retiring);
  await world.drain();
  expect(await names(table, findings)).toEqual(['api', 'api', 'api']);
  await exact(table);
});

test('an asset whose report was under way when it was retired has the finding once that this report made again', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scan('api', 3));
  await queueRetirement({ connections: world.connections, table }, (await table.list(assets, page)).data);
  await world.drain();
  const [kept] = (await table.list(retiredFindings, page)).data;
  const { id, version: _version, createdAt: _createdAt, ...anew } = await table.get(retiredFindings, kept?.id ?? '');
  const made = await table.create(findings, anew);
  await exact(table);
  expect((await world.ingest(table, scan('api', 3))).result).toMatchObject({ created: 0, unchanged: 3, closed: 0 });
  expect(await names(table, findings)).toEqual(['api', 'api', 'api']);
  expect(await names(table, retiredFindings)).toEqual([]);
  const ids = (await table.list(findings, page)).data.map((one) => one.id);
  expect([ids.includes(made.id), ids.includes(id)]).toEqual([true, false]);
  await exact(table);
});

test('a worker that dies while an asset retires or returns loses and doubles nothing', async () => {
  const table = world.newOrganization();
  const victim = await makeVictim(world.connections);
  await world.ingest(table, scan('api', 60));
  const retire = async () =>
    queueRetirement({ connections: world.connections, table }, (await table.list(assets, page)).data);
  const seeAgain = () => world.accept(table, scan('api', 60));
  for (const begin of [retire, seeAgain]) {
    await begin();
    for (let write = 1; world.messages.length > 0; write += 1) {
      const [message] = world.messages;
      if (message) Object.assign(message, redriven());
      victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
      await world.deliver();
      victim.restart();
    }
    expect(await names(table, begin === retire ? retiredFindings : findings)).toHaveLength(60);
    await exact(table);
  }
});

test('an asset that was retired again since somebody wanted it back stays retired', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scan('old', 3));
  const { connections } = world;
  const [{ id = '' } = {}] = (await table.list(assets, page)).data;
  expect(await returnAsset({ table, connections }, id)).toBe(0);
  await pass(181);
  const { retiredAt = '' } = await table.get(assets, id, true);
  expect(await names(table, retiredFindings)).toHaveLength(3);
  expect(await returnAsset({ table, connections }, id, new Date(0).toISOString())).toBe(0);
  expect(await table.get(assets, id, true)).toMatchObject({ retiredAt });
  expect(await names(table, retiredFindings)).toHaveLength(3);
  expect(await returnAsset({ table, connections }, id, String(retiredAt))).toBe(3);
  const { version, retiredAt: now } = await table.get(assets, id, true);
  expect(now).toBeUndefined();
  expect(await names(table, findings)).toHaveLength(3);
  for (const at of [undefined, String(retiredAt)]) expect(await returnAsset({ table, connections }, id, at)).toBe(0);
  expect((await table.get(assets, id, true)).version).toBe(version);
  await world.drain();
  await exact(table);
});

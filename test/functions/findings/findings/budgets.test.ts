import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingHandlers } from '#functions/findings/findings/handlers.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { lastSeenWith } from '#shared/findings/view/last-seen.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan, problems, repository, sarif } from '../../workers/imports/reports.ts';
import { startWorld, type World } from '../../workers/imports/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const page = { paginateFrom: 0, paginateSize: 25 };

const occurrences = (data: readonly { asset: { name: string }; occurrences: number }[], name: string) => [
  ...new Set(data.filter(({ asset }) => asset.name.endsWith(name)).map((finding) => finding.occurrences)),
];

test('a list of findings takes three round trips and six units once its scopes are known, and is never out of date', async () => {
  const table = world.newOrganization();
  for (const name of ['api', 'web'])
    await world.ingest(table, codeScan(sarif(problems(20)), { target: repository(name) }));
  const { connections } = world;
  const call = { table: openTable(connections.dynamo, table.organizationId), connections };
  const list = async (query: object) => findingHandlers.listFindings({ ...call, query } as never);
  const meter = attachMeter(connections.dynamo);
  const first = await meter.measure(() => list(page));
  expect(first.roundTrips).toBe(4);
  for (const query of [page, { ...page, paginateFrom: 15 }, { ...page, severity: ['high'] }]) {
    const usage = await meter.measure(() => list(query));
    expect(usage.roundTrips).toBe(3);
    expect(usage.readUnits).toBeLessThanOrEqual(6);
  }
  await world.ingest(table, codeScan(sarif(problems(20)), { target: repository('api') }));
  const { data } = await list({ ...page, paginateSize: 40 });
  expect([occurrences(data, 'api'), occurrences(data, 'web')]).toEqual([[2], [1]]);
});

test('a scan that ends while a list is read does not make its findings look unseen', async () => {
  const table = world.newOrganization();
  for (let n = 0; n < 2; n++) await world.ingest(table, codeScan(sarif(problems(3))));
  const { data } = await table.list(findings, page);
  const gone = (id: string) => ({ id, revision: 1, waiting: [], stateKey: 'state/that-was-replaced' });
  const known = new Map(data.map(({ scope }) => [scope, gone(scope)]));
  const seen = await lastSeenWith({ bucket: world.connections.bucket, table, known }, data);
  expect([...seen.values()].map((one) => one.occurrences)).toEqual([2, 2, 2]);
});

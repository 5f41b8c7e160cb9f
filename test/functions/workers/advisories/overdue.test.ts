import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { overdueRuns, rateOverdue } from '#functions/workers/advisories/overdue.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const { connections } = world;
afterEach(() => setClock());
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const start = nowMs();
const afterDays = (days: number) => setClock(() => start + days * DAY_MS);

async function newOrganization(): Promise<Table> {
  const { id } = await openTable(connections.dynamo, GLOBAL_SCOPE).create(organizations, { name: 'Acme' });
  return openTable(connections.dynamo, id);
}

async function rate(): Promise<number> {
  await rateOverdue(connections);
  const sent = world.messages.length;
  await world.drain();
  return sent;
}

const priorities = async (table: Table) =>
  Object.fromEntries((await allFindings({ connections, table })).map(({ ruleId, priority }) => [ruleId, priority]));

test('a finding rises once its due day is over, and only then; the others are not written', async () => {
  const [table, idle] = [await newOrganization(), await newOrganization()];
  await rate(); // the first run of all
  const results: Parameters<typeof sarif>[0] = [
    { rule: 'sqli', file: 'a.ts', level: 'error' }, // high: 30 days
    { rule: 'style', file: 'b.ts', level: 'note' }, // low: 180 days
  ];
  await world.ingest(table, codeScan(sarif(results)));
  const before = await priorities(table);
  afterDays(30);
  await rate();
  expect(await priorities(table)).toEqual(before);
  afterDays(31);
  expect(await rate()).toBe(1); // none for the organization that has nothing overdue
  expect(await priorities(table)).toEqual({ ...before, sqli: (before.sqli ?? 0) + 5 });
  const [late] = (await allFindings({ connections, table })).filter(({ ruleId }) => ruleId === 'style');
  expect(late).toMatchObject({ version: 1 });
  expect(await rate()).toBe(0);
  await Promise.all([expectSound(table), expectSound(idle)]);
});

test('findings of a release with another scale are rated again by the first run, with their assets', async () => {
  const table = await newOrganization();
  const place = {
    value: 'shop',
    type: 'host',
    name: 'shop',
    zone: null,
    firstSeenAt: '2026-01-01T00:00:00.000Z',
  } as const;
  const { id } = await table.create(assets, { ...place, criticality: 'critical', internetExposed: true, tags: [] });
  const asset = { id, type: 'host', name: 'shop', zone: null } as const;
  const draft = findingDraft('2026-01-01T00:00:00.000Z', {
    severity: 'critical',
    cvssScore: 10,
    asset,
    dueAt: undefined,
    priority: 90,
  });
  await table.create(findings, draft);
  await openTable(connections.dynamo, GLOBAL_SCOPE).rows(overdueRuns).remove({});
  await rate();
  expect(Object.values(await priorities(table))).toEqual([45 + 8 + 7]);
  await expectSound(table);
});

test('a run that dies anywhere is made up for by the next, and each finding is rated once', async () => {
  const tables = [await newOrganization(), await newOrganization()];
  for (const table of tables)
    await world.ingest(table, codeScan(sarif([{ rule: 'sqli', file: 'a.ts', level: 'error' }])));
  await rate();
  afterDays(100);
  for (let calls = 0; calls < 12; calls++) await dyingAfter(calls);
  await rate();
  for (const table of tables) {
    const [finding] = await allFindings({ connections, table });
    expect(finding).toMatchObject({ priority: 36 + 3 + 5, version: 2 });
    await expectSound(table);
  }
});

/** Runs until so many calls of the table were made. */
async function dyingAfter(calls: number): Promise<void> {
  const { client } = connections.dynamo;
  let left = calls;
  const send = vi.spyOn(client, 'send').mockImplementation(((command: object) => {
    if (left-- <= 0) return Promise.reject(new Error('the function was stopped'));
    return Reflect.apply(DynamoDBDocumentClient.prototype.send, client, [command]);
  }) as never);
  await rateOverdue(connections).catch((error: Error) => expect(error.message).toBe('the function was stopped'));
  send.mockRestore();
}

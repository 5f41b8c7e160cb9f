import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { rateOverdue } from '#functions/workers/advisories/overdue.ts';
import { reportStale } from '#functions/workers/advisories/stale.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { feedRows } from '#shared/advisories/feeds.ts';
import { noteHost } from '#shared/code/integrations/health.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { typesOfChange } from '#shared/events/catalogue.ts';
import type { Event } from '#shared/events/event.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { eventsIn } from '../../support/events.ts';
import { giveSealingKey, makeIntegration } from '../../support/integrations.ts';
import { newWorld } from '../scanning/agents/world.ts';
import { allFindings } from './imports/expectations.ts';
import { codeScan, problems, sarif } from './imports/reports.ts';
import { startWorld } from './imports/world.ts';

const world = await startWorld();
const { connections } = world;
afterEach(() => setClock());
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
/** Noon: a day that is over is over by far. */
const start = Math.floor(nowMs() / DAY_MS) * DAY_MS + DAY_MS / 2;
const afterDays = (days: number) => setClock(() => start + days * DAY_MS);

async function newOrganization(): Promise<Table> {
  const { id } = await openTable(connections.dynamo, GLOBAL_SCOPE).create(organizations, { name: 'Acme' });
  return openTable(connections.dynamo, id);
}

const named = (events: readonly Event[]) => events.map(({ type }) => type);

async function finding(table: Table): Promise<{ id: string }> {
  await world.ingest(table, codeScan(sarif([{ rule: 'sqli', file: 'a.ts', level: 'error' }]))); // high: 30 days
  const [found] = await allFindings({ connections, table });
  if (!found) throw new Error('the report has a finding');
  return found;
}

async function change(table: Table, id: string, changes: Partial<StoredFinding>): Promise<void> {
  const current = await table.get(findings, id, true);
  await table.commit((batch) => changeFinding({ table, batch, entity: findings }, current, { changes, at: now() }));
}

async function day(days: number): Promise<void> {
  afterDays(days);
  await rateOverdue(connections);
  await world.drain();
  await sweep(connections);
  await world.drain();
}

test('a finding is reported three days before it is due and once it is late, and again when its due date moves', async () => {
  const table = await newOrganization();
  afterDays(0);
  const { id } = await finding(table);
  const dueTypes = /^finding\.(due_soon|overdue)$/;
  await day(26);
  expect(await eventsIn(table, dueTypes)).toEqual([]);
  await day(27);
  await day(28);
  const [soon, ...more] = await eventsIn(table, dueTypes);
  expect([soon?.type, soon?.subject, more]).toEqual(['finding.due_soon', `finding/${id}`, []]);
  await change(table, id, { dueAt: new Date(start + 40 * DAY_MS).toISOString() });
  await day(32);
  expect(named(await eventsIn(table, dueTypes))).toEqual(['finding.due_soon']);
  await day(37);
  await day(41);
  expect(named(await eventsIn(table, dueTypes))).toEqual(['finding.due_soon', 'finding.due_soon', 'finding.overdue']);
});

test('an acceptance is reported 30 and 7 days before its end and at its end, each once, and at its new end when it moves', async () => {
  const table = await newOrganization();
  afterDays(0);
  const { id } = await finding(table);
  const until = (days: number) => new Date(start + days * DAY_MS).toISOString();
  await change(table, id, { status: 'risk_accepted', acceptedUntil: until(20), statusReason: 'old' });
  await change(table, id, { acceptedUntil: until(50) });
  const expiring = async () =>
    (await eventsIn(table, /^acceptance\./)).map(({ type, data }) => [type, data.fields.days?.to]);
  await day(14);
  expect(await expiring()).toEqual([]);
  await day(21);
  await day(22);
  expect(await expiring()).toEqual([['acceptance.expiring', 30]]);
  await day(43.5);
  await day(51);
  expect(await expiring()).toEqual([
    ['acceptance.expiring', 30],
    ['acceptance.expiring', 7],
    ['acceptance.expired', undefined],
  ]);
});

test('a feed that is silent for a day is reported once to each organization, also by a run that dies anywhere', async () => {
  const tables = [await newOrganization(), await newOrganization()];
  afterDays(0);
  const rows = openTable(connections.dynamo, GLOBAL_SCOPE).rows(feedRows);
  await rows.put({ feed: 'kev', checkedAt: now() });
  const asked = { ...connections, settings: { ...connections.settings, KEV_FEED_URL: 'http://127.0.0.1:9' } };
  // one after the other: reading moves the clock
  const stale = async () => {
    const read = [];
    for (const table of tables) read.push(named(await eventsIn(table, /^feed\./)));
    return read;
  };
  await reportStale(asked);
  expect(await stale()).toEqual([[], []]);
  afterDays(2);
  for (let calls = 0; calls < 16; calls++) await dyingAfter(calls, () => reportStale(asked));
  await reportStale(asked);
  expect(await stale()).toEqual([['feed.stale'], ['feed.stale']]);
  await rows.set({ feed: 'kev' }, { checkedAt: now() });
  afterDays(4);
  await reportStale(asked);
  expect(await stale()).toEqual([
    ['feed.stale', 'feed.stale'],
    ['feed.stale', 'feed.stale'],
  ]);
});

/** Runs until so many calls of the table were made. */
async function dyingAfter(calls: number, run: () => Promise<void>): Promise<void> {
  const { client } = connections.dynamo;
  let left = calls;
  const send = vi.spyOn(client, 'send').mockImplementation(((command: object) => {
    if (left-- <= 0) return Promise.reject(new Error('the function was stopped'));
    return Reflect.apply(DynamoDBDocumentClient.prototype.send, client, [command]);
  }) as never);
  await run().catch((error: Error) => expect(error.message).toBe('the function was stopped'));
  send.mockRestore();
}

test('an import that fails is an event', async () => {
  const table = await newOrganization();
  await world.ingest(table, codeScan('{"version": "2.1.0", "runs": 7}'));
  expect(named(await eventsIn(table, /^import\./))).toEqual(['import.created', 'import.failed']);
});

test('a held import, a silent machine and a host that refuses are events, and so is the end of the last two', async () => {
  const table = await newOrganization();
  afterDays(0);
  await world.ingest(table, codeScan(sarif(problems(30))));
  afterDays(0.1);
  await world.ingest(table, codeScan(sarif(problems(10))));
  expect(named(await eventsIn(table, /^import\.held/))).toEqual(['import.held']);

  const machines = newWorld(connections.dynamo, table);
  const { id } = await machines.link();
  await machines.report(id);
  afterDays(1);
  await machines.sweep();
  await machines.report(id);
  const ofMachine = await eventsIn(table, /^agent\.o/);
  expect(ofMachine.map(({ type, subject }) => [type, subject])).toEqual([
    ['agent.offline', `agent/${id}`],
    ['agent.online', `agent/${id}`],
  ]);

  giveSealingKey(connections);
  const integration = await makeIntegration({ connections, table }, { webhook: 'a'.repeat(32) });
  await noteHost(table, integration, { code: 'token_refused', message: 'The code host refuses the token.' });
  await noteHost(table, integration, undefined);
  expect(named(await eventsIn(table, /^integration\.(failing|status)/))).toEqual([
    'integration.status_changed',
    'integration.failing',
    'integration.status_changed',
  ]);
});

const updated = (entity: string, fields: RecordChange['fields'], kind: RecordChange['kind'] = 'updated') =>
  ({ kind, entity, id: newId(), version: 2, fields, masked: [] }) satisfies RecordChange;
const status = (from: string, to: string) => ({ status: { from, to } });

test.each([
  [updated('scanner', status('online', 'offline')), ['scanner.offline']],
  [updated('scanner', status('offline', 'online')), ['scanner.online']],
  [updated('scanner', status('offline', 'disabled')), ['scanner.updated']],
  [updated('integration', status('connected', 'failed')), ['integration.status_changed', 'integration.failing']],
  [updated('webhook-endpoint', status('failing', 'disabled')), ['webhook_endpoint.disabled']],
  [updated('vulnerability', { kev: { from: undefined, to: { addedAt: '2026-01-01' } } }), ['vulnerability.kev_added']],
  [updated('vulnerability', { kev: { from: { addedAt: '2026-01-01' } } }), ['vulnerability.updated']],
  [
    updated('import', { status: { to: 'succeeded' }, held: { to: { count: 9 } } }, 'created'),
    ['import.created', 'import.held'],
  ],
])('the change %j is the events %j', (change, types) => {
  expect(typesOfChange(change, { operation: 'service' })).toEqual(types);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { fixture } from '../support/recorded.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const seen = '2026-01-05T08:00:00.000Z';

let organization: TestOrganization;
let admin: Client;
let analyst: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  ({ admin } = organization);
  analyst = await organization.withRole('analyst');
});

const make = (fields: Partial<StoredFinding> = {}) => organization.table.create(findings, findingDraft(seen, fields));
const read = (id: string) => analyst.ok('getFinding', { params: { id } });
const dueOn = async (id: string) => (await read(id)).dueAt?.slice(0, 10) ?? null;

async function addAsset(value: string, more: Partial<Asset>): Promise<StoredFinding['asset']> {
  const draft = { type: 'host' as const, value, name: value, zone: null, criticality: 'medium' as const, tags: [] };
  const asset = { ...draft, internetExposed: null, firstSeenAt: seen, ...more };
  const { id, type, name, zone } = await organization.table.create(assets, asset);
  return { id, type, name, zone };
}

/** Changes the policies and waits until the findings are dated by them. */
async function change(body: object) {
  const { taskId } = await admin.ok('updateSlaPolicies', { body });
  const task = await admin.ok('getTask', { params: { id: taskId ?? '' }, query: { waitSeconds: 20 } });
  expect(task).toMatchObject({ operation: 'redate_findings', status: 'succeeded' });
  return task;
}

describe('a change of the times to fix', () => {
  test('moves the dates of what is not fixed, and none that a person chose', async () => {
    const [open, accepted, fixed, chosen] = [
      await make(),
      await make({ status: 'risk_accepted' }),
      await make({ status: 'fixed', fixedAt: seen }),
      await make(),
    ];
    const standardDate = (await read(chosen.id)).dueAt;
    await analyst.ok('updateFinding', { params: { id: chosen.id }, body: { dueAt: '2026-06-30T00:00:00Z' } });
    await analyst.ok('updateFinding', { params: { id: chosen.id }, body: { dueAt: standardDate } });
    expect(await read(chosen.id)).toMatchObject({ dueChosen: true, dueAt: standardDate });
    const { result } = await change({ days: { high: 14 } });
    expect(result).toMatchObject({ matched: 3, changed: 2, unchanged: 1, refusedCount: 0 });
    expect(await Promise.all([open, accepted, fixed, chosen].map(({ id }) => dueOn(id)))).toEqual([
      '2026-01-19',
      '2026-01-19',
      '2026-02-04',
      '2026-02-04',
    ]);
    await change({ days: { high: 0 } });
    expect(await dueOn(open.id)).toBeNull();
    await change({ days: null });
    expect(await read(open.id)).toMatchObject({ dueAt: '2026-02-04T08:00:00.000Z', dueChosen: false });
    expect((await verify(organization.table, findings)).differences).toEqual([]);
  });

  test('is reported as one change of a person, and the dates as changes of the system', async () => {
    const { id } = await make({ severity: 'low' });
    await change({ days: { low: 100 } });
    const changes = async () => (await analyst.ok('listChanges', { query: { limit: 500 } })).data;
    await expect.poll(async () => (await changes()).some((one) => one.id === id && one.version === 2)).toBe(true);
    const data = (await changes()).toReversed();
    expect(data.find(({ entity }) => entity === 'sla-policies')).toMatchObject({
      actor: expect.not.objectContaining({ id: 'system' }),
      operation: 'updateSlaPolicies',
      fields: { days: { to: { low: 100 } } },
    });
    expect(data.find((one) => one.id === id)).toMatchObject({
      actor: { id: 'system' },
      operation: 'redate_findings',
    });
    const [latest] = await analyst.ok('listFindingHistory', { params: { id } });
    expect(latest).toMatchObject({ by: { kind: 'system' }, reason: 'The SLA policies were changed.' });
  });

  test('dates the findings of an asset by its tags and criticality', async () => {
    const [tagged, crown, other] = [
      await addAsset('pay-1', { tags: ['pci'] }),
      await addAsset('crown-1', { criticality: 'critical' }),
      await addAsset('other-1', {}),
    ];
    const made = await Promise.all([tagged, crown, other].map((asset) => make({ asset, severity: 'critical' })));
    await change({
      exceptions: [
        { name: 'card data', tags: ['pci'], days: { critical: 1 } },
        { name: 'crown jewels', criticalities: ['critical'], days: { critical: 2 } },
      ],
    });
    expect(await Promise.all(made.map(({ id }) => dueOn(id)))).toEqual(['2026-01-06', '2026-01-07', '2026-01-12']);
    const reopened = await make({ asset: tagged, severity: 'critical', status: 'fixed', fixedAt: seen });
    const again = await analyst.ok('updateFinding', { params: { id: reopened.id }, body: { status: 'open' } });
    expect(Date.parse(again.dueAt ?? '') - Date.parse(now())).toBeLessThanOrEqual(86_400_000);
    const ids = made.map(({ id }) => id);
    const changes = { severity: 'high' as const };
    const query = { waitSeconds: 20 };
    await analyst.ok('updateFindings', { query, body: { ids, changes } });
    await analyst.ok('updateFindings', { query, body: { ids, changes: { severity: 'critical' } } });
    expect(await Promise.all(made.map(({ id }) => dueOn(id)))).toEqual(['2026-01-06', '2026-01-07', '2026-01-12']);
    await change({ exceptions: null });
  });

  test('holds for what later imports bring', async () => {
    await addAsset('192.0.2.7', { tags: ['lab'] });
    await change({ days: { high: 3 }, exceptions: [{ name: 'lab', tags: ['lab'], days: { medium: 0 } }] });
    const body = { format: 'nmap', content: fixture('nmap/exposed.xml').toString() };
    const { task } = await analyst.ok('importFindings', { query: { waitSeconds: 20 }, body });
    expect(task).toMatchObject({ status: 'succeeded', result: { created: 4 } });
    const { data } = await analyst.ok('listFindings', { query: { tool: 'nmap', severity: ['high'] } });
    expect(data.length).toBeGreaterThan(0);
    for (const { dueAt, firstSeenAt } of data)
      expect(Date.parse(dueAt ?? '') - Date.parse(firstSeenAt)).toBe(3 * 86_400_000);
    const again = await analyst.ok('importFindings', { query: { waitSeconds: 20 }, body });
    expect(again.task).toMatchObject({ result: { created: 0, updated: 0, unchanged: 4 } });
  });
});

describe('the policies', () => {
  test('are the defaults until somebody changes them, and keep their version', async () => {
    const own = await system.newOrganization();
    expect(await own.admin.ok('getSlaPolicies')).toEqual({
      days: { critical: 7, high: 30, medium: 90, low: 180, info: 0 },
      exceptions: [],
      version: 0,
      taskId: null,
    });
    expect(await own.admin.ok('updateSlaPolicies', { body: {} })).toMatchObject({ version: 0, taskId: null });
    expect(await own.admin.ok('updateSlaPolicies', { body: { days: { critical: 3 } } })).toMatchObject({
      days: { critical: 3, high: 30 },
      version: 1,
    });
    const late = await own.admin.call('updateSlaPolicies', { body: { days: { critical: 4 }, version: 0 } });
    expect(late).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const { data } = await own.admin.ok('listConfig', { query: { paginateSize: 500 } });
    expect(
      data.filter(({ key }) => key.startsWith('findings.due.')).map(({ value, source }) => [value, source]),
    ).toEqual([
      [3 * 86_400, 'organization'],
      [30 * 86_400, 'default'],
      [90 * 86_400, 'default'],
      [180 * 86_400, 'default'],
    ]);
  });

  test('are read by those who read findings, and changed by administrators', async () => {
    expect(await (await organization.apiKey(['findings:read'])).call('getSlaPolicies')).toMatchObject({ status: 200 });
    expect(await analyst.call('updateSlaPolicies', { body: {} })).toMatchObject({
      status: 401,
      body: { code: 'insufficient_scope' },
    });
  });

  test.each<[string, object, string]>([
    ['an exception for all assets', { exceptions: [{ name: 'all', days: { high: 1 } }] }, 'exceptions.0.tags'],
    ['days beyond ten years', { days: { high: 4000 } }, 'days.high'],
    ['a severity that does not exist', { days: { hihg: 4 } }, 'days.hihg'],
    ['a task', { taskId: newId() }, 'taskId'],
  ])('%s is refused, and nothing changes', async (_name, body, path) => {
    const before = await admin.ok('getSlaPolicies');
    const answer = await admin.call('updateSlaPolicies', { body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
    expect(await admin.ok('getSlaPolicies')).toEqual(before);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { createFinding } from '#functions/findings/finding-updates/create-finding.ts';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { FindingCreate } from '#shared/findings/finding/manual-finding.ts';
import { priorityOf } from '#shared/findings/priority/priority.ts';
import { DEFAULT_POLICIES, slaRows } from '#shared/findings/sla/sla-policies.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fakeConnections, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const seen = '2025-01-05T08:00:00.000Z';
const day = (n: number) => `2025-03-${String(n).padStart(2, '0')}T10:00:00.000Z`;

const write = (table: Table, more: object) => {
  const { connections } = fakeConnections(store.dynamo);
  return createFinding({
    connections,
    table,
    caller,
    body: FindingCreate.parse({ title: 'x', severity: 'high', ...more }),
  });
};
const makeAsset = (table: Table, fields: Partial<Asset> = {}) =>
  table.create(assets, {
    type: 'host',
    value: 'web-1.example.com',
    name: 'web-1',
    zone: null,
    criticality: 'medium',
    internetExposed: null,
    tags: [],
    firstSeenAt: seen,
    ...fields,
  });
const branchOf = (table: Table, assetId: string, name: string) =>
  table.create(branches, {
    assetId,
    name,
    isDefault: true,
    isGuessed: false,
    formerNames: [],
    lastScan: null,
    endedAt: null,
  });
const refusal = (path: string, message: string) => ({ code: 'validation_failed', details: [{ path, message }] });
const countOf = async (table: Table) => (await table.list(findings, { paginateFrom: 0, paginateSize: 1 })).totalCount;

describe('a finding that somebody writes', () => {
  test('is as urgent as its asset makes it, belongs to its applications, and is due as its tags ask', async () => {
    stopClock(Date.parse(day(3)));
    const table = newOrganization(store.dynamo);
    const exceptions = [{ name: 'pci', tags: ['pci'], criticalities: [], days: { high: 2 } }];
    await table.rows(slaRows).put({ ...DEFAULT_POLICIES, exceptions });
    const applicationId = newId();
    const links = [{ applicationId, origin: 'manual' as const, at: seen, by: table.actor }];
    const rated = { criticality: 'critical' as const, internetExposed: true, tags: ['pci'], links };
    const asset = await makeAsset(table, rated);
    const made = await write(table, { assetId: asset.id });
    const stakes = { criticality: 'critical' as const, exposed: true as const };
    expect(made).toMatchObject({ stakes, applicationIds: [applicationId], dueAt: day(5), dueChosen: false });
    expect(made.priority).toBe(priorityOf({ severity: 'high', stakes }));
    expect(await table.get(findings, made.id, true)).toMatchObject({ priority: made.priority, stakes });
    const plain = await write(table, { asset: { type: 'host', value: 'other.example.com' } });
    expect(plain).toMatchObject({ dueAt: '2025-04-02T10:00:00.000Z', priority: priorityOf({ severity: 'high' }) });
    expect([plain.stakes, plain.applicationIds]).toEqual([undefined, undefined]);
  });

  test('is on the asset with this name, or on a new asset where none has the name', async () => {
    const table = newOrganization(store.dynamo);
    const aliases = [{ type: 'host' as const, value: 'www.example.com', zone: null }];
    const { id } = await makeAsset(table, { aliases });
    const made = await write(table, { asset: { type: 'host', value: 'www.example.com' } });
    expect(made.asset).toEqual({ id, type: 'host', name: 'web-1.example.com', zone: null });
    const apart = await write(table, { asset: { type: 'host', value: 'www.example.com', zone: 'plant' } });
    expect(apart.asset).toMatchObject({ name: 'www.example.com', zone: 'plant' });
    expect(await table.get(assets, apart.asset.id, true)).toMatchObject({
      sources: ['manual'],
      criticality: 'medium',
      internetExposed: null,
      firstSeenAt: apart.firstSeenAt,
    });
  });

  test('has the date and the assignee that its writer chose, or none where none was chosen', async () => {
    const table = newOrganization(store.dynamo);
    const asset = { type: 'host', value: 'web-1.example.com' };
    const usual = await write(table, { asset });
    expect(usual.dueAt).toBeDefined();
    expect(usual).toMatchObject({
      status: 'open',
      version: 1,
      reopenedCount: 0,
      tool: 'manual',
      fingerprintVersion: 1,
    });
    expect([usual.dueChosen, usual.assignee, usual.acknowledgedAt]).toEqual([undefined, undefined, undefined]);
    const never = await write(table, { asset, dueAt: null, assigneeId: null });
    expect([never.dueAt, never.dueChosen, never.status]).toEqual([undefined, true, 'open']);
    const mine = await write(table, { asset, assigneeId: 'ann', dueAt: '2030-01-01T02:00:00+02:00' });
    expect(mine).toMatchObject({ status: 'in_progress', assignee: { id: 'ann', name: 'Ann' }, dueChosen: true });
    expect([mine.dueAt, mine.acknowledgedAt]).toEqual(['2030-01-01T00:00:00.000Z', mine.firstSeenAt]);
  });

  test('that is overdue from the start is so in its priority', async () => {
    const table = newOrganization(store.dynamo);
    const late = await write(table, { asset: { type: 'host', value: 'a.example.com' }, dueAt: '2020-01-01T00:00:00Z' });
    expect(late).toMatchObject({ late: true, priority: priorityOf({ severity: 'high', late: true }) });
  });

  test('is suppressed by a rule that asks for a tag of its asset', async () => {
    const table = newOrganization(store.dynamo);
    const rule = await table.create(suppressionRules, {
      name: 'Lab',
      enabled: true,
      conditions: { assetTag: 'lab' },
      status: 'out_of_scope',
      reason: 'a laboratory',
      expiresAt: null,
      order: 100,
      approver: { id: 'ann', name: 'Ann' },
      taskId: newId(),
    });
    const { id } = await makeAsset(table, { tags: ['lab'] });
    expect(await write(table, { assetId: id })).toMatchObject({
      status: 'out_of_scope',
      suppressedBy: { id: rule.id },
    });
  });
});

describe('a finding in a repository', () => {
  const repository = { type: 'repository' as const, value: 'git.example.com/acme/pay' };

  test('is of the default branch, whether the repository is named or its id is sent', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await makeAsset(table, { ...repository, name: 'pay' });
    await branchOf(table, id, 'main');
    for (const more of [{}, { ref: 'main' }, { ref: 'refs/heads/main' }])
      expect((await write(table, { assetId: id, ...more })).ref).toBe('main');
    await expect(write(table, { assetId: id, ref: 'feature' })).rejects.toMatchObject(
      refusal('ref', 'must be main, or be left out'),
    );
    expect(await countOf(table)).toBe(3);
  });

  test('has no branch where none is known or it has no name, and none can be named', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await makeAsset(table, { ...repository, name: 'pay' });
    const refused = refusal('ref', 'must be left out: no branch of this asset is known');
    expect((await write(table, { assetId: id })).ref).toBeUndefined();
    await expect(write(table, { assetId: id, ref: 'main' })).rejects.toMatchObject(refused);
    await branchOf(table, id, '');
    expect((await write(table, { assetId: id })).ref).toBeUndefined();
    await expect(write(table, { assetId: id, ref: 'main' })).rejects.toMatchObject(refused);
    expect(await countOf(table)).toBe(2);
  });
});

test.each([
  ['neither an asset nor its id', {}, 'asset'],
  ['both', { assetId: newId(), asset: { type: 'host', value: 'a.example.com' } }, 'asset'],
  ['an unknown asset', { assetId: newId() }, 'assetId'],
  ['a range', { asset: { type: 'cidr', value: '10.0.0.0/24' } }, 'asset.type'],
  ['an unknown assignee', { asset: { type: 'host', value: 'a.example.com' }, assigneeId: newId() }, 'assigneeId'],
  ['half a vector', { asset: { type: 'host', value: 'a.example.com' }, cvssVector: 'CVSS:3.1/AV:N' }, 'cvssVector'],
])('a finding with %s is refused, and neither it nor an asset is made', async (_, more, path) => {
  const table = newOrganization(store.dynamo);
  await expect(write(table, more)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
  const { totalCount } = await table.list(assets, { paginateFrom: 0, paginateSize: 1 });
  expect([totalCount, await countOf(table)]).toEqual([0, 0]);
});

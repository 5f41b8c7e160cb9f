import { describe, expect, test } from 'vitest';
import { createFinding } from '#functions/findings/finding-updates/create-finding.ts';
import { updateFinding } from '#functions/findings/findings/update-finding.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { FindingCreate } from '#shared/findings/finding/manual-finding.ts';
import { DEFAULT_POLICIES, slaRows } from '#shared/findings/sla/sla-policies.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';
const user = (role: 'analyst' | 'viewer') =>
  ({ kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role }) as const;

const make = (table: Table, fields: Partial<StoredFinding> = {}) => table.create(findings, findingDraft(seen, fields));
const patch = (
  table: Table,
  id: string,
  body: object,
  { role = 'analyst', ifMatch }: { role?: 'analyst' | 'viewer'; ifMatch?: string } = {},
) =>
  updateFinding({
    ...fakeConnections(store.dynamo),
    table,
    caller: user(role),
    id,
    patch: body,
    ...(ifMatch && { ifMatch }),
  });
const history = (table: Table, id: string) =>
  table.rows(findingHistory).query(id, { consistent: true, backward: true });

describe('a change of a finding', () => {
  test('has in its history the reason of the request, else that of the status, else none', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await make(table);
    await patch(table, id, { statusReason: 'a mock' });
    await patch(table, id, { statusReason: 'a test', reason: 'as Bea said' });
    await patch(table, id, { tags: ['x'], reason: null });
    const told = await history(table, id);
    expect(told.map(({ reason }) => reason)).toEqual([undefined, 'as Bea said', 'a mock']);
    expect((await table.get(findings, id, true)).statusReason).toBe('a test');
  });

  test('lands at the finding, and is refused for another version or an unknown finding', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await table.create(branchFindings, findingDraft(seen));
    expect(await patch(table, id, { tags: ['x'] }, { ifMatch: '"1"' })).toMatchObject({ tags: ['x'], version: 2 });
    expect(await table.get(branchFindings, id, true)).toMatchObject({ tags: ['x'], version: 2 });
    expect(await table.find(findings, id, true)).toBeUndefined();
    await expect(patch(table, id, { tags: [] }, { ifMatch: '"1"' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(patch(table, newId(), { tags: [] })).rejects.toMatchObject({ code: 'not_found' });
    expect(await history(table, id)).toHaveLength(1);
  });

  test('to an assignee whom nobody knows, or of the texts of a report, changes nothing', async () => {
    const table = newOrganization(store.dynamo);
    const current = await make(table);
    await expect(patch(table, current.id, { assigneeId: newId() })).rejects.toMatchObject({
      details: [{ path: 'assigneeId' }],
    });
    await expect(patch(table, current.id, { title: 'mine' })).rejects.toMatchObject({ code: 'read_only' });
    expect(await table.get(findings, current.id, true)).toEqual(current);
  });

  test('is dated as the tags of its asset ask, and a reported finding may be sent back with what its tool wrote', async () => {
    const table = newOrganization(store.dynamo);
    const exceptions = [{ name: 'pci', tags: ['pci'], criticalities: [], days: { critical: 2 } }];
    await table.rows(slaRows).put({ ...DEFAULT_POLICIES, exceptions });
    const asset = await table.create(assets, {
      type: 'host',
      value: 'pay-1',
      name: 'pay-1',
      zone: null,
      criticality: 'medium',
      internetExposed: null,
      tags: ['pci'],
      firstSeenAt: seen,
    });
    const on = { id: asset.id, type: asset.type, name: asset.name, zone: asset.zone };
    const { id } = await make(table, { asset: on, references: ['see the wiki'] });
    const body = { severity: 'critical', references: ['see the wiki'] };
    expect(await patch(table, id, body)).toMatchObject({ dueAt: '2026-01-07T08:00:00.000Z', dueChosen: false });
  });

  test('that says nothing new is none', async () => {
    const table = newOrganization(store.dynamo);
    const current = await make(table);
    expect(await patch(table, current.id, { status: 'open', severity: 'high', tags: [] })).toEqual(current);
    expect(await history(table, current.id)).toEqual([]);
  });

  test('by a viewer is one of the work on his own finding', async () => {
    const table = newOrganization(store.dynamo);
    const mine = await make(table, { assignee: { id: 'ann', name: 'Ann' }, status: 'in_progress' });
    const other = await make(table, { assignee: { id: 'bea', name: 'Bea' } });
    const viewer = { role: 'viewer' } as const;
    const refused = { code: 'insufficient_scope' };
    await expect(patch(table, other.id, {}, viewer)).rejects.toMatchObject(refused);
    await expect(patch(table, other.id, { status: 'fixed' }, viewer)).rejects.toMatchObject(refused);
    for (const body of [
      { status: 'out_of_scope' },
      { tags: ['x'] },
      { dueAt: null },
      { status: 'open', severity: 'low' },
    ])
      await expect(patch(table, mine.id, body, viewer)).rejects.toMatchObject(refused);
    expect(await patch(table, mine.id, { statusReason: 'I look' }, viewer)).toMatchObject({ statusReason: 'I look' });
    for (const status of ['open', 'in_progress', 'fixed'])
      expect(await patch(table, mine.id, { status, reason: 'done' }, viewer)).toMatchObject({ status });
    expect(await table.get(findings, other.id, true)).toEqual(other);
  });
});

describe('a finding that a person wrote', () => {
  const write = (table: Table, more: object = {}) => {
    const body = { title: 'x', severity: 'high', asset: { type: 'host', value: 'web-1.example.com' }, ...more };
    const { connections } = fakeConnections(store.dynamo);
    return createFinding({ connections, table, caller: user('analyst'), body: FindingCreate.parse(body) });
  };

  test('keeps its severity and its other texts when one is changed', async () => {
    const table = newOrganization(store.dynamo);
    const made = await write(table, { description: 'long', remediation: 'fix it', tags: ['pentest'], cwes: ['CWE-1'] });
    const next = await patch(table, made.id, { title: 'y' });
    const { version, title, updatedAt, ...others } = made;
    expect(next).toMatchObject({
      title: 'y',
      version: 2,
      severity: 'high',
      description: 'long',
      remediation: 'fix it',
    });
    expect(next).toMatchObject({ tags: ['pentest'], cwes: ['CWE-1'], fingerprint: others.fingerprint, priority: 39 });
    const lower = await patch(table, made.id, { severity: 'low', description: null });
    expect(lower).toMatchObject({ severity: 'low', severityOverridden: true, title: 'y', priority: 12 });
    expect(lower.description).toBeUndefined();
  });

  test('takes no text that a new one would not take', async () => {
    const table = newOrganization(store.dynamo);
    const made = await write(table);
    for (const [body, path] of [
      [{ title: '' }, 'title'],
      [{ cvssVector: 'CVSS:3.1/AV:N' }, 'cvssVector'],
      [{ references: ['javascript:alert(1)'] }, 'references.0'],
    ] as const)
      await expect(patch(table, made.id, body)).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path }],
      });
    expect(await table.get(findings, made.id, true)).toEqual(made);
  });

  test('has the score of its vector, and none without one', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await write(table);
    const cvssVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';
    expect(await patch(table, id, { cvssVector })).toMatchObject({ cvssVector, cvssScore: 5.3 });
    const next = await patch(table, id, { cvssVector: null });
    expect([next.cvssVector, next.cvssScore]).toEqual([undefined, undefined]);
  });
});

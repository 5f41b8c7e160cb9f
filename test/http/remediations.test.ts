import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { findingDraft } from '../support/findings.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

const seen = '2026-01-05T08:00:00.000Z';
const make = (fields: Partial<StoredFinding> = {}) => organization.table.create(findings, findingDraft(seen, fields));
const several = (count: number) => Promise.all(Array.from({ length: count }, () => make()));
const waitSeconds = 20;
/** The remediation once its findings are linked. */
async function create(more: object = {}) {
  const body = { title: 'Update nginx', ...more } as never;
  const { id, taskId } = await analyst.ok('createRemediation', { body });
  if (taskId) await analyst.ok('getTask', { params: { id: taskId }, query: { waitSeconds } });
  return read(id);
}
const update = (id: string, body: object) => analyst.call('updateRemediation', { params: { id }, body: body as never });
const read = (id: string) => analyst.ok('getRemediation', { params: { id } });
const linkedTo = async (remediationId: string) => {
  const { data } = await analyst.ok('listFindings', { query: { remediationId } });
  return data.map(({ id }) => id).toSorted();
};

/** A scan closes or finds the finding again. */
async function scan(id: string, changes: Partial<StoredFinding>) {
  const finding = await organization.table.get(findings, id, true);
  await organization.table.update(findings, finding, changes);
}
const closed = { status: 'fixed', fixedAt: '2026-02-01T08:00:00.000Z', fixedByTaskId: newId() } as const;

describe('an analyst plans work for several findings', () => {
  test('and sees from counters how far it is', async () => {
    const ids = (await several(3)).map(({ id }) => id);
    const [first = '', second = '', third = ''] = ids;
    const planned = await create({ findingIds: ids, dueAt: '2026-03-01T00:00:00Z', description: 'all web servers' });
    expect(planned).toMatchObject({
      title: 'Update nginx',
      description: 'all web servers',
      status: 'planned',
      assignee: null,
      verifyTaskId: null,
      progress: { total: 3, fixed: 0, fixedByScan: 0 },
    });
    expect(planned).not.toHaveProperty('checkAt');
    expect(await linkedTo(planned.id)).toEqual(ids.toSorted());
    expect(await analyst.ok('getFinding', { params: { id: first } })).toMatchObject({ remediationIds: [planned.id] });
    await analyst.ok('updateFinding', { params: { id: first }, body: { status: 'fixed' } });
    await scan(second, closed);
    expect(await read(planned.id)).toMatchObject({ progress: { total: 3, fixed: 2, fixedByScan: 1 } });
    const [change] = await analyst.ok('listFindingHistory', { params: { id: third } });
    expect(change).toMatchObject({
      changes: { remediationIds: { from: null, to: [planned.id] } },
      taskId: planned.taskId,
    });
    await expectExact(organization.table, [findings, remediations]);
  });

  test('links others in place of them, and none of them when it is deleted', async () => {
    const [one, two, three] = (await several(3)).map(({ id }) => id) as [string, string, string];
    const { id } = await create({ findingIds: [one, two] });
    const { body } = await update(id, { findingIds: [two, three, three] });
    await analyst.ok('getTask', { params: { id: Object(body).taskId }, query: { waitSeconds } });
    expect(await linkedTo(id)).toEqual([two, three].toSorted());
    expect(await update(id, { title: 'Update all' })).toMatchObject({ body: { progress: { total: 2 } } });
    const { taskId } = await analyst.ok('updateFindings', {
      query: { waitSeconds },
      body: { filter: { remediationId: id }, changes: { removeRemediationId: id } },
    });
    expect(await read(id)).toMatchObject({ progress: { total: 0 } });
    await analyst.ok('undoFindingsUpdate', { params: { taskId: taskId ?? '' }, query: { waitSeconds } });
    expect(await read(id)).toMatchObject({ progress: { total: 2 } });
    await analyst.ok('deleteRemediation', { params: { id } });
    const { data } = await analyst.ok('listTasks', { query: { operation: 'link_remediation' } });
    await analyst.ok('getTask', { params: { id: data[0]?.id ?? '' }, query: { waitSeconds } });
    expect(await analyst.call('getRemediation', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
    expect(await analyst.ok('getFinding', { params: { id: two } })).toMatchObject({ remediationIds: [] });
    await expectExact(organization.table, [findings, remediations]);
  });

  test('links what a filter finds, and a finding to several', async () => {
    const tool = `tool-${newId()}`;
    const { id: findingId } = await make({ tool });
    const ids = [(await create()).id, (await create()).id];
    for (const addRemediationId of ids)
      await analyst.ok('updateFindings', {
        query: { waitSeconds },
        body: { filter: { tool }, changes: { addRemediationId, status: 'in_progress' } },
      });
    expect(await analyst.ok('getFinding', { params: { id: findingId } })).toMatchObject({
      remediationIds: ids,
      status: 'in_progress',
    });
    expect(await read(ids[1] ?? '')).toMatchObject({ progress: { total: 1 } });
    const unknown = { filter: { tool }, changes: { addRemediationId: newId() } };
    expect(await analyst.call('updateFindings', { query: {}, body: unknown })).toMatchObject({
      body: { code: 'validation_failed', details: [{ path: 'changes.addRemediationId' }] },
    });
  });

  test('assigns it, and finds it by status, assignee, date and title', async () => {
    const { data } = await organization.admin.ok('listServiceAccounts', { query: {} });
    const assigneeId = data[0]?.id ?? '';
    const late = await create({ title: 'Rotate the certificates', dueAt: '2025-03-01T00:00:00Z', assigneeId });
    const done = await create({ title: 'Rotate the keys', dueAt: '2025-03-01T00:00:00Z', status: 'done' });
    expect([late.assignee?.id, done.status]).toEqual([assigneeId, 'done']);
    const list = async (query: object) =>
      (await analyst.ok('listRemediations', { query: { search: 'rotate', ...query } })).data.map(({ id }) => id);
    expect(await list({})).toEqual([done.id, late.id]);
    expect(await list({ status: ['done', 'verified'] })).toEqual([done.id]);
    expect(await list({ overdue: 'true' })).toEqual([late.id]);
    expect(await list({ assigneeId })).toEqual([late.id]);
    expect(await list({ assigneeId: 'none' })).toEqual([done.id]);
    expect(await update(late.id, { assigneeId: null })).toMatchObject({ body: { assignee: null, assigneeId: null } });
  });
});

describe('only scans verify a remediation', () => {
  test('that is done, and a finding that returns takes it back', async () => {
    const [one, two] = (await several(2)).map(({ id }) => id) as [string, string];
    const { id } = await create({ findingIds: [one, two] });
    await scan(one, closed);
    await analyst.ok('updateFinding', { params: { id: two }, body: { status: 'fixed' } });
    expect(await update(id, { status: 'done' })).toMatchObject({ body: { status: 'done', progress: { fixed: 2 } } });
    await scan(two, closed);
    expect(await read(id)).toMatchObject({ status: 'verified', progress: { fixedByScan: 2 } });
    await scan(one, { status: 'open', fixedAt: undefined, fixedByTaskId: undefined });
    expect(await read(id)).toMatchObject({ status: 'in_progress', progress: { total: 2, fixed: 1 } });
  });

  test('also when nobody looks', async () => {
    const { id: findingId } = await make(closed);
    const { id } = await create({ findingIds: [findingId] });
    await organization.table.modify(remediations, id, () => ({ status: 'done' as const }));
    await checkNow(id);
    expect((await organization.table.get(remediations, id, true)).status).toBe('verified');
    await scan(findingId, { status: 'open', fixedAt: undefined, fixedByTaskId: undefined });
    await checkNow(id);
    const after = await organization.table.get(remediations, id, true);
    expect([after.status, after.checkAt]).toEqual(['in_progress', undefined]);
  });

  /** The next look is due now. */
  async function checkNow(id: string) {
    const { organizationId } = organization;
    const checkAt = '2026-01-05T08:00:00.000Z';
    await organization.table.modify(remediations, id, () => ({ checkAt }));
    const batch = openTable(system.connections.dynamo, GLOBAL_SCOPE).batch();
    batch.write(putTimer({ kind: 'remediation', at: Date.parse(checkAt), organizationId, id }));
    await batch.commit();
    await sweep(system.connections);
  }

  test('and no person', async () => {
    const { id } = await create();
    expect(await update(id, { status: 'verified' })).toMatchObject({
      body: { code: 'validation_failed', details: [{ path: 'status' }] },
    });
    expect(await update(id, { status: 'done' })).toMatchObject({ body: { status: 'done', progress: { total: 0 } } });
  });
});

test.each([
  ['no title', { title: undefined }, 'title'],
  ['an unknown finding', { findingIds: [newId()] }, 'findingIds.0'],
  ['an unknown assignee', { assigneeId: newId() }, 'assigneeId'],
  ['progress', { progress: { total: 1, fixed: 1, fixedByScan: 1 } }, 'progress'],
])('%s is refused by name, and nothing is planned', async (_, more, path) => {
  const body = { title: 'x', ...more } as never;
  expect(await analyst.call('createRemediation', { body })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', details: [{ path }] },
  });
});

test('a viewer reads, and changes nothing', async () => {
  const viewer = await organization.withRole('viewer');
  const { id } = await create();
  expect(await viewer.call('getRemediation', { params: { id } })).toMatchObject({ status: 200 });
  expect(await viewer.call('deleteRemediation', { params: { id } })).toMatchObject({ status: 401 });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();
const seen = '2026-01-05T08:00:00.000Z';
let organization: TestOrganization;
let analyst: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  analyst = await organization.withRole('analyst');
});

/** Findings that a word of their own tells from those of other tests. */
async function make(count: number, fields: Partial<StoredFinding> = {}) {
  const { table } = organization;
  const tool = `tool-${newId()}`;
  const made: StoredFinding[] = [];
  for (let n = 0; n < count; n++) made.push(await table.create(findings, findingDraft(seen, { tool, ...fields })));
  return { tool, ids: made.map(({ id }) => id) };
}
const send = (body: object, client = analyst) =>
  client.call('updateFindings', { query: { waitSeconds: 20 }, body: body as never });
const read = (id = '') => analyst.ok('getFinding', { params: { id } });

describe('an analyst changes many findings', () => {
  test('by their ids, and hears of each what became of it', async () => {
    const { ids } = await make(2);
    const fixed = await make(1, { status: 'fixed', fixedAt: seen });
    const unknown = newId();
    const before = await read(fixed.ids[0]);
    const answer = await send({
      ids: [...ids, ...fixed.ids, unknown, ids[0]],
      changes: { status: 'false_positive', addTags: ['test-data'] },
      reason: 'these are test data',
    });
    const refusal = 'A finding that is fixed cannot become false_positive; it can become open, in_progress.';
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'succeeded',
        task: {
          operation: 'update_findings',
          progress: { done: 4, total: 4, unit: 'findings' },
          result: {
            matched: 4,
            changed: 2,
            unchanged: 0,
            refused: [
              { id: fixed.ids[0], code: 'conflict', message: refusal },
              { id: unknown, code: 'not_found', message: `There is no finding ${unknown}.` },
            ],
            refusedCount: 2,
            results: [
              { id: ids[0], outcome: 'changed' },
              { id: ids[1], outcome: 'changed' },
              { id: fixed.ids[0], outcome: 'refused' },
              { id: unknown, outcome: 'refused' },
            ],
          },
        },
      },
    });
    expect(await read(ids[1])).toMatchObject({
      status: 'false_positive',
      tags: ['test-data'],
      statusReason: 'these are test data',
      version: 2,
    });
    expect(await read(fixed.ids[0])).toEqual(before);
    const [entry] = await analyst.ok('listFindingHistory', { params: { id: ids[1] ?? '' } });
    expect(entry).toMatchObject({
      version: 2,
      by: { name: 'analyst' },
      changes: { status: { from: 'open', to: 'false_positive' }, tags: { from: [], to: ['test-data'] } },
      reason: 'these are test data',
      taskId: (answer.body as { taskId: string }).taskId,
    });
    await expectExact(organization.table, [findings]);
  });

  test('by a filter, and those that have the values already count as unchanged', async () => {
    const { tool, ids } = await make(3);
    const filter = { tool, status: ['open', 'in_progress'] };
    expect((await send({ ids: ids.slice(0, 1), changes: { severity: 'low' } })).status).toBe(200);
    const answer = await send({ filter, changes: { severity: 'low', assigneeId: null } });
    expect(answer.body).toMatchObject({ task: { result: { matched: 3, changed: 2, unchanged: 1, refusedCount: 0 } } });
    expect(answer.body).not.toHaveProperty('task.result.results');
    const { data } = await analyst.ok('listFindings', { query: { tool } });
    expect(data.map(({ severity, priority }) => [severity, priority])).toEqual([
      ['low', 17],
      ['low', 17],
      ['low', 17],
    ]);
    const words = await send({ filter: { search: tool }, changes: { status: 'in_progress' } });
    expect(words.body).toMatchObject({ task: { result: { matched: 3, changed: 3 } } });
  });

  test('to accept a risk until a date, after which each is open again', async () => {
    const { ids } = await make(2);
    const acceptedUntil = '2099-01-01T00:00:00.000Z';
    const body = { ids, changes: { status: 'risk_accepted', acceptedUntil } };
    expect(await send(body)).toMatchObject({ status: 400, body: { details: [{ path: 'reason' }] } });
    await send({ ...body, reason: 'replaced by then' });
    expect(await read(ids[1])).toMatchObject({
      acceptance: { reason: 'replaced by then', approver: { name: 'analyst' }, until: acceptedUntil },
    });
  });

  test('only after a look at what would happen, which changes nothing', async () => {
    const { tool, ids } = await make(2);
    const fixed = await make(1, { status: 'fixed', fixedAt: seen, tool });
    const expected = { matched: 3, changed: 2, unchanged: 0, refusedCount: 1 };
    for (const selected of [{ ids: [...ids, ...fixed.ids] }, { filter: { tool } }]) {
      const { body } = await send({ ...selected, changes: { status: 'out_of_scope' }, dryRun: true });
      const refused = [expect.objectContaining({ id: fixed.ids[0] })];
      const sample = [...ids].map(() => expect.objectContaining({ status: 'open', location: 'src/orders.ts:12' }));
      expect(body).toMatchObject({ status: 'succeeded', preview: { ...expected, refused, sample } });
    }
    expect(await read(ids[0])).toMatchObject({ status: 'open', version: 1 });
  });
});

test.each([
  ['neither ids nor a filter', { changes: { severity: 'low' } }, 'ids'],
  ['both', { ids: [newId()], filter: { tool: 'x' }, changes: { severity: 'low' } }, 'ids'],
  ['an empty filter, which would change everything', { filter: {}, changes: { severity: 'low' } }, 'filter'],
  ['an unknown filter', { filter: { colour: 'red' }, changes: { severity: 'low' } }, 'filter.colour'],
  ['nothing to change', { ids: [newId()] }, 'changes'],
  ['a field that is not for many', { ids: [newId()], changes: { title: 'x' } }, 'changes.title'],
  ['tags and more tags', { ids: [newId()], changes: { tags: ['a'], addTags: ['b'] } }, 'changes.tags'],
  ['an unknown assignee', { ids: [newId()], changes: { assigneeId: newId() } }, 'assigneeId'],
  ['too many ids', { ids: Array.from({ length: 1001 }, newId), changes: { severity: 'low' } }, 'ids'],
])('%s is refused with the name of the field', async (_, body, path) => {
  const answer = await send(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

test('nobody changes findings of another organization, or without the right to write', async () => {
  const { ids } = await make(1);
  const stranger = (await system.newOrganization()).admin;
  expect((await send({ ids, changes: { severity: 'low' } }, stranger)).body).toMatchObject({
    task: { result: { changed: 0, refused: [{ id: ids[0], code: 'not_found' }] } },
  });
  const viewer = await organization.withRole('viewer');
  expect(await send({ ids, changes: { severity: 'low' } }, viewer)).toMatchObject({ status: 401 });
  expect(await read(ids[0])).toMatchObject({ severity: 'high', version: 1 });
});

test('an accepted risk says why, until when and who approved it', async () => {
  const { ids } = await make(1);
  const update = (body: object) => analyst.call('updateFinding', { params: { id: ids[0] ?? '' }, body });
  const accept = { status: 'risk_accepted' as const, acceptedUntil: '2099-01-01T00:00:00.000Z' };
  expect(await update(accept)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', details: [{ path: 'reason' }] },
  });
  const own = await update({ ...accept, reason: 'the host is replaced' });
  const acceptance = { reason: 'the host is replaced', until: accept.acceptedUntil };
  expect(own).toMatchObject({ status: 200, body: { acceptance: { ...acceptance, approver: { name: 'analyst' } } } });
  const approverId = (await organization.admin.ok('listServiceAccounts', { query: {} })).data.find(
    ({ role }) => role === 'admin',
  )?.id;
  expect(await update({ acceptedUntil: null, approverId })).toMatchObject({
    status: 200,
    body: { acceptance: { ...acceptance, until: null, approver: { id: approverId } } },
  });
  expect(await update({ acceptedUntil: accept.acceptedUntil, approverId: newId() })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'approverId' }] },
  });
  expect(await update({ status: 'open' })).toMatchObject({ status: 200, body: { acceptance: null } });
});

describe('a change of many findings is undone', () => {
  const undo = (taskId: string) =>
    analyst.call('undoFindingsUpdate', { params: { taskId }, query: { waitSeconds: 20 } });
  const change = async (ids: string[], changes: object) => {
    const { body } = await send({ ids, changes, reason: 'a slip' });
    return (body as { taskId: string }).taskId;
  };

  test('except where somebody decided otherwise since, and only once', async () => {
    const { ids } = await make(3, { tags: ['web'], dueAt: '2099-01-01T00:00:00.000Z', dueChosen: true });
    const [first = '', second = '', third = ''] = ids;
    const before = await read(first);
    const taskId = await change(ids, { status: 'risk_accepted', acceptedUntil: '2099-01-01T00:00:00Z', tags: [] });
    await analyst.call('updateFinding', { params: { id: second }, body: { status: 'in_progress' } });
    await analyst.call('updateFinding', { params: { id: third }, body: { severity: 'low' } });
    const answer = await undo(taskId);
    const changedSince = [{ id: second, code: 'conflict', message: expect.stringContaining('status') }];
    expect(answer).toMatchObject({
      status: 200,
      body: { task: { result: { matched: 3, restored: 2, changedSince, changedSinceCount: 1 } } },
    });
    expect(await read(first)).toEqual({ ...before, version: 3, updatedAt: expect.any(String) });
    expect(await read(second)).toMatchObject({ status: 'in_progress', tags: [], version: 3 });
    expect(await read(third)).toMatchObject({ status: 'open', tags: ['web'], severity: 'low', version: 4 });
    const [entry] = await analyst.ok('listFindingHistory', { params: { id: first } });
    expect(entry).toMatchObject({ by: { name: 'analyst' }, reason: `The change by task ${taskId} was undone.` });
    const again = await undo(taskId);
    expect(again.body).toEqual(answer.body);
    await expectExact(organization.table, [findings]);
  });

  test('only if there was one, in the same organization', async () => {
    const { ids } = await make(1);
    const taskId = await change(ids, { severity: 'low' });
    const { body } = await undo(taskId);
    const undoing = (body as { taskId: string }).taskId;
    expect(await undo(undoing)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    const stranger = (await system.newOrganization()).admin;
    expect(await stranger.call('undoFindingsUpdate', { params: { taskId } })).toMatchObject({
      status: 400,
      body: { code: 'not_found' },
    });
  });
});

test('findings that are assigned in bulk are in progress, and open again when nobody has them', async () => {
  const { ids } = await make(2);
  const decided = await make(1, { status: 'false_positive' });
  const all = [...ids, ...decided.ids];
  const statuses = () => Promise.all(all.map(async (id) => (await read(id)).status));
  const { data } = await organization.admin.ok('listServiceAccounts', { query: {} });
  await send({ ids: all, changes: { assigneeId: data[0]?.id } });
  expect(await statuses()).toEqual(['in_progress', 'in_progress', 'false_positive']);
  await send({ ids: all, changes: { assigneeId: null } });
  expect(await statuses()).toEqual(['open', 'open', 'false_positive']);
  await send({ ids: all, changes: { assigneeId: data[0]?.id, status: 'open' } });
  expect(await statuses()).toEqual(['open', 'open', 'open']);
});

test('a viewer moves the status of what is assigned to him, and nothing else', async () => {
  const { ids } = await make(2);
  const viewer = await organization.withRole('viewer');
  const { data } = await organization.admin.ok('listServiceAccounts', { query: {} });
  const viewers = data.filter(({ role }) => role === 'viewer').map(({ id }) => id);
  const update = (id: string, body: object) => viewer.call('updateFinding', { params: { id }, body });
  const [first = '', second = ''] = ids;
  const answers = [];
  for (const assigneeId of viewers) {
    await send({ ids: [first], changes: { assigneeId } });
    answers.push((await update(first, { status: 'in_progress', reason: 'on it' })).status);
  }
  expect(answers.toSorted()).toEqual([200, ...viewers.slice(1).map(() => 401)]);
  for (const [id, body] of [
    [first, { status: 'false_positive' }],
    [first, { severity: 'low' }],
    [second, { status: 'fixed' }],
  ] as const)
    expect(await update(id, body)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
  expect(await read(second)).toMatchObject({ status: 'open', version: 1 });
});

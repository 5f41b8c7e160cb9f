import { afterEach, beforeEach, expect, test } from 'vitest';
import { bulkUpdate } from '#functions/findings/finding-updates/bulk-update.ts';
import { findingUpdateRoutes } from '#functions/findings/finding-updates/routes.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const at = '2026-03-10T12:00:00.000Z';
beforeEach(() => setClock(() => Date.parse(at)));
afterEach(() => setClock());

const wanted = (changes: object, more: object = {}) => {
  const body = findingUpdateRoutes.updateFindings.body.parse({ ids: [newId()], changes, ...more });
  return bulkUpdate(newOrganization(store.dynamo), caller, body);
};
const accept = { status: 'risk_accepted' };

test.each<[string, object, object, string]>([
  ['tags beside tags that are added', { tags: [], addTags: ['a'] }, {}, 'changes.tags'],
  ['tags beside tags that are taken away', { tags: [], removeTags: ['a'] }, {}, 'changes.tags'],
  ['an acceptance without a reason', accept, {}, 'reason'],
  ['an acceptance whose reason is taken away', { ...accept, statusReason: null }, {}, 'reason'],
  ['an acceptance that ends now', { ...accept, acceptedUntil: at }, { reason: 'x' }, 'changes.acceptedUntil'],
  ['no change', {}, { reason: 'x' }, 'changes'],
  ['a link to no remediation', { addRemediationId: newId() }, {}, 'changes.addRemediationId'],
  ['an unknown approver', accept, { reason: 'x', approverId: newId() }, 'approverId'],
  ['an unknown assignee', { assigneeId: newId() }, {}, 'assigneeId'],
])('%s is refused before a task is made', async (_, changes, more, path) => {
  await expect(wanted(changes, more)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
});

test('a change that some finding can take is kept with the people whom it names', async () => {
  const approver = { id: 'ann', name: 'Ann' };
  const soon = { ...accept, acceptedUntil: '2026-03-10T12:00:00.001Z', statusReason: 'soon' };
  expect((await wanted(soon)).bulk).toEqual({ changes: soon, reason: undefined, assignee: undefined, approver });
  expect((await wanted(accept, { reason: 'soon' })).bulk).toMatchObject({ changes: accept, reason: 'soon' });
  expect((await wanted({ assigneeId: 'ann', addTags: ['a'], removeTags: ['b'] })).bulk.assignee).toEqual(approver);
  expect((await wanted({ assigneeId: null })).bulk.assignee).toBeUndefined();
  expect((await wanted({ removeRemediationId: newId() })).bulk.approver).toEqual(approver);
  expect((await wanted({ acceptedUntil: null })).bulk.changes).toEqual({ acceptedUntil: null });
});

test('findings are those of the filter of the caller, or each id once', async () => {
  const id = newId();
  expect((await wanted({ tags: [] }, { ids: [id, id] })).wanted).toEqual({ ids: [id] });
  const mine = await wanted({ tags: [] }, { ids: undefined, filter: { assigneeId: 'me', kev: 'true' } });
  expect(mine.wanted).toMatchObject({ selection: { where: { assigneeId: 'ann', kev: 'true' } } });
});

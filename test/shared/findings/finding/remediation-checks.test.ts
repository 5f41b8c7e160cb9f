import { afterEach, expect, test } from 'vitest';
import { remediations, type StoredRemediation } from '#shared/findings/triage/remediation.ts';
import { assertRemediation, changeRemediation } from '#shared/findings/triage/remediations.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore();
afterEach(() => setClock());

const make = (table: Table) =>
  table.create(remediations, {
    title: 'Update nginx',
    description: null,
    assigneeId: null,
    assignee: null,
    dueAt: null,
    status: 'planned',
    taskId: null,
    verifyTaskId: null,
  });
type Change = Partial<StoredRemediation> & { isChecked?: boolean };
async function change(table: Table, current: StoredRemediation, changes: Change): Promise<StoredRemediation> {
  const batch = table.batch();
  const after = changeRemediation({ table, batch }, current, changes);
  await batch.commit();
  return after;
}

const looksAt = async (table: Table) =>
  (await timersOf(table)).map(({ kind, at }) => `${kind} ${new Date(at).toISOString()}`);

test('a done remediation is checked in an hour, again after each check, and not once it is no longer done', async () => {
  const clock = stopClock(Date.parse('2026-03-10T12:00:00Z'));
  const table = newOrganization(store.dynamo);
  let current = await change(table, await make(table), { status: 'in_progress' });
  expect([current.checkAt, await looksAt(table)]).toEqual([undefined, []]);
  current = await change(table, current, { status: 'done' });
  expect(current.checkAt).toBe('2026-03-10T13:00:00.000Z');
  expect(await looksAt(table)).toEqual(['remediation 2026-03-10T13:00:00.000Z']);
  clock.pass(1800);
  current = await change(table, current, { title: 'Update all' });
  expect(await looksAt(table)).toEqual(['remediation 2026-03-10T13:00:00.000Z']);
  current = await change(table, current, { isChecked: true });
  expect(current).toMatchObject({ status: 'done', checkAt: '2026-03-10T13:30:00.000Z' });
  expect(await looksAt(table)).toEqual(['remediation 2026-03-10T13:30:00.000Z']);
  current = await change(table, current, { status: 'planned' });
  expect([current.checkAt, await looksAt(table)]).toEqual([undefined, []]);
});

test('only a remediation that exists can be linked', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await make(table);
  await expect(assertRemediation(table, id, 'x')).resolves.toBeUndefined();
  await expect(assertRemediation(table, newId(), 'x')).rejects.toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'x', message: 'must be the id of a remediation' }],
  });
});

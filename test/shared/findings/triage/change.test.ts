import { expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { changeFinding, deleteFinding } from '#shared/findings/triage/change.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';
const at = '2026-01-06T08:00:00.000Z';
const until = '2099-01-01T00:00:00.000Z';
const person = { id: 'ann', name: 'Ann' };

const make = (table: Table, fields: Partial<StoredFinding> = {}) => table.create(findings, findingDraft(seen, fields));
async function change(table: Table, id: string, changes: Partial<StoredFinding>, more: object = {}) {
  const batch = table.batch();
  const next = changeFinding({ table, batch }, await table.get(findings, id, true), { changes, at, ...more });
  await batch.commit();
  return next;
}
const history = (table: Table, id: string) => table.rows(findingHistory).query(id, { consistent: true });

const watched = async (table: Table) => (await timersOf(table)).map(({ kind, id }) => `${kind} ${id}`).sort();

test.each<[keyof StoredFinding, unknown]>([
  ['asset', { id: newId(), type: 'host', name: 'web-1', zone: null }],
  ['ref', 'main'],
  ['title', 'Other words'],
  ['location', 'src/b.ts:1'],
  ['cves', ['CVE-2021-44228']],
  ['cwes', ['CWE-1']],
  ['cvssScore', 7.1],
  ['evidenceFiles', 1],
  ['mergedFrom', [{ id: newId(), evidenceFiles: 0 }]],
  ['status', 'in_progress'],
  ['severity', 'low'],
  ['assignee', person],
  ['tags', ['x']],
  ['dueAt', until],
  ['acceptedUntil', until],
  ['acceptedBy', person],
  ['restartSla', true],
  ['suppressedBy', { ...person, was: 'open' }],
  ['remediationIds', [newId()]],
  ['statusReason', 'because'],
])('the history tells that %s was changed, from what and to what', async (name, value) => {
  const table = newOrganization(store.dynamo);
  const current = await make(table);
  await change(table, current.id, { [name]: value }, { reason: 'why', taskId: 't', vulnerabilityIds: ['v'] });
  const [entry, ...others] = await history(table, current.id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ version: 2, at, by: table.actor, reason: 'why', taskId: 't', vulnerabilityIds: ['v'] });
  expect(entry?.changes[name]).toEqual({ from: current[name] ?? null, to: value });
});

test('a change that nobody will ask about is in no history, and the priority follows from every one', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await make(table);
  await change(table, id, { acknowledgedAt: at });
  expect(await history(table, id)).toEqual([]);
  const late = '2026-03-01T08:00:00.000Z';
  expect(await change(table, id, { acknowledgedAt: late }, { at: late })).toMatchObject({ late: true, priority: 44 });
  expect(await history(table, id)).toMatchObject([{ version: 3, changes: { priority: { from: 39, to: 44 } } }]);
});

test('the end of an acceptance is watched, and neither that nor anything else of a finding that is deleted', async () => {
  const table = newOrganization(store.dynamo);
  const merged = newId();
  const { id } = await make(table, {
    evidenceFiles: 2,
    mergedFrom: [
      { id: merged, evidenceFiles: 1 },
      { id: newId(), evidenceFiles: 0 },
    ],
  });
  await change(table, id, { status: 'risk_accepted', acceptedUntil: until });
  expect(await watched(table)).toEqual([`acceptance ${id}`, `acceptance-notice ${id}`]);
  const batch = table.batch();
  deleteFinding({ table, batch }, await table.get(findings, id, true));
  await batch.commit();
  expect(await table.find(findings, id, true)).toBeUndefined();
  expect(await watched(table)).toEqual([`evidence ${id}`, `evidence ${merged}`].sort());
});

test('a finding without files leaves nothing for the sweeper when it is deleted', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await make(table);
  const batch = table.batch();
  deleteFinding({ table, batch }, await table.get(findings, id, true));
  await batch.commit();
  expect(await watched(table)).toEqual([]);
});

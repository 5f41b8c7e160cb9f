import { afterAll, expect, test } from 'vitest';
import { inOrder, makeOne } from '#functions/workers/changes/merge/merge-findings.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import type { Seen } from '#shared/findings/view/view.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';
import { dayOf } from '../imports/days.ts';
import { expectSound } from '../imports/expectations.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

type Fields = Partial<StoredFinding>;
type Sightings = { older?: Seen; newer?: Seen };

const into = { id: newId(), type: 'repository', name: 'github.com/acme/into', zone: null } as const;

/** Two findings of one problem become one. The older one was seen first on day 0, the newer one on day 10. */
async function merged(one: Fields, other: Fields, sightings: Sightings = {}) {
  const table = world.newOrganization();
  const older = await table.create(findings, findingDraft(dayOf(0), { scope: 'older', ...one }));
  const newer = await table.create(findings, findingDraft(dayOf(10), { scope: 'newer', ...other }));
  const seen = new Map<string, Seen>();
  if (sightings.older) seen.set(older.id, sightings.older);
  if (sightings.newer) seen.set(newer.id, sightings.newer);
  const batch = table.batch();
  const place = { table, batch, entity: findings, at: dayOf(50), taskId: newId() };
  const undo = makeOne(place, { older, newer, seen, asset: into, sla: DEFAULT_SLA });
  await batch.commit();
  return { table, older, newer, undo, found: await table.get(findings, older.id, true) };
}

const [ANN, BEA] = ['ann', 'bea'].map((id) => ({ id, name: id }));
const gone = { status: 'fixed', fixedAt: dayOf(20), fixedByTaskId: newId() } as const;
const repaired = { status: 'fixed', fixedAt: dayOf(20) } as const;
const dismissed = (day: number) =>
  ({ status: 'false_positive', statusReason: `on ${day}`, decidedAt: dayOf(day) }) as const;

test('the older of two findings is the one that was seen first, and of two of one report always the same', () => {
  const [a, b] = ['a', 'b'].map((id) => ({ id, firstSeenAt: dayOf(0) }) as StoredFinding) as [
    StoredFinding,
    StoredFinding,
  ];
  expect([inOrder(a, b), inOrder(b, a)]).toEqual([
    [a, b],
    [a, b],
  ]);
  const late = { ...a, firstSeenAt: dayOf(1) };
  expect([inOrder(late, b), inOrder(b, late)]).toEqual([
    [b, late],
    [b, late],
  ]);
});

test('the older finding stays with both fingerprints, and the other is kept aside for when it comes back', async () => {
  const files = { evidenceFiles: 2, mergedFrom: [{ id: newId(), evidenceFiles: 1 }], formerFingerprints: ['third'] };
  const one = { mergedFrom: [{ id: newId(), evidenceFiles: 4 }], formerFingerprints: ['first'] };
  const { table, older, newer, undo, found } = await merged(one, files);
  expect(found).toMatchObject({
    fingerprint: older.fingerprint,
    asset: into,
    firstSeenAt: dayOf(0),
    mergedFrom: [...one.mergedFrom, { id: newer.id, evidenceFiles: 2 }, ...files.mergedFrom],
    formerFingerprints: ['first', newer.fingerprint, 'third'],
  });
  expect(undo).toMatchObject({ id: older.id, removed: newer.id, from: { asset: older.asset } });
  expect(await table.find(findings, newer.id, true)).toBeUndefined();
  expect(await table.get(mergedFindings, newer.id, true)).toMatchObject({ mergedInto: older.id, scope: 'newer' });
  const [change] = await table.rows(findingHistory).query(older.id);
  expect(change).toMatchObject({ reason: `It was merged with the finding ${newer.id} of the same problem.` });
  await expectSound(table);
});

test('a finding without files or earlier merges is named with none', async () => {
  const { newer, found } = await merged({}, {});
  expect(found).toMatchObject({
    mergedFrom: [{ id: newer.id, evidenceFiles: 0 }],
    formerFingerprints: [newer.fingerprint],
  });
  expect(found).not.toHaveProperty('remediationIds');
});

test.each<[string, Fields, Fields, 'older' | 'newer']>([
  ['of the older one where nobody decided', {}, { status: 'in_progress' }, 'older'],
  ['that still stands where a scan closed the older one', gone, {}, 'newer'],
  [
    'that still stands where a scan closed the newer one, whatever was decided of that',
    {},
    { ...gone, decidedAt: dayOf(30) },
    'older',
  ],
  ['of the newest decision', dismissed(11), dismissed(12), 'newer'],
  ['of the newest decision, of whichever it is', dismissed(13), dismissed(12), 'older'],
  ['that was decided where the other was not', {}, dismissed(12), 'newer'],
  ['of a person who says that it is repaired', { ...repaired, decidedAt: dayOf(20) }, {}, 'older'],
  [
    'of the newest decision where scans closed both',
    { ...gone, decidedAt: dayOf(5) },
    { ...gone, decidedAt: dayOf(6) },
    'newer',
  ],
])('the one finding has the status %s', async (_name, one, other, expected) => {
  const { found, older, newer } = await merged(one, other);
  const { status, statusReason, decidedAt, fixedByTaskId } = expected === 'older' ? older : newer;
  expect(found).toMatchObject({ status, scope: expected });
  expect([found.statusReason, found.decidedAt, found.fixedByTaskId]).toEqual([statusReason, decidedAt, fixedByTaskId]);
});

test.each<[string, Fields, Fields, Fields]>([
  ['assignee of the one that decides', { assignee: ANN }, { assignee: BEA }, { assignee: ANN }],
  ['assignee of the other where it has none', {}, { assignee: BEA }, { assignee: BEA }],
  ['returns of the one that returned more often', { reopenedCount: 1 }, { reopenedCount: 3 }, { reopenedCount: 3 }],
  ['severity of the one that decides', { severity: 'low' }, { severity: 'critical' }, { severity: 'low' }],
  [
    'severity that a person set',
    { severity: 'low' },
    { severity: 'critical', severityOverridden: true },
    { severity: 'critical', severityOverridden: true },
  ],
  [
    'severity that a person set on the one that decides',
    { severity: 'low', severityOverridden: true },
    { severity: 'critical', severityOverridden: true },
    { severity: 'low', severityOverridden: true },
  ],
  [
    'remediations of both',
    { remediationIds: ['a', 'b'] },
    { remediationIds: ['b', 'c'] },
    { remediationIds: ['a', 'b', 'c'] },
  ],
  ['remediations of the older one', { remediationIds: ['a'] }, {}, { remediationIds: ['a'] }],
  ['remediations of the newer one', {}, { remediationIds: ['c'] }, { remediationIds: ['c'] }],
  [
    'date that a person set on the older one',
    { dueAt: dayOf(70), dueChosen: true },
    { dueAt: dayOf(80), dueChosen: true },
    { dueAt: dayOf(70), dueChosen: true },
  ],
  [
    'date that a person set on the newer one',
    {},
    { dueAt: dayOf(80), dueChosen: true },
    { dueAt: dayOf(80), dueChosen: true },
  ],
  [
    'date of the policy of the severity that it has then',
    {},
    { severity: 'critical', severityOverridden: true },
    { dueAt: dayOf(7) },
  ],
])('the one finding has the %s', async (_name, one, other, expected) => {
  expect((await merged(one, other)).found).toMatchObject(expected);
});

test('the sightings of both count, the last of either is the last, and those of the scan that goes on are not counted twice', async () => {
  const at = (day: number, occurrences: number): Seen => ({ lastSeenAt: dayOf(day), occurrences });
  const later = { older: at(30, 5), newer: at(20, 3) };
  const earlier = { older: at(15, 5), newer: at(20, 3) };
  const before = { mergedSightings: { lastSeenAt: dayOf(25), occurrences: 2 } };
  expect((await merged({}, {}, later)).found.mergedSightings).toEqual(at(20, 3));
  expect((await merged(before, {}, later)).found.mergedSightings).toEqual(at(25, 5));
  expect((await merged(before, {}, { newer: at(28, 3) })).found.mergedSightings).toEqual(at(28, 5));
  const decided = [await merged(gone, {}, later), await merged(gone, {}, earlier)].map(({ found }) => found);
  expect(decided.map(({ mergedSightings }) => mergedSightings)).toEqual([at(30, 7), at(20, 7)]);
  expect(decided).toMatchObject([{ occurrences: 1 }, { occurrences: 1 }]);
  expect(decided[0]).not.toHaveProperty('lastSeenAt');
});

test('the end of an acceptance is that of the one finding alone', async () => {
  const accepted = { status: 'risk_accepted', acceptedUntil: dayOf(90) } as const;
  const { table, newer } = await merged({}, accepted);
  expect(await endsOf(table, newer.id)).toEqual([]);
});

async function endsOf({ organizationId }: Table, id: string) {
  const { shard } = placedTimer({ kind: 'acceptance', at: 0, organizationId, id });
  const rows = await openTable(world.connections.dynamo, GLOBAL_SCOPE).rows(timers).query(String(shard));
  return rows.filter((timer) => timer.kind === 'acceptance' && timer.id === id);
}

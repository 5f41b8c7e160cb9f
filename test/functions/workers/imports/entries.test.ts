import { expect, test } from 'vitest';
import { closingChanges, lateSighting, mayChange, sightingChanges } from '#functions/workers/imports/changes.ts';
import {
  branchFields,
  type Entry,
  entryOf,
  findingDraft as findingDraftOf,
  fingerprintsOf,
  problemsOf,
  type ReportTool,
} from '#functions/workers/imports/entry.ts';
import { fingerprintOf } from '#functions/workers/imports/fingerprint.ts';
import type { OnBranch } from '#functions/workers/imports/on-branch.ts';
import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { KeyedFinding } from '#shared/findings/finding/reported.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';
import { dayOf } from './days.ts';

const asset = { type: 'repository', value: 'https://git.example.com/shop/api', zone: null } as const;
const alias = { ...asset, value: 'https://git.example.com/shop/web' };
const reported: KeyedFinding = {
  title: 'SQL injection',
  severity: 'high',
  ruleId: 'sqli',
  cves: [],
  cwes: [],
  asset: null,
  location: { path: 'src/a.ts' },
  evidence: [],
  references: [],
  tags: ['new'],
  identity: ['sqli', 'src/a.ts'],
};
const entry = (
  finding: Partial<KeyedFinding> = {},
  {
    tool = { name: 'zap' } as ReportTool,
    aliases = [] as AssetIdentity[],
    onBranch = undefined as OnBranch | undefined,
    ref = 'main',
  } = {},
) =>
  entryOf({ source: 'import', ref }, tool, {
    finding: { ...reported, ...finding },
    asset: { identity: asset, aliases },
    ...(onBranch && { onBranch }),
  });

/** The fingerprint under other names than those of the entry. */
const named = (other: object = {}) =>
  fingerprintOf({ tool: 'zap', asset, ref: 'main', identity: reported.identity, ...other });

const next: OnBranch = {
  branch: { name: 'next', isDefault: false, isGuessed: false, formerNames: [] },
  isMade: true,
  defaultNames: ['main', 'old'],
  base: 'release',
};

test('an entry is found by its fingerprint alone, unless it had others', () => {
  const plain = entry();
  expect(Object.keys(plain).sort()).toEqual(['asset', 'contentHash', 'finding', 'fingerprint', 'tool']);
  expect(fingerprintsOf(plain)).toEqual([named()]);
  expect(problemsOf(plain)).toEqual(['']);
  expect(entry({}, { tool: { name: 'zap', category: 'full' } })).toMatchObject({ tool: 'zap', source: 'zap (full)' });
});

test('an entry of a branch is compared with what the default branch has, under each of its names, and with its base', () => {
  expect(entry({}, { onBranch: next })).toMatchObject({
    fingerprint: named({ ref: 'next' }),
    problem: named({ ref: undefined }),
    others: [named(), named({ ref: 'old' })],
    base: named({ ref: 'release' }),
  });
  const { base: _base, ...alone } = next;
  const first = entry({}, { onBranch: { ...alone, base: undefined, defaultNames: ['next'] } });
  expect(first).not.toHaveProperty('others');
  expect(first).not.toHaveProperty('base');
});

test('an entry on an asset of several names is found under each of them', () => {
  const without = entry({}, { aliases: [alias] });
  expect(without.aliased).toEqual({ fingerprints: [named({ asset: alias })], problems: [] });
  const withBranch = entry({}, { aliases: [alias], onBranch: next });
  const elsewhere = (ref?: string) => named({ asset: alias, ref });
  expect(withBranch.aliased).toEqual({ fingerprints: [elsewhere('next')], problems: [elsewhere()] });
  expect(withBranch.others).toEqual([named(), elsewhere('main'), named({ ref: 'old' }), elsewhere('old')]);
  expect(fingerprintsOf(withBranch)).toEqual([named({ ref: 'next' }), elsewhere('next')]);
  expect(problemsOf(withBranch)).toEqual([named({ ref: undefined }), elsewhere()]);
});

test('a new finding is open, has never returned, and is due by its severity', () => {
  const place = { id: newId(), type: asset.type, name: asset.value, zone: null };
  const to = { id: newId(), scope: 'mine', taskId: newId(), at: dayOf(1), asset: place, sla: DEFAULT_SLA };
  const draft = findingDraftOf(entry(), { ...to, scan: { source: 'import', ref: 'main' }, exploited: () => ({}) });
  expect(draft).toMatchObject({ status: 'open', reopenedCount: 0, dueAt: dayOf(31), scope: 'mine', ref: 'main' });
});

test('a finding of the default branch has no problem that a merge would look for, and one without a name no branch', () => {
  const told = { problem: 'p' } as Entry;
  const branch = (name: string, isDefault: boolean) => ({ ...next, branch: { ...next.branch, name, isDefault } });
  const fields = [undefined, branch('next', false), branch('main', true), branch('', true)].map((on) =>
    branchFields(told, { source: 'import', ref: 'sent' }, on),
  );
  expect(fields).toEqual([
    { ref: 'sent' },
    { ref: 'next', problem: 'p' },
    { ref: 'main', problem: undefined },
    { ref: undefined, problem: undefined },
  ]);
});

const finding = (fields: Partial<StoredFinding> = {}): StoredFinding => ({
  ...findingDraft(dayOf(10), { title: 'Old words', contentHash: 'old', tags: ['mine'] }),
  id: newId(),
  version: 1,
  createdAt: dayOf(10),
  updatedAt: dayOf(10),
  createdBy: { kind: 'system', id: 's', name: 's' },
  ...fields,
});

const seenOn = (day: number, contentHash = 'old') => ({ contentHash, seenAt: Date.parse(dayOf(day)) }) as never;
const taskId = newId();
const said = entry();

/** The changes that a report of a day makes to a finding of day 10. */
const changes = (day: number, fields: Partial<StoredFinding> = {}, { told = said, seen = undefined as never } = {}) =>
  sightingChanges(finding(fields), {
    entry: told,
    seen,
    at: dayOf(day),
    scan: { source: 'import' },
    scope: 'mine',
    taskId,
    sla: DEFAULT_SLA,
    exploited: () => ({}),
  });

const same = { contentHash: said.contentHash };

test('a report that says the same changes nothing, and a newer one what the finding says', () => {
  expect(changes(11, same)).toBeUndefined();
  expect(changes(11)).toMatchObject({ title: 'SQL injection', tags: ['mine'], severity: 'high', dueAt: dayOf(40) });
  expect(changes(11)).not.toHaveProperty('status');
  expect(changes(11, { severity: 'low', severityOverridden: true, dueChosen: false })).toMatchObject({
    severity: 'low',
    dueAt: dayOf(190),
  });
  expect(changes(11, { dueAt: dayOf(99), dueChosen: true })).not.toHaveProperty('dueAt');
});

test('a report that is worked after a newer one does not change what the finding says', () => {
  expect(changes(11, { lastSeenAt: dayOf(12) })).toBeUndefined();
  expect(changes(11, {}, { seen: seenOn(12) })).toBeUndefined();
  expect(changes(11, { lastSeenAt: dayOf(11) }, { seen: seenOn(11) })).toMatchObject({ title: 'SQL injection' });
});

test('a report from before the finding was made saw it first', () => {
  const first = { firstSeenAt: dayOf(5), taskId };
  expect(changes(5, same, { seen: seenOn(10) })).toEqual({
    ...first,
    engagementId: undefined,
    scope: 'mine',
    dueAt: dayOf(35),
  });
  const returned = changes(5, { ...same, reopenedAt: dayOf(20) });
  expect(returned).toMatchObject(first);
  for (const name of ['scope', 'dueAt']) expect(returned).not.toHaveProperty(name);
  expect(changes(5, { ...same, dueAt: dayOf(99), dueChosen: true })).not.toHaveProperty('dueAt');
  expect(changes(10, same)).toBeUndefined();
});

test('a repaired finding is open again once a later report sees it, and belongs to that scan', () => {
  const fixed = { ...same, status: 'fixed', fixedAt: dayOf(20), fixedByTaskId: newId() } as const;
  expect(changes(21, fixed)).toMatchObject({ status: 'open', reopenedAt: dayOf(21), scope: 'mine', dueAt: dayOf(51) });
  expect(changes(20, fixed)).toMatchObject({ status: 'open' });
  expect(changes(19, fixed)).toEqual({ lastSeenAt: dayOf(19), occurrences: 2 });
  expect(changes(19, { ...fixed, lastSeenAt: dayOf(19.5), occurrences: 4 })).toEqual({
    lastSeenAt: dayOf(19.5),
    occurrences: 5,
  });
  expect(changes(21, { ...same, status: 'false_positive' })).toBeUndefined();
});

test('a finding is read whole only where a report may change it', () => {
  const current = { status: 'open', firstSeenAt: dayOf(10) } as const;
  const asked = (day: number, seen: never, about: Partial<Pick<StoredFinding, 'status'>> = {}) =>
    mayChange({ ...current, ...about }, { entry: said, seen, at: dayOf(day) });
  const known = (day: number) => seenOn(day, said.contentHash);
  expect([asked(11, known(11)), asked(10, known(10)), asked(11, seenOn(12))]).toEqual([false, false, false]);
  expect([asked(9, known(11)), asked(11, known(11), { status: 'fixed' })]).toEqual([true, true]);
  expect([asked(11, seenOn(10)), asked(11, seenOn(11)), asked(11, undefined as never)]).toEqual([true, true, true]);
});

test('a closed finding says when it was seen last, and a late sighting of it counts', () => {
  const seen = { seenAt: Date.parse(dayOf(11)), occurrences: 7 } as never;
  expect(closingChanges(finding(), { taskId, at: dayOf(12), seen })).toMatchObject({
    status: 'fixed',
    fixedAt: dayOf(12),
    fixedByTaskId: taskId,
    lastSeenAt: dayOf(11),
    occurrences: 7,
    statusReason: `No longer seen by ${taskId}.`,
  });
  expect(lateSighting({}, dayOf(3))).toEqual({ lastSeenAt: dayOf(3), occurrences: 2 });
});

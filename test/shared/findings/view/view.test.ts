import { expect, test } from 'vitest';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { findingView, sightingsOf } from '#shared/findings/view/view.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';

const FIRST = '2026-03-01T08:00:00.000Z';
const LATER = '2026-03-09T08:00:00.000Z';
const LAST = '2026-04-01T08:00:00.000Z';

const stored = (fields: Partial<StoredFinding> = {}) =>
  ({ ...findingDraft(FIRST), id: newId(), version: 1, createdAt: FIRST, updatedAt: FIRST, ...fields }) as StoredFinding;

test("an accepted risk has the person's end, otherwise the end of the rule that accepted it", () => {
  const rule = { id: newId(), name: 'test code', until: LAST } as StoredFinding['suppressedBy'];
  const accepted = { status: 'risk_accepted', statusReason: 'replaced soon', acceptedUntil: LATER } as const;
  const acceptance = (fields: Partial<StoredFinding>) => findingView(stored(fields), undefined).acceptance;
  expect(acceptance({ ...accepted, suppressedBy: rule })).toEqual({
    reason: 'replaced soon',
    approver: null,
    until: LATER,
  });
  expect(acceptance({ ...accepted, acceptedUntil: undefined, suppressedBy: rule })).toMatchObject({ until: LAST });
  expect(acceptance({ ...accepted, acceptedUntil: undefined })).toMatchObject({ until: null });
  expect(acceptance({ ...accepted, status: 'open' })).toBeNull();
});

test('a decision tree is shown for published vulnerabilities alone', () => {
  expect(findingView(stored(), undefined).ssvc).toBeNull();
  expect(findingView(stored({ cves: ['CVE-2021-44228'] }), undefined).ssvc).not.toBeNull();
});

test('a finding was seen as its scan scope says, with what became one with it, and never before it was first seen', () => {
  const merged = { mergedSightings: { lastSeenAt: LATER, occurrences: 4 } };
  expect(sightingsOf(stored(), undefined)).toEqual({ lastSeenAt: FIRST, occurrences: 1 });
  expect(sightingsOf(stored(), { lastSeenAt: LATER, occurrences: 3 })).toEqual({ lastSeenAt: LATER, occurrences: 3 });
  expect(sightingsOf(stored(merged), { lastSeenAt: FIRST, occurrences: 3 })).toEqual({
    lastSeenAt: LATER,
    occurrences: 7,
  });
  expect(sightingsOf(stored(merged), { lastSeenAt: LAST, occurrences: 3 })).toMatchObject({ lastSeenAt: LAST });
  expect(sightingsOf(stored(), { lastSeenAt: '2026-02-28T23:59:59.000Z', occurrences: 1 })).toMatchObject({
    lastSeenAt: FIRST,
  });
  expect(sightingsOf(stored({ lastSeenAt: LATER, occurrences: 2 }), undefined)).toEqual({
    lastSeenAt: LATER,
    occurrences: 2,
  });
});

test('links lead to what a finding came of, and to the task that proved its end', () => {
  const [taskId, engagementId, fixedByTaskId] = [newId(), newId(), newId()];
  const { links } = findingView(stored({ taskId, engagementId, fixedByTaskId }), undefined);
  expect(links).toMatchObject({
    task: `/api/v1/tasks/${taskId}`,
    engagement: `/api/v1/validation-operations/engagements/${engagementId}`,
    fixedBy: `/api/v1/tasks/${fixedByTaskId}`,
  });
  expect(Object.keys(findingView(stored({ taskId }), undefined).links)).toEqual(['asset', 'task']);
});

import { afterEach, describe, expect, test } from 'vitest';
import { branchDue, branchTimer } from '#shared/findings/bulk/branch-end.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { acceptanceEnd } from '#shared/findings/triage/acceptance.ts';
import { endedAcceptance, ownFields } from '#shared/findings/triage/end-acceptance.ts';
import { DAY_MS, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';

afterEach(() => setClock());

const seen = '2026-01-05T08:00:00.000Z';
const until = '2026-02-01T00:00:00.000Z';
const at = '2026-02-01T00:00:05.000Z';
const rule = { id: 'r', name: 'Lab', was: 'in_progress' } as const;

const accepted = (fields: Partial<StoredFinding> = {}) =>
  ({
    ...findingDraft(seen, { status: 'risk_accepted', acceptedUntil: until, decidedAt: seen }),
    id: newId(),
    version: 1,
    createdAt: seen,
    updatedAt: seen,
    ...fields,
  }) as StoredFinding;
const ended = (fields: Partial<StoredFinding> = {}, rules?: ReadonlySet<string>) =>
  endedAcceptance(accepted(fields), { at, sla: DEFAULT_SLA, ...(rules && { rules }) });

test('an acceptance ends where it has an end, and only as long as the risk is accepted', () => {
  expect(acceptanceEnd({ status: 'risk_accepted', acceptedUntil: until })).toBe(Date.parse(until));
  expect(acceptanceEnd({ status: 'risk_accepted' })).toBeUndefined();
  expect(acceptanceEnd({ status: 'open', acceptedUntil: until })).toBeUndefined();
});

describe('a finding whose risk was accepted until a time that is over', () => {
  test('is open, says why, and is due as before', () => {
    const opened = ended();
    expect(opened).toMatchObject({ status: 'open', statusReason: `Its risk was accepted until ${until}.` });
    expect(opened).not.toHaveProperty('dueAt');
    expect(opened).not.toHaveProperty('slaFrom');
    expect(opened).not.toHaveProperty('acknowledgedAt');
  });

  test('is due from the end on where its SLA restarts', () => {
    expect(ended({ restartSla: true })).toMatchObject({ slaFrom: until, dueAt: '2026-03-03T00:00:00.000Z' });
    expect(ended({ restartSla: true, acceptedUntil: undefined })).not.toHaveProperty('slaFrom');
  });

  test('that followed a vulnerability returns to its own status', () => {
    const follows = (was: NonNullable<StoredFinding['follows']>['was']) => ({
      follows: { vulnerabilityIds: ['v'], was },
    });
    expect(ended(follows({ status: 'in_progress', decidedAt: seen }))).toMatchObject({
      status: 'in_progress',
      decidedAt: seen,
      follows: undefined,
      statusReason: `Its risk was accepted until ${until}.`,
    });
    expect(ended(follows({ status: 'false_positive', statusReason: 'a mock' }))).toMatchObject({
      status: 'false_positive',
      statusReason: 'a mock',
      acceptedUntil: undefined,
      follows: undefined,
    });
  });

  test('is held by a rule that held it before, and no longer by one that ended meanwhile', () => {
    const was = { status: 'out_of_scope', statusReason: 'a laboratory', suppressedBy: rule } as const;
    const follows = { vulnerabilityIds: ['v'], was };
    expect(ended({ follows }, new Set(['r']))).toMatchObject({
      status: 'out_of_scope',
      statusReason: 'a laboratory',
      suppressedBy: rule,
    });
    expect(ended({ follows }, new Set(['other']))).toMatchObject({ status: 'in_progress', suppressedBy: undefined });
    expect(ended({ follows })).toMatchObject({ status: 'in_progress', suppressedBy: undefined });
  });
});

test('a finding that follows no vulnerability any more loses every field of the decision that is not its own', () => {
  const nothing = { statusReason: undefined, acceptedUntil: undefined, acceptedBy: undefined, restartSla: undefined };
  const rest = { decidedAt: undefined, suppressedBy: undefined, follows: undefined };
  expect(ownFields({ status: 'open' }, {})).toStrictEqual({ ...nothing, ...rest, status: 'open' });
  expect(ownFields({ status: 'risk_accepted', acceptedUntil: until, restartSla: true }, {})).toStrictEqual({
    ...nothing,
    ...rest,
    status: 'risk_accepted',
    acceptedUntil: until,
    restartSla: true,
  });
  expect(ownFields({ status: 'out_of_scope', statusReason: 'x', suppressedBy: rule }, {})).toStrictEqual({
    ...nothing,
    ...rest,
    status: 'in_progress',
  });
});

describe('a branch', () => {
  const days = { branchDays: 14 };

  test('ends so many days after its last scan, or after it was made, and is removed 30 days after its end', () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const lastScan = { taskId: 't', commit: null, at: '2026-01-05T00:00:00.000Z' };
    const due = (fields: object) =>
      new Date(branchDue({ endedAt: null, lastScan: null, createdAt, ...fields }, days)).toISOString();
    expect(due({})).toBe('2026-01-15T00:00:00.000Z');
    expect(due({ lastScan })).toBe('2026-01-19T00:00:00.000Z');
    expect(due({ lastScan, endedAt: '2026-02-01T00:00:00.000Z' })).toBe('2026-03-03T00:00:00.000Z');
  });

  test('is looked at when it is due, and each day before', () => {
    const start = Date.parse('2026-03-10T12:00:00Z');
    setClock(() => start);
    const timer = (due?: number) => branchTimer({ organizationId: 'o' } as never, 'b', due);
    expect(timer()).toEqual({ kind: 'branch', organizationId: 'o', id: 'b', at: start + DAY_MS });
    expect(timer(start + 1000).at).toBe(start + 1000);
    expect(timer(start + 2 * DAY_MS).at).toBe(start + DAY_MS);
  });
});

import { describe, expect, test } from 'vitest';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { DEFAULT_POLICIES, type Sla } from '#shared/findings/sla/sla-policies.ts';
import { type Triage, triage } from '#shared/findings/triage/triage.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';

const seen = '2026-01-05T08:00:00.000Z';
const at = '2026-02-01T12:00:00.000Z';
const [ann, bea] = [
  { id: 'ann', name: 'Ann' },
  { id: 'bea', name: 'Bea' },
];

const finding = (fields: Partial<StoredFinding> = {}) =>
  ({
    ...findingDraft(seen, fields),
    id: newId(),
    version: 1,
    createdAt: seen,
    updatedAt: seen,
    acknowledgedAt: seen,
    ...fields,
  }) as StoredFinding;
const accepted = (fields: Partial<StoredFinding> = {}) =>
  finding({ status: 'risk_accepted', statusReason: 'soon', acceptedBy: ann, ...fields });

type More = { reason?: string; namesStatus?: boolean; sla?: Sla };
const decide = (
  current: StoredFinding,
  wanted: Triage,
  { reason, namesStatus = false, sla = DEFAULT_SLA }: More = {},
) =>
  triage(current, wanted, {
    at,
    reason,
    sla,
    approver: bea,
    assignee: wanted.assigneeId ? ann : undefined,
    namesStatus: namesStatus || wanted.status !== undefined,
  });
const refusal = (path: string) =>
  expect.objectContaining({ code: 'validation_failed', details: [{ path, message: expect.any(String) }] });

describe('a decision on a risk ends what a rule or a vulnerability decided', () => {
  const rule = { id: newId(), name: 'Lab', was: 'open' } as const;
  const follows = { vulnerabilityIds: [newId()], was: { status: 'open' } } as const;

  test.each<[string, Triage, boolean]>([
    ['a status', { status: 'open' }, true],
    ['a reason', { statusReason: 'because' }, true],
    ['an end of the acceptance', { acceptedUntil: '2026-12-31T00:00:00Z' }, true],
    ['no end of the acceptance', { acceptedUntil: null }, true],
    ['an SLA that restarts', { restartSla: true }, true],
    ['a severity', { severity: 'low' }, false],
    ['tags', { tags: ['x'] }, false],
    ['a date', { dueAt: '2026-12-31T00:00:00Z' }, false],
    ['an assignee', { assigneeId: 'ann' }, false],
  ])('%s: %o %s', (_, wanted, decides) => {
    const held = accepted({
      suppressedBy: rule,
      follows: { ...follows, vulnerabilityIds: [...follows.vulnerabilityIds] },
    });
    const changes = decide(held, wanted);
    expect('decidedAt' in changes).toBe(decides);
    if (decides) expect(changes).toMatchObject({ decidedAt: at, suppressedBy: undefined, follows: undefined });
    else expect('follows' in changes || 'suppressedBy' in changes).toBe(false);
  });
});

describe('an accepted risk', () => {
  test('ends in the future, at whatever place of the world the time is written', () => {
    expect(decide(accepted(), { acceptedUntil: '2026-02-01T13:00:00.001+01:00' })).toMatchObject({
      acceptedUntil: '2026-02-01T12:00:00.001Z',
      acceptedBy: bea,
    });
    expect(() => decide(accepted(), { acceptedUntil: at })).toThrow(refusal('acceptedUntil'));
    expect(() => decide(accepted(), { acceptedUntil: '2026-02-01T12:30:00+01:00' })).toThrow(refusal('acceptedUntil'));
  });

  test('loses its end, and needs a new approval', () => {
    const changes = decide(accepted({ acceptedUntil: '2026-12-31T00:00:00.000Z' }), { acceptedUntil: null });
    expect(changes).toHaveProperty('acceptedUntil', undefined);
    expect(changes.acceptedBy).toEqual(bea);
    expect(decide(finding(), { acceptedUntil: null })).toHaveProperty('acceptedBy', undefined);
  });

  test('restarts its SLA if that is wanted, which no other finding can', () => {
    expect(decide(accepted(), { restartSla: true }).restartSla).toBe(true);
    expect(decide(accepted({ restartSla: true }), { restartSla: false })).toHaveProperty('restartSla', undefined);
    expect(decide(finding(), { status: 'risk_accepted', restartSla: true }, { reason: 'soon' }).restartSla).toBe(true);
    expect(() => decide(finding(), { restartSla: true })).toThrow(refusal('restartSla'));
    expect(() => decide(accepted(), { restartSla: true, status: 'open' })).toThrow(refusal('restartSla'));
    expect(decide(finding(), { restartSla: false })).toHaveProperty('restartSla', undefined);
  });

  test('is accepted for a reason that came with the request, or with the status', () => {
    expect(decide(finding(), { status: 'risk_accepted' }, { reason: 'soon' })).toMatchObject({
      statusReason: 'soon',
      acceptedBy: bea,
    });
    expect(() => decide(finding(), { status: 'risk_accepted', statusReason: '' })).toThrow(refusal('reason'));
    expect(() => decide(accepted(), { statusReason: '' })).toThrow(refusal('reason'));
    expect(decide(accepted(), { statusReason: 'later' }).statusReason).toBe('later');
    expect(decide(finding({ statusReason: 'x' }), { statusReason: null })).toHaveProperty('statusReason', undefined);
    expect('statusReason' in decide(accepted(), { tags: [] })).toBe(false);
  });
});

describe('an assignee', () => {
  test('moves an open finding only, and only where the request names no status', () => {
    expect(decide(finding(), { assigneeId: 'ann' }).status).toBe('in_progress');
    expect(decide(finding(), { assigneeId: 'ann' }, { namesStatus: true })).not.toHaveProperty('status');
    expect(decide(finding({ status: 'in_progress' }), { assigneeId: 'ann' })).not.toHaveProperty('status');
    expect(decide(finding({ status: 'in_progress' }), { tags: [] })).not.toHaveProperty('status');
    expect(decide(finding(), { assigneeId: null })).not.toHaveProperty('status');
    expect(decide(accepted(), { assigneeId: null })).not.toHaveProperty('status');
  });

  test("is the finding's own from then on, and acknowledges the finding once", () => {
    const followed = finding({ assignee: bea, assigneeFollows: 'open', acknowledgedAt: undefined });
    expect(decide(followed, { assigneeId: 'ann' })).toMatchObject({
      assignee: ann,
      assigneeFollows: undefined,
      acknowledgedAt: at,
    });
    const changes = decide(finding({ status: 'fixed', fixedAt: seen }), { assigneeId: 'ann' });
    expect(changes).toMatchObject({ assignee: ann });
    expect(changes).not.toHaveProperty('acknowledgedAt');
    expect('assigneeFollows' in decide(followed, { tags: [] })).toBe(false);
  });
});

describe('a date', () => {
  test('that follows from the policies is reported only where it moves', () => {
    expect(decide(finding(), { status: 'in_progress' })).not.toHaveProperty('dueAt');
    expect(decide(finding(), { severity: 'high' })).not.toHaveProperty('dueAt');
    expect(decide(finding(), { severity: 'info' })).toHaveProperty('dueAt', undefined);
  });

  test('that somebody chose is computed again when the finding is opened again, and is no longer chosen', () => {
    const fixed = finding({ status: 'fixed', fixedAt: seen, dueAt: '2026-06-30T00:00:00.000Z', dueChosen: true });
    expect(decide(fixed, { status: 'open' })).toMatchObject({
      dueAt: '2026-03-03T12:00:00.000Z',
      dueChosen: undefined,
    });
    expect(decide(fixed, { tags: [] })).not.toHaveProperty('dueAt');
    expect(
      decide(accepted({ dueAt: '2026-06-30T00:00:00.000Z', dueChosen: true }), { status: 'open' }),
    ).not.toHaveProperty('dueAt');
  });

  test('of a finding that is opened again is reported also where it is the same as before', () => {
    const never: Sla = {
      policies: { ...DEFAULT_POLICIES, days: { ...DEFAULT_POLICIES.days, high: 0 } },
      assets: new Map(),
    };
    const fixed = finding({ status: 'fixed', fixedAt: seen, dueAt: undefined, dueChosen: true });
    expect(decide(fixed, { status: 'open' }, { sla: never })).toMatchObject({ dueAt: undefined, dueChosen: false });
  });
});

test('only a severity that the request names is marked as chosen', () => {
  expect(decide(finding(), { severity: 'high' })).toMatchObject({ severity: 'high', severityOverridden: true });
  expect(decide(finding(), { tags: ['x'] })).toEqual({ tags: ['x'] });
});

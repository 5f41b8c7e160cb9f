import { describe, expect, test } from 'vitest';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { dueFields } from '#shared/findings/sla/sla-policies.ts';
import { type Triage, triage } from '#shared/findings/triage/triage.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { DEFAULT_SLA, findingDraft } from '../../../support/findings.ts';

const seen = '2026-01-05T08:00:00.000Z';
const at = '2026-02-01T12:00:00.000Z';

const finding = (fields: Partial<StoredFinding> = {}): StoredFinding => ({
  ...findingDraft(seen, fields),
  id: newId(),
  version: 1,
  createdAt: seen,
  updatedAt: seen,
  createdBy: systemActor,
  ...fields,
});

const ann = { id: 'ann', name: 'Ann' };
const bea = { id: 'bea', name: 'Bea' };
const dueBy = (severity: 'high' | 'critical', since: string) =>
  dueFields(DEFAULT_SLA, { severity, asset: { id: '' } }, since).dueAt;

const decide = (current: StoredFinding, wanted: Triage, reason?: string) =>
  triage(current, wanted, {
    at,
    reason,
    sla: DEFAULT_SLA,
    assignee: wanted.assigneeId ? ann : undefined,
    namesStatus: wanted.status !== undefined,
    approver: bea,
  });

describe('a decision changes what follows from it, and nothing else', () => {
  test.each<[string, StoredFinding, Triage, Partial<StoredFinding>]>([
    [
      'taking it up acknowledges it',
      finding(),
      { status: 'in_progress' },
      { status: 'in_progress', acknowledgedAt: at },
    ],
    ['fixing it says when', finding(), { status: 'fixed' }, { status: 'fixed', fixedAt: at, acknowledgedAt: at }],
    [
      'a date accepts a risk until then, in UTC',
      finding({ acknowledgedAt: seen }),
      { status: 'risk_accepted', acceptedUntil: '2026-12-31T01:00:00+02:00', statusReason: 'replaced soon' },
      {
        status: 'risk_accepted',
        acceptedUntil: '2026-12-30T23:00:00.000Z',
        acceptedBy: bea,
        statusReason: 'replaced soon',
      },
    ],
    [
      'another end of an acceptance is approved anew',
      finding({ status: 'risk_accepted', acceptedBy: ann, acknowledgedAt: seen }),
      { acceptedUntil: null },
      { acceptedBy: bea },
    ],
    [
      'opening a fixed one counts it as returned, and its date anew',
      finding({ status: 'fixed', fixedAt: '2026-01-07T08:00:00.000Z', acknowledgedAt: seen }),
      { status: 'open' },
      {
        status: 'open',
        reopenedAt: at,
        reopenedCount: 1,
        repairs: [{ at: '2026-01-07T08:00:00.000Z', seconds: 172_800 }],
        dueAt: dueBy('high', at),
      },
    ],
    [
      'a severity takes the date along',
      finding(),
      { severity: 'critical' },
      {
        severity: 'critical',
        severityOverridden: true,
        reportedSeverity: 'high',
        dueAt: dueBy('critical', seen),
      },
    ],
    [
      'a date that someone chose stays when the severity changes',
      finding({ dueAt: '2026-06-30T00:00:00.000Z' }),
      { severity: 'low' },
      { severity: 'low', severityOverridden: true, reportedSeverity: 'high' },
    ],
    [
      'a date that someone chose stays, also where it is the one of the default policies',
      finding({ dueChosen: true }),
      { severity: 'low' },
      { severity: 'low', severityOverridden: true, reportedSeverity: 'high' },
    ],
    [
      'a date of a policy that is not the default follows the severity',
      finding({ dueAt: '2026-01-19T08:00:00.000Z', dueChosen: false }),
      { severity: 'critical' },
      {
        severity: 'critical',
        severityOverridden: true,
        reportedSeverity: 'high',
        dueAt: dueBy('critical', seen),
      },
    ],
    [
      'a date that a person sets is marked as chosen',
      finding(),
      { dueAt: '2026-03-01T00:00:00Z' },
      { dueAt: '2026-03-01T00:00:00.000Z', dueChosen: true },
    ],
    ['a date can be taken away', finding(), { dueAt: null }, { dueAt: undefined, dueChosen: true }],
    [
      'an assignee acknowledges it, and it is in progress',
      finding(),
      { assigneeId: 'ann' },
      { assignee: ann, status: 'in_progress', acknowledgedAt: at },
    ],
    [
      'one that nobody has any more is open again',
      finding({ assignee: ann, status: 'in_progress', acknowledgedAt: seen }),
      { assigneeId: null },
      { assignee: undefined, status: 'open' },
    ],
    [
      'an assignee of a decided one takes nothing back',
      finding({ status: 'false_positive', acknowledgedAt: seen }),
      { assigneeId: 'ann' },
      { assignee: ann },
    ],
    [
      'a status beside the assignee stands',
      finding({ acknowledgedAt: seen }),
      { assigneeId: 'ann', status: 'fixed' },
      { assignee: ann, status: 'fixed', fixedAt: at },
    ],
    ['tags are replaced', finding({ tags: ['old'] }), { tags: ['new'] }, { tags: ['new'] }],
  ])('%s', (_, current, wanted, expected) => {
    const decides = 'status' in wanted || 'acceptedUntil' in wanted;
    const decidedAt = decides ? at : undefined;
    expect(defined(decide(current, wanted))).toEqual(defined({ ...expected, decidedAt }));
  });

  test('a status has the reason that was given with it', () => {
    expect(decide(finding(), { status: 'false_positive' }, 'test data')).toMatchObject({ statusReason: 'test data' });
    expect(decide(finding(), { status: 'false_positive', statusReason: 'a mock' }, 'x')).toMatchObject({
      statusReason: 'a mock',
    });
  });
});

const defined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

describe('a contradictory decision is refused with a remedy', () => {
  test.each<[string, StoredFinding, Triage, object]>([
    [
      'a status that cannot follow',
      finding({ status: 'fixed', fixedAt: seen }),
      { status: 'false_positive' },
      {
        code: 'conflict',
        message: 'A finding that is fixed cannot become false_positive; it can become open, in_progress.',
      },
    ],
    [
      'a date of acceptance without acceptance',
      finding(),
      { acceptedUntil: '2027-01-01T00:00:00Z' },
      { code: 'validation_failed' },
    ],
    [
      'a date of acceptance that is over',
      finding(),
      { status: 'risk_accepted', acceptedUntil: seen, statusReason: 'replaced soon' },
      { code: 'validation_failed' },
    ],
    [
      'an acceptance without a reason',
      finding(),
      { status: 'risk_accepted' },
      { code: 'validation_failed', message: 'reason: must say why the risk is accepted' },
    ],
    [
      'an accepted risk that loses its reason',
      finding({ status: 'risk_accepted', statusReason: 'replaced soon' }),
      { statusReason: null },
      { code: 'validation_failed' },
    ],
  ])('%s', (_, current, wanted, error) => {
    expect(() => decide(current, wanted)).toThrow(expect.objectContaining(error));
  });
});

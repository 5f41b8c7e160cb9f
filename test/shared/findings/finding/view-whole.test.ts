import { expect, test } from 'vitest';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { factorsOf } from '#shared/findings/priority/priority.ts';
import { ssvcOf } from '#shared/findings/priority/ssvc.ts';
import { findingListItem, findingView } from '#shared/findings/view/view.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { findingDraft } from '../../../support/findings.ts';

const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T08:00:00.000Z`;
const [id, taskId, engagementId, remediationId, merged] = [newId(), newId(), newId(), newId(), newId()];
const person = { id: 'ann', name: 'Ann' };

const optional = {
  toolSeverity: 'HIGH',
  cvssScore: 7.5,
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  epss: 0.2,
  kev: true,
  ref: 'main',
  description: 'long',
  remediation: 'fix it',
  otherLocations: [{ path: 'src/b.ts' }],
  acknowledgedAt: day(2),
  fixedAt: day(3),
  dueAt: day(20),
  component: { name: 'log4j', version: '2.14.1', fixedVersions: ['2.17.1'] },
} as const;
const stored: StoredFinding = {
  ...findingDraft(day(1), { cves: ['CVE-1'], cwes: ['CWE-1'], tags: ['a'] }),
  id,
  version: 3,
  createdAt: day(1),
  updatedAt: day(4),
  createdBy: systemActor,
  taskId,
  engagementId,
  ...(optional as object),
  assignee: person,
  status: 'risk_accepted',
  statusReason: 'soon',
  acceptedBy: person,
  acceptedUntil: day(30),
  restartSla: true,
  remediationIds: [remediationId],
  evidenceFiles: 2,
  dueChosen: true,
  mergedFrom: [{ id: merged, evidenceFiles: 3 }],
  identifiers: { cves: ['CVE-1', 'CVE-2'], cwes: ['CWE-1', 'CWE-2'], tags: ['a', 'b'] },
  suppressedBy: { id: 'r', name: 'Lab', until: day(29), was: 'open' },
  follows: { vulnerabilityIds: ['v'], was: { status: 'open' } },
  occurrences: 4,
  lastSeenAt: day(5),
} as StoredFinding;

test('a finding that has everything shows everything', () => {
  const { otherLocations, component, cvssVector, ...listed } = optional;
  expect(findingView(stored, { lastSeenAt: day(6), occurrences: 7 })).toMatchObject({
    ...listed,
    otherLocations,
    component,
    cvssVector,
    cves: ['CVE-1', 'CVE-2'],
    cwes: ['CWE-1', 'CWE-2'],
    tags: ['a'],
    lastSeenAt: day(6),
    occurrences: 7,
    assignee: person,
    assigneeId: 'ann',
    status: 'risk_accepted',
    statusReason: 'soon',
    restartSla: true,
    acceptedUntil: day(30),
    acceptance: { reason: 'soon', approver: person, until: day(30) },
    suppressedBy: { id: 'r', name: 'Lab' },
    follows: ['v'],
    remediationIds: [remediationId],
    evidenceFiles: 5,
    mergedFrom: [merged],
    dueChosen: true,
    taskId,
    engagementId,
    version: 3,
    priorityFactors: factorsOf(stored),
    ssvc: ssvcOf(stored),
  });
});

test('a list shows the fields of its row, and of its identifiers those that fit', () => {
  const { toolSeverity, cvssScore, epss, kev, ref, dueAt } = optional;
  expect(findingListItem(stored, undefined)).toEqual({
    id,
    title: 'SQL built from input',
    severity: 'high',
    status: 'risk_accepted',
    reopenedCount: 0,
    toolSeverity,
    cvssScore,
    epss,
    kev,
    ref,
    dueAt,
    assignee: person,
    priority: stored.priority,
    cves: ['CVE-1'],
    cwes: ['CWE-1'],
    tags: ['a'],
    asset: stored.asset,
    location: 'src/orders.ts:12',
    tool: 'semgrep',
    ruleId: 'sql-injection',
    firstSeenAt: day(1),
    lastSeenAt: day(5),
    occurrences: 4,
  });
});

test('a finding that somebody wrote has no task and leads to its asset alone', () => {
  const { taskId: none, links } = findingView(
    { ...stored, taskId: undefined, engagementId: undefined } as StoredFinding,
    undefined,
  );
  expect([none, links]).toEqual([null, { asset: `/api/v1/assets/${stored.asset.id}` }]);
});

test('a finding of which little is known says so of every field, and claims nothing', () => {
  const bare = {
    ...findingDraft(day(1)),
    id,
    version: 1,
    createdAt: day(1),
    updatedAt: day(1),
  } as StoredFinding;
  const view = findingView({ ...bare, createdBy: systemActor, dueAt: undefined, dueChosen: false }, undefined);
  const missing = Object.fromEntries(
    [
      ...['toolSeverity', 'cvssScore', 'epss', 'ref', 'assignee', 'dueAt', 'description', 'component', 'cvssVector'],
      ...['ssvc', 'remediation', 'acknowledgedAt', 'fixedAt', 'assigneeId', 'acceptedUntil', 'statusReason'],
      ...['acceptance', 'suppressedBy', 'engagementId'],
    ].map((name) => [name, null]),
  );
  expect(view).toMatchObject({
    ...missing,
    kev: false,
    restartSla: false,
    dueChosen: false,
    evidenceFiles: 0,
    occurrences: 1,
    lastSeenAt: day(1),
    cves: [],
    cwes: ['CWE-89'],
    otherLocations: [],
    remediationIds: [],
    mergedFrom: [],
    follows: [],
  });
});

import { expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { fakeConnections, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectExact } from '../../../support/verify.ts';

/** One each: the sweeper looks at all organizations. */
const store = useStore('test');

const DAY = 86_400;
const until = '2025-03-13T10:00:00.000Z';
const ann = { id: 'ann', name: 'Ann' };

const makeRule = (table: Table, fields: Partial<SuppressionRule> = {}) =>
  table.create(suppressionRules, {
    name: 'Lab',
    enabled: true,
    conditions: { tool: 'semgrep' },
    status: 'out_of_scope',
    reason: 'a laboratory',
    expiresAt: null,
    order: 100,
    approver: ann,
    taskId: newId(),
    ...fields,
  });

/** A finding whose vulnerability is accepted until a time, and which a rule held before. */
async function accepted(table: Table, { id, name }: SuppressionRule): Promise<string> {
  const current = await table.create(findings, findingDraft('2025-03-03T10:00:00.000Z'));
  const was = {
    status: 'out_of_scope',
    statusReason: 'a laboratory',
    suppressedBy: { id, name, was: 'open' },
  } as const;
  const follows: StoredFinding['follows'] = { vulnerabilityIds: [newId()], was };
  const batch = table.batch();
  const changes = { status: 'risk_accepted', acceptedUntil: until, acceptedBy: ann, follows } as const;
  changeFinding({ table, batch }, current, { changes, at: '2025-03-04T10:00:00.000Z' });
  await batch.commit();
  return current.id;
}

test.each<[string, Partial<SuppressionRule>, Partial<StoredFinding>]>([
  ['a rule that still stands holds it again', {}, { status: 'out_of_scope', statusReason: 'a laboratory' }],
  ['it is open where the rule was switched off', { enabled: false }, { status: 'open' }],
  ['it is open where the rule ended', { expiresAt: '2025-03-10T10:00:00.000Z' }, { status: 'open' }],
])('when the acceptance of its vulnerability ends, %s', async (_, fields, expected) => {
  const clock = stopClock();
  const { connections } = fakeConnections(store.dynamo);
  const table = newOrganization(store.dynamo);
  const rule = await makeRule(table, fields);
  const id = await accepted(table, rule);
  clock.pass(10 * DAY + 1);
  await sweep(connections);
  const { follows, suppressedBy, acceptedUntil, ...finding } = await table.get(findings, id, true);
  expect(finding).toMatchObject(expected);
  expect([follows, acceptedUntil]).toEqual([undefined, undefined]);
  expect(suppressedBy?.id).toBe(expected.status === 'open' ? undefined : rule.id);
  await expectExact(table, [findings]);
});

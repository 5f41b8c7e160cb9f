import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { newAccount } from '../support/engagements.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('a viewer moves a finding that is assigned to him, decides on no risk, and changes no other finding', async () => {
  const { admin, table } = await system.newOrganization();
  const { account, client: viewer } = await newAccount(system, admin, { name: 'Vic', role: 'viewer' });
  const make = () => table.create(findings, findingDraft('2026-01-05T08:00:00.000Z', {}));
  const [mine, other] = [await make(), await make()];
  await admin.ok('updateFinding', { params: { id: mine.id }, body: { assigneeId: account.id } });
  const update = (id: string, body: object) => viewer.call('updateFinding', { params: { id }, body });
  const refused = { status: 401, body: { code: 'insufficient_scope' } };
  const working = { status: 'in_progress', reason: 'I look at it' };
  expect(await update(other.id, working)).toMatchObject(refused);
  expect(await update(mine.id, working)).toMatchObject({ status: 200, body: { status: 'in_progress' } });
  for (const decision of [
    { status: 'risk_accepted', reason: 'fine', acceptedUntil: new Date(Date.now() + 86_400_000).toISOString() },
    { status: 'false_positive', reason: 'fine' },
    { severity: 'low' },
    { assigneeId: null },
    { status: 'open', tags: ['x'] },
  ])
    expect(await update(mine.id, decision), JSON.stringify(decision)).toMatchObject(refused);
  expect(await admin.ok('getFinding', { params: { id: mine.id } })).toMatchObject({ status: 'in_progress', tags: [] });
  expect(await update(mine.id, { status: 'fixed', reason: 'done' })).toMatchObject({ status: 200 });
});

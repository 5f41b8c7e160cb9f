import { beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();
const seen = '2026-01-05T08:00:00.000Z';
let organization: TestOrganization;
let analyst: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  analyst = await organization.withRole('analyst');
});

const make = (fields: Partial<StoredFinding> = {}) =>
  organization.table.create(findings, findingDraft(seen, { tool: `tool-${newId()}`, ...fields }));
const read = (id: string) => analyst.ok('getFinding', { params: { id } });
const history = (id: string) => analyst.ok('listFindingHistory', { params: { id } });

const rule = (conditions: object, more: object = {}) =>
  ({ name: 'Test data', conditions, status: 'false_positive', reason: 'no real secrets', ...more }) as never;

/** Waits until the rule's task is done. */
async function applied({ taskId }: { taskId: string }) {
  const task = await analyst.ok('getTask', { params: { id: taskId }, query: { waitSeconds: 20 } });
  expect(task).toMatchObject({ operation: 'apply_suppression_rule', status: 'succeeded' });
  return task.result;
}
async function create(conditions: object, more: object = {}) {
  const created = await analyst.ok('createFindingRule', { body: rule(conditions, more) });
  return { ...created, result: await applied(created) };
}
const update = async (id: string, body: object) => {
  const changed = await analyst.ok('updateFindingRule', { params: { id }, body: body as never });
  await applied(changed);
};
/** Deletes a rule; the task that takes it back is the newest. */
async function remove(id: string) {
  await analyst.ok('deleteFindingRule', { params: { id } });
  const { data } = await analyst.ok('listTasks', { query: { operation: 'apply_suppression_rule', limit: 1 } });
  await applied({ taskId: data[0]?.id ?? '' });
}

describe('a suppression rule', () => {
  test('decides on current findings, which name the rule, and releases them when the rule is removed', async () => {
    const { id, tool } = await make({ locationDetail: { path: 'test/keys.ts' } });
    const other = await make({ tool, locationDetail: { path: 'src/keys.ts' } });
    const { id: ruleId, result } = await create({ tool, path: 'test/*' });
    expect(result).toMatchObject({ matched: 2, changed: 1, unchanged: 1 });
    const suppressedBy = { id: ruleId, name: 'Test data' };
    expect(await read(id)).toMatchObject({ status: 'false_positive', statusReason: 'no real secrets', suppressedBy });
    expect(await read(other.id)).toMatchObject({ status: 'open', suppressedBy: null, version: 1 });
    expect((await analyst.ok('listFindings', { query: { suppressedBy: ruleId } })).data).toMatchObject([{ id }]);
    expect((await history(id))[0]).toMatchObject({
      by: { name: 'analyst' },
      reason: 'no real secrets',
      changes: { status: { from: 'open', to: 'false_positive' }, suppressedBy: { from: null, to: suppressedBy } },
    });
    await remove(ruleId);
    expect(await read(id)).toMatchObject({ status: 'open', suppressedBy: null, acknowledgedAt: null });
    expect((await history(id))[0]).toMatchObject({ reason: 'The rule Test data no longer applies.' });
    await expectExact(organization.table, [findings]);
  });

  test('yields to what a person decides later, also when the rule is changed and removed', async () => {
    const { id, tool } = await make();
    const { id: ruleId } = await create({ tool });
    await analyst.ok('updateFinding', { params: { id }, body: { status: 'in_progress', reason: 'it is real' } });
    const decided = await read(id);
    expect(decided).toMatchObject({ status: 'in_progress', suppressedBy: null });
    await update(ruleId, { reason: 'another reason', order: 1 });
    await remove(ruleId);
    expect(await read(id)).toEqual(decided);
  });

  test('that is disabled lets the next one decide, and findings that were in work are so again', async () => {
    const { id, tool } = await make({ status: 'in_progress' });
    const second = await create({ tool }, { status: 'out_of_scope', order: 200, name: 'Later' });
    const first = await create({ tool, ruleId: 'sql-injection' }, { status: 'risk_accepted' });
    expect(await read(id)).toMatchObject({
      status: 'risk_accepted',
      acceptance: { reason: 'no real secrets', approver: { name: 'analyst' }, until: null },
    });
    await update(first.id, { enabled: false });
    expect(await read(id)).toMatchObject({ status: 'out_of_scope', suppressedBy: { id: second.id } });
    await update(second.id, { conditions: { tool: 'another' } });
    expect(await read(id)).toMatchObject({ status: 'in_progress', suppressedBy: null });
    await remove(first.id);
    await remove(second.id);
  });

  test('meets findings by host, CVE and the tag of their asset', async () => {
    const draft = { type: 'host' as const, value: newId(), name: 'db-7', zone: null, criticality: 'medium' as const };
    const asset = await organization.table.create(assets, {
      ...draft,
      internetExposed: null,
      tags: ['lab'],
      firstSeenAt: seen,
    });
    const on = { asset: { id: asset.id, type: 'host' as const, name: 'db-7.lab.example.com', zone: null } };
    const { id, tool } = await make({ ...on, cves: ['CVE-2021-23017'] });
    for (const conditions of [{ host: '*.LAB.*' }, { cve: 'cve-2021-23017' }, { assetTag: 'lab' }]) {
      const { id: ruleId } = await create({ tool, ...conditions });
      expect(await read(id)).toMatchObject({ suppressedBy: { id: ruleId } });
      await remove(ruleId);
    }
    const { id: ruleId, result } = await create({ tool, assetTag: 'production' });
    expect(result).toMatchObject({ changed: 0, unchanged: 1 });
    await remove(ruleId);
  });

  test('decides on what an import brings, from its first moment', async () => {
    const tool = `tool-${newId()}`;
    const { id: ruleId } = await create({ tool, path: 'test/*' });
    const result = (uri: string) => ({
      ruleId: 'secret',
      level: 'error',
      message: { text: 'Secret' },
      locations: [{ physicalLocation: { artifactLocation: { uri } } }],
    });
    const run = { tool: { driver: { name: tool } }, results: [result('test/a.ts'), result('src/a.ts')] };
    const content = JSON.stringify({ version: '2.1.0', runs: [run] });
    const body = { format: 'sarif', content, repository: 'https://git.example.com/acme/rules' };
    for (const created of [2, 0]) {
      const answer = await analyst.call('importFindings', { query: { waitSeconds: 20 }, body: body as never });
      expect(answer.body).toMatchObject({ task: { result: { created } } });
    }
    const { data } = await analyst.ok('listFindings', { query: { tool } });
    expect(data.map(({ location, status }) => [location, status]).toSorted()).toEqual([
      ['src/a.ts', 'open'],
      ['test/a.ts', 'false_positive'],
    ]);
    const suppressed = data.find(({ status }) => status === 'false_positive')?.id ?? '';
    expect(await history(suppressed)).toMatchObject([
      { version: 1, reason: 'no real secrets', changes: { suppressedBy: { to: { id: ruleId } } } },
    ]);
    await remove(ruleId);
    expect(await read(suppressed)).toMatchObject({ status: 'open' });
    await expectExact(organization.table, [findings]);
  });
});

test.each([
  ['no condition, which would suppress everything', { conditions: {} }, 'conditions'],
  ['an unknown condition', { conditions: { tool: 'x', colour: 'red' } }, 'conditions.colour'],
  ['a status that asks for work', { status: 'open' }, 'status'],
  ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
])('a rule with %s is refused', async (_, fields, path) => {
  const body = Object.assign({}, rule({ tool: 'x' }), fields);
  const answer = await analyst.call('createFindingRule', { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

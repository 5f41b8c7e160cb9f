import { expect, test } from 'vitest';
import { entitiesByName } from '#functions/workers/maintenance/all-entities.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { READABLE_BY } from '#shared/platform/feed/visible.ts';
import type { AnswerOf, Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();

type Change = AnswerOf<'listChanges'>['data'][number];

type Wanted = ('finding' | 'api-key' | 'organization-settings')[];

/** Every change of some entities, once there are so many: a change rests for some seconds. */
function changesOf(client: Client, entity: Wanted, count: number): Promise<Change[]> {
  const readAll = async () => {
    const all: Change[] = [];
    for (let since = 0, more = true; more; ) {
      const answer = await client.ok('listChanges', { query: { entity: entity.join(','), limit: 2, since } });
      all.push(...answer.data);
      ({ next: since, more } = answer);
    }
    return all;
  };
  return until(readAll, (all) => all.length >= count);
}

test('an integration learns who changed a finding, from what to what, and in the order of its versions', async () => {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  const { id } = await organization.table.create(findings, findingDraft(new Date().toISOString()));
  const params = { id };
  await analyst.ok('updateFinding', { params, body: { status: 'in_progress', reason: 'seen' } });
  await analyst.ok('updateFinding', { params, body: { tags: ['shop'] } });
  const [created, moved, tagged] = await changesOf(await organization.apiKey(['findings:read']), ['finding'], 3);
  expect(created).toMatchObject({ kind: 'created', entity: 'finding', id, version: 1, operation: 'service' });
  expect(created?.fields).toMatchObject({ status: { to: 'open' }, severity: { to: 'high' } });
  expect(moved).toEqual({
    number: expect.any(Number),
    at: expect.any(String),
    actor: { kind: 'system', id: expect.any(String), name: 'analyst' },
    operation: 'updateFinding',
    requestId: expect.any(String),
    taskId: null,
    transactionId: expect.any(String),
    kind: 'updated',
    entity: 'finding',
    id,
    version: 2,
    fields: { status: { from: 'open', to: 'in_progress' }, statusReason: { to: 'seen' } },
    masked: ['acknowledgedAt', 'decidedAt'],
  });
  expect(tagged).toMatchObject({ version: 3, fields: { tags: { from: [], to: ['shop'] } } });
});

test('nobody learns of records through the feed that it may not read', async () => {
  const [organization, other] = await Promise.all([system.newOrganization(), system.newOrganization()]);
  const viewer = await organization.withRole('viewer');
  await organization.admin.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  const exploitationNeedsSecondPerson = false;
  await organization.admin.ok('updateOrganizationSettings', { body: { exploitationNeedsSecondPerson } });
  const keys = await changesOf(organization.admin, ['api-key'], 2);
  expect(keys.map(({ fields }) => fields.name?.to)).toContain('CI');
  const seen = await changesOf(viewer, ['api-key', 'organization-settings'], 1);
  expect(seen).toMatchObject([{ entity: 'organization-settings', version: 1, id: organization.organizationId }]);
  expect(seen[0]?.fields).toEqual({ exploitationNeedsSecondPerson: { from: true, to: false } });
  expect((await changesOf(other.admin, ['api-key', 'organization-settings'], 1)).map(({ entity }) => entity)).toEqual([
    'api-key',
  ]);
});

test('a number from another organization is refused instead of skipping changes', async () => {
  const { admin } = await system.newOrganization();
  expect(await admin.call('listChanges', { query: { since: 1_000_000 } })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', details: [{ path: 'since' }] },
  });
});

test('every entity whose changes are reported is readable by somebody', () => {
  const told = [...entitiesByName.values()].filter((entity) => entity.feedFields).map(({ name }) => name);
  expect(Object.keys(READABLE_BY).sort()).toEqual(
    [
      ...told,
      'billing-account',
      'feed',
      'organization',
      'organization-deletion',
      'organization-limits',
      'organization-settings',
      'report-brand',
      'sla-policies',
    ].sort(),
  );
});

test('a mirror begins at the latest change, and reads the changed records with the changes', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const client = await organization.apiKey(['findings:read']);
  const make = (fingerprint: string) => table.create(findings, findingDraft(new Date().toISOString(), { fingerprint }));
  const [kept, removed] = [await make('kept'), await make('removed')];
  await changesOf(client, ['finding'], 2);
  const begun = await client.ok('listChanges', { query: { since: 'latest' } });
  expect(begun).toMatchObject({ data: [], more: false });
  await organization.admin.ok('updateFinding', { params: { id: kept.id }, body: { tags: ['shop'] } });
  await table.delete(findings, removed);
  await organization.admin.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  const query = { since: begun.next, include: 'record' } as const;
  const { data } = await until(
    () => organization.admin.ok('listChanges', { query }),
    (answer) => answer.data.length >= 3,
  );
  const { data: listed } = await client.ok('listFindings', { query: { ids: kept.id } });
  expect(data.map(({ entity, kind, record }) => ({ entity, kind, record }))).toEqual([
    { entity: 'finding', kind: 'updated', record: listed[0] },
    { entity: 'finding', kind: 'deleted', record: null },
    { entity: 'api-key', kind: 'created', record: undefined },
  ]);
  expect(listed).toMatchObject([{ id: kept.id, tags: ['shop'] }]);
  expect(await client.call('listChanges', { query: { since: 'newest' } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'since' }] },
  });
});

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { formatKey, newSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import { sheets } from '#shared/platform/feed/log.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import type { AnswerOf, Client, RequestOf } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

type Entry = AnswerOf<'listAudit'>['data'][number];

/** All entries that fit, page by page, once there are so many: an entry rests for some seconds. */
function entriesOf(admin: Client, query: RequestOf<'listAudit'>['query'], count: number): Promise<Entry[]> {
  const readAll = async () => {
    const all: Entry[] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const answer = await admin.ok('listAudit', { query: { ...query, limit: 2, ...(before && { before }) } });
      all.push(...answer.data);
      before = answer.next;
    }
    return all;
  };
  return until(readAll, (all) => all.length >= count);
}

test('an administrator finds out who did what to a record, and when', async () => {
  const { admin } = await system.newOrganization();
  const { id } = await admin.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  await admin.ok('createApiKey', { body: { name: 'other', scopes: ['findings:read'] } });
  await admin.ok('revokeApiKey', { params: { id } });
  const entries = await entriesOf(admin, { entity: 'api-key', id }, 2);
  expect(entries).toMatchObject([
    { kind: 'updated', operation: 'revokeApiKey', record: { entity: 'api-key', id, version: 2 } },
    { kind: 'created', operation: 'createApiKey', record: { entity: 'api-key', id, version: 1 }, ip: '127.0.0.1' },
  ]);
  const [revoked, created] = entries;
  expect(revoked?.fields).toMatchObject({ status: { from: 'active', to: 'revoked' } });
  expect(JSON.stringify(entries)).not.toMatch(/secret|hash/);
  const mine = { actorId: created?.actor.id ?? '' };
  const kinds = (await entriesOf(admin, mine, 4)).map(({ kind }) => kind);
  expect(kinds).toEqual(['updated', 'created', 'created', 'signed_in']);
  expect(await entriesOf(admin, { ...mine, to: created?.at }, 2)).toMatchObject([{ number: created?.number }, {}]);
  expect(await entriesOf(admin, { ...mine, from: revoked?.at }, 1)).toMatchObject([{ number: revoked?.number }]);
});

test('a time range may reach to the end of the calendar, and one that ends before it begins is empty', async () => {
  const { admin } = await system.newOrganization();
  const { id } = await admin.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  const toTheEnd = { entity: 'api-key' as const, id, to: '9999-12-31T23:59:59.999Z' };
  expect(await entriesOf(admin, toTheEnd, 1)).toMatchObject([{ kind: 'created' }]);
  const none = await admin.ok('listAudit', {
    query: { from: '9999-01-01T00:00:00.000Z', to: '2020-01-01T00:00:00.000Z' },
  });
  expect(none).toMatchObject({ data: [], next: null });
});

test('attempts to get in and requests without the right are not lost, and a flood of them leaves one entry a minute', async () => {
  const { admin, scanner, withRole } = await system.newOrganization();
  const [{ clientId }, { clientSecret }] = await Promise.all([scanner(), scanner()]);
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const viewer = await withRole('viewer');
  for (let n = 0; n < 3; n++) {
    expect((await system.client().send('POST', '/api/v1/oauth/token', { body })).status).toBe(401);
    expect((await viewer.call('listApiKeys')).status).toBe(401);
  }
  const refused = async () => (await entriesOf(admin, {}, 1)).filter(({ kind }) => kind === 'refused');
  const found = await until(refused, (all) => all.length >= 2);
  expect(found.map(({ operation, reason }) => ({ operation, reason }))).toEqual([
    { operation: 'listApiKeys', reason: 'This operation needs the role admin.' },
    { operation: 'issueToken', reason: 'The secret was wrong.' },
  ]);
});

test('an administrator learns that somebody tries a wrong secret, whatever it is sent to', async () => {
  const { admin, organizationId, linkToken } = await system.newOrganization();
  const { id } = await admin.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  const wrongKey = formatKey('exk', { organizationId, id }, newSecret());
  const unknownKey = formatKey('exk', { organizationId, id: newId() }, newSecret());
  const link = parseKey('exl', await linkToken('scanner'));
  const wrongLink = link && formatKey('exl', link, newSecret());
  const account = await admin.ok('createServiceAccount', { body: { name: 'leaver', role: 'viewer' } });
  const { clientId: client_id, clientSecret: client_secret } = account;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const { body: token } = await system.client().send('POST', '/api/v1/oauth/token', { body: grant });
  await admin.ok('revokeServiceAccount', { params: { id: account.id } });
  const leaver = system.client(() => (token as { access_token: string }).access_token);
  expect((await leaver.send('GET', '/api/v1/findings', {})).status).toBe(401);
  for (const key of [wrongKey, unknownKey, wrongKey])
    for (const path of ['/api/v1/findings', '/api/v1/audit'])
      expect((await system.client(() => key).send('GET', path, {})).status).toBe(401);
  const body = { linkToken: wrongLink, name: 'x', instanceId: crypto.randomUUID() };
  expect((await system.client().send('POST', '/api/v1/scanner_communication/link', { body })).status).toBe(401);
  const refused = async () => (await entriesOf(admin, {}, 1)).filter(({ kind }) => kind === 'refused');
  const found = await until(refused, (all) => all.length >= 3);
  expect(found.map(({ actor, operation, reason }) => ({ id: actor.id, operation, reason }))).toEqual([
    { id: link?.id, operation: 'linkScanner', reason: 'The secret was wrong.' },
    { id, operation: 'listFindings', reason: 'The secret was wrong.' },
    { id: account.id, operation: 'listFindings', reason: expect.stringMatching(/revoked/) },
  ]);
});

test('an entry that somebody altered in the table is found', async () => {
  const { admin, table } = await system.newOrganization();
  await entriesOf(admin, {}, 3);
  const verify = async () => (await finished(admin, (await admin.ok('verifyAudit')).taskId)).result;
  const sound = await verify();
  expect(sound).toMatchObject({ broken: null, hash: expect.stringMatching(/^[\w-]{43}$/) });
  const { client, tableName } = system.connections.dynamo;
  const [sheet] = await table.rows(sheets).query('all', { limit: 1, consistent: true });
  const { pk, sk } = rowKey(table.tenant, sheets, { first: sheet?.first ?? 0 });
  const change = { UpdateExpression: 'SET #at = :at', ExpressionAttributeNames: { '#at': 'at' } };
  const ExpressionAttributeValues = { ':at': '2020-01-01T00:00:00.000Z' };
  await client.send(new UpdateCommand({ TableName: tableName, Key: { pk, sk }, ...change, ExpressionAttributeValues }));
  expect(await verify()).toMatchObject({ broken: sheet?.first });
});

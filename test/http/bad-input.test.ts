import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { failures, nmap, sarif } from '../support/bad-reports.ts';
import type { RawAnswer } from '../support/client.ts';
import { scan } from '../support/engagements.ts';
import { digest } from '../support/every-route.ts';
import { spentCredentials } from '../support/spent-credentials.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/**
 * Wrong input over HTTP is answered with 400 or 401 and a code, or ends as a failed task with a reason. The rest of the
 * table stays unchanged. This file has its own system, so that no other test changes the table.
 */
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
const anyone = system.client();
afterAll(() => local.stop());

const importing = { format: 'sarif', content: sarif, repository: 'https://git.example.com/shop/api' };

let ours: TestOrganization;
let theirs: TestOrganization;
let findingId = '';
let spent: Awaited<ReturnType<typeof spentCredentials>>;

beforeAll(async () => {
  [ours, theirs] = await Promise.all([system.newOrganization(), system.newOrganization()]);
  await ours.admin.ok('importFindings', { query: { waitSeconds: 20 }, body: importing });
  findingId = (await ours.admin.ok('listFindings')).data[0]?.id ?? '';
  await theirs.admin.ok('listFindings');
  spent = await spentCredentials(system, ours, theirs);
});

const link = (linkToken: string, body: object = {}): Promise<RawAnswer> =>
  anyone.send('POST', '/api/v1/scanner_communication/link', { body: { linkToken, name: 'north', ...body } });
const importPath = '/api/v1/findings/import';
const send = (body: unknown, query = {}) => ours.admin.send('POST', importPath, { body, query });
const engage = (more: object) =>
  ours.admin.send('POST', '/api/v1/validation-operations/engagements', { body: { ...scan, ...more } });
/** Texts that no compression makes shorter, so that together they outgrow a record. */
const longTargets = Array.from({ length: 1000 }, (_, n) => ({
  type: 'url',
  value: `https://shop.example/${createHash('shake256', { outputLength: 750 }).update(`${n}`).digest('base64url')}`,
}));
const withCredential = (credential: string) => system.client(() => credential).send('GET', '/api/v1/findings');
const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024)).toString('base64');

/** The table without the rows that every report leaves: its task, its place among tasks, its line in the history of imports, its scope's mark. */
const current = () =>
  digest(local.connections.dynamo, ({ revision, ...row }) => {
    const key = String(row.pk);
    const isLeft =
      /#(task|task-list|places|import|attempt)#/.test(key) || (key.endsWith('#facets') && row.sk === 'import');
    if (isLeft || (key.includes('#scope#') && row.stateKey === undefined)) return undefined;
    return key.includes('#scope#') ? row : { ...row, revision };
  });

type Refused = { name: string; request: () => Promise<RawAnswer>; status?: 400 | 401; code: string; says: RegExp };

const refusals: Refused[] = [
  {
    name: 'a body that breaks off in a secret, which is not repeated',
    request: () => send('{"secret": plugh'),
    code: 'malformed_json',
    says: /^(?!.*plu)The body is not JSON/,
  },
  { name: 'malformed JSON', request: () => send('{"format":'), code: 'malformed_json', says: /not JSON/ },
  {
    name: 'a wrong type',
    request: () => send({ ...importing, closeMissing: 'yes' }),
    code: 'validation_failed',
    says: /^closeMissing: must be true or false, not a text$/,
  },
  {
    name: 'an unknown field',
    request: () => send({ ...importing, closemissing: false }),
    code: 'validation_failed',
    says: /^closemissing: unknown field/,
  },
  {
    name: 'an unknown field within another',
    request: () => send({ ...importing, target: { type: 'host', value: 'db-1', port: 5432 } }),
    code: 'validation_failed',
    says: /^target\.port: unknown field/,
  },
  {
    name: 'an unknown field within another that has defaults',
    request: () => engage({ schedule: { startsAt: '2030-01-01T00:00:00Z' } }),
    code: 'validation_failed',
    says: /^schedule\.startsAt: unknown field/,
  },
  {
    name: 'parameters that each task would carry',
    request: () => engage({ parameters: { network: { wordlist: 'x'.repeat(20_000) } } }),
    code: 'validation_failed',
    says: /^parameters: .*16 KB/,
  },
  {
    name: 'an object deeper than the table keeps',
    request: () => engage({ parameters: { network: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) } }),
    code: 'validation_failed',
    says: /nested more than 30 levels/,
  },
  {
    name: 'a body over the limit',
    request: () => send({ ...importing, content: 'x'.repeat(4 * 1024 * 1024) }),
    code: 'payload_too_large',
    says: /4 MB.*upload/,
  },
  {
    name: 'a body over the limit of a route that takes no report',
    request: () => engage({ notes: 'x'.repeat(1024 * 1024) }),
    code: 'payload_too_large',
    says: /1 MB: send only the fields/,
  },
  {
    name: 'an unknown format',
    request: () => send({ ...importing, format: 'word' }),
    code: 'unsupported_format',
    says: /word .*nmap, .*sarif/,
  },
  {
    name: 'a report that shows no format',
    request: () => send({ ...importing, format: 'auto', content: 'hello' }),
    code: 'unsupported_format',
    says: /none of the known formats/,
  },
  {
    name: 'a gzip bomb',
    request: () => send({ ...importing, content: bomb, encoding: 'gzip+base64' }),
    code: 'payload_too_large',
    says: /expand/,
  },
  {
    name: 'an empty file',
    request: () => send({ ...importing, content: '' }),
    code: 'validation_failed',
    says: /empty/,
  },
  {
    name: 'a file of white space',
    request: () => send({ ...importing, content: ' \n ' }),
    code: 'validation_failed',
    says: /empty/,
  },
  {
    name: 'an upload that nobody made',
    request: () => send({ format: 'sarif', uploadId: newId() }),
    code: 'not_found',
    says: /no upload/,
  },
  {
    name: 'an expired link token',
    request: () => link(spent.expiredLink),
    status: 401,
    code: 'invalid_link_token',
    says: /expired/,
  },
  {
    name: 'a used-up link token',
    request: () => link(spent.usedLink, { instanceId: crypto.randomUUID() }),
    status: 401,
    code: 'invalid_link_token',
    says: /used up/,
  },
  {
    name: 'a revoked key',
    request: () => withCredential(spent.revokedKey),
    status: 401,
    code: 'unauthorized',
    says: /revoked/,
  },
  {
    name: 'an access token of a revoked key',
    request: () => withCredential(spent.revokedKeyToken),
    status: 401,
    code: 'unauthorized',
    says: /revoked/,
  },
  {
    name: 'an expired key',
    request: () => withCredential(spent.expiredKey),
    status: 401,
    code: 'unauthorized',
    says: /expired/,
  },
  {
    name: 'a token that was rewritten for another organization',
    request: () => withCredential(spent.rewrittenToken),
    status: 401,
    code: 'unauthorized',
    says: /token/,
  },
  {
    name: "another organization's token, for reading",
    request: () => theirs.admin.send('GET', `/api/v1/findings/${findingId}`),
    code: 'not_found',
    says: /no finding/,
  },
  {
    name: "another organization's token, for writing",
    request: () => theirs.admin.send('PATCH', `/api/v1/findings/${findingId}`, { body: { status: 'false_positive' } }),
    code: 'not_found',
    says: /no finding/,
  },
];

describe('is refused at once with a remedy and changes nothing:', () => {
  test.each(refusals)('$name', async ({ request, status = 400, code, says }) => {
    const before = await digest(local.connections.dynamo);
    const answer = await request();
    expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(says) } });
    expect(await digest(local.connections.dynamo)).toBe(before);
  });
});

describe('ends its task as failed with a reason and changes nothing else:', () => {
  test.each(failures)('$name', async ({ report, code, says }) => {
    const before = await current();
    const { status, body } = await send({ ...importing, ...report }, { waitSeconds: 20 });
    const error = { code, message: expect.stringMatching(says) };
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'failed', task: { status: 'failed', error } },
    });
    expect(body).not.toHaveProperty('task.result');
    expect(await current()).toBe(before);
  });
});

test('a plain document type like that of Nmap is accepted', async () => {
  expect(nmap).toMatch(/<!DOCTYPE nmaprun>/);
  const { body } = await send({ format: 'nmap', content: nmap, target: '127.0.0.1' }, { waitSeconds: 20 });
  expect(body).toMatchObject({ status: 'succeeded' });
});

test('a text longer than a record can hold is refused with the limit, and nothing is stored', async () => {
  expect(await engage({ targets: longTargets, taskTypes: ['web'] })).toMatchObject({
    status: 400,
    body: { code: 'payload_too_large', message: expect.stringMatching(/400 KB.*split/) },
  });
  expect((await ours.admin.ok('listEngagements')).totalCount).toBe(0);
});

test('a longer address than the gateway of the cloud takes is refused here too, and a shorter one is served', async () => {
  const { admin } = await system.newOrganization();
  const answerTo = (length: number) => admin.call('listFindings', { query: { ruleId: 'x'.repeat(length) } });
  expect(await answerTo(10_300)).toMatchObject({ status: 431, body: { message: 'Request Header Fields Too Large' } });
  expect(await answerTo(5_000)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

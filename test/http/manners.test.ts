import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  allowed,
  callersOf,
  exampleBody,
  exampleQuery,
  type NamedRoute,
  paramNames,
  routes,
  type TestCaller,
} from '../support/every-route.ts';
import { fixture } from '../support/recorded.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { eventually } from '../support/wait.ts';

/** Behaviour that operations share: repeated POSTs, pages, versions. */
const system = startSystem();
let organization: TestOrganization;
let callers: TestCaller[] = [];
beforeAll(async () => {
  organization = await system.newOrganization();
  callers = await callersOf(organization);
});

const callerOf = (route: NamedRoute) => {
  const caller = allowed(callers, route);
  if (!caller) throw new Error(`no test caller may call ${route.name}`);
  return caller.client;
};
const isPlain = (route: NamedRoute) => paramNames(route).length === 0 && route.access !== 'public';
const sarif = fixture('sarif/semgrep.sarif').toString();
const importing = { format: 'sarif', content: sarif, repository: 'https://git.example.com/shop/api' };

describe('a POST with an Idempotency-Key can be repeated', () => {
  const posts = routes.filter((route) => route.method === 'POST' && route.body && isPlain(route));

  test.each(posts)('$path', async (route) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = (body: unknown) => callerOf(route).send('POST', route.path, { headers, body });
    const [first, again] = [await send(exampleBody(route)), await send(exampleBody(route))];
    const { requestId: _first, ...said } = Object(first.body);
    const { requestId: _again, ...repeated } = Object(again.body);
    if (first.status === 200 && route.answersSecret)
      expect(again).toMatchObject({ status: 400, body: { code: 'conflict' } });
    else expect([again.status, repeated]).toEqual([first.status, said]);
    if (first.status !== 200) return;
    const other = await send({ ...Object(exampleBody(route)), another: 1 });
    expect(other.body).toMatchObject({ code: route.lenient ? 'idempotency_mismatch' : 'validation_failed' });
  });

  const key = () => ({ 'idempotency-key': crypto.randomUUID() });

  test('an import runs once, and another import with the same key is refused', async () => {
    const headers = key();
    const first = await organization.admin.ok('importFindings', { headers, body: importing });
    const again = await organization.admin.ok('importFindings', { headers, body: importing });
    expect(again.taskId).toBe(first.taskId);
    const body = { ...importing, ref: 'next' };
    const other = await organization.admin.call('importFindings', { headers, body });
    expect(other).toMatchObject({ status: 400, body: { code: 'idempotency_mismatch' } });
  });

  test('one of several simultaneous requests runs; the others get its answer or are asked to wait', async () => {
    const headers = key();
    const send = () => organization.admin.call('importFindings', { headers, body: importing });
    const answers = await Promise.all(Array.from({ length: 5 }, send));
    const done = answers.flatMap(({ body }) => ('taskId' in body ? body.taskId : []));
    const waiting = answers.flatMap(({ body }) => ('code' in body ? body.code : []));
    expect(new Set(done).size).toBe(1);
    expect(waiting.filter((code) => code !== 'conflict')).toEqual([]);
  });

  test('a refused request can be corrected and sent with the same key', async () => {
    const headers = key();
    const wrong = await organization.admin.call('importFindings', { headers, body: { ...importing, format: 'word' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'unsupported_format' } });
    const mended = await organization.admin.call('importFindings', { headers, body: importing });
    expect(mended.status).toBe(200);
  });

  test('two callers can use the same key', async () => {
    const headers = key();
    const analyst = await organization.withRole('analyst');
    const mine = await organization.admin.ok('importFindings', { headers, body: importing });
    const theirs = await analyst.ok('importFindings', { headers, body: importing });
    expect(theirs.taskId).not.toBe(mine.taskId);
  });

  test('a key that is too long is refused', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const answer = await organization.admin.call('importFindings', { headers, body: importing });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'Idempotency-Key' }] } });
  });
});

describe('a page', () => {
  const lists = routes.filter((route) => route.query && 'paginateFrom' in route.query.shape && isPlain(route));

  test.each(lists)('of $path past the end is empty and shows the true totals', async (route) => {
    // a page of the overview over clients is smaller, because each client costs queries
    const paginateSize = route.query?.safeParse({ ...exampleQuery(route), paginateSize: 500 }).success ? 500 : 100;
    const get = async (query: object) => {
      const answer = await callerOf(route).send('GET', route.path, { query: { ...exampleQuery(route), ...query } });
      expect(answer.status).toBe(200);
      return Object(answer.body);
    };
    // Records that all organizations share may be added between the two requests.
    await eventually(async () => {
      const { totalCount, data } = await get({ paginateSize });
      expect(data).toHaveLength(Math.min(paginateSize, totalCount));
      expect(await get({ paginateFrom: 1_000_000, paginateSize: 7 })).toMatchObject({
        data: [],
        page: 142_858,
        pageSize: 7,
        totalCount,
        totalPages: Math.ceil(totalCount / 7),
      });
    });
  });
});

describe('a change with the version of the record', () => {
  const reason = 'confirmed by hand';

  test('is made only for that version, and otherwise answered with the present record', async () => {
    const { admin } = await system.newOrganization();
    await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: importing });
    const [{ id = '' } = {}] = (await admin.ok('listFindings')).data;
    const change = (more: { version?: number; headers?: Record<string, string> }, status: 'open' | 'in_progress') => {
      const { headers, ...version } = more;
      return admin.call('updateFinding', { params: { id }, headers, body: { status, reason, ...version } });
    };
    const stale = { status: 400, body: { code: 'conflict', current: { id, version: 1, status: 'open' } } };
    expect(await change({ headers: { 'if-match': '"2"' } }, 'in_progress')).toMatchObject(stale);
    expect(await change({ version: 2 }, 'in_progress')).toMatchObject(stale);
    expect(await change({ headers: { 'if-match': '"1"' } }, 'in_progress')).toMatchObject({ body: { version: 2 } });
    expect(await change({ version: 2 }, 'open')).toMatchObject({ body: { version: 3 } });
    expect(await change({ headers: { 'if-match': '*' } }, 'in_progress')).toMatchObject({ body: { version: 4 } });
    const unclear = await change({ headers: { 'if-match': 'latest' } }, 'open');
    expect(unclear).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'If-Match' }] },
    });
  });
});

test('a media type in upper case or with a charset is accepted', async () => {
  const body = JSON.stringify(importing);
  const json = { 'content-type': 'Application/JSON; Charset=UTF-8' };
  expect(await organization.admin.send('POST', '/api/v1/findings/import', { body, headers: json })).toMatchObject({
    status: 200,
  });
  const form = { 'content-type': 'Application/X-WWW-Form-Urlencoded' };
  const answer = await organization.admin.send('POST', '/api/v1/oauth/token', { body: 'grant_type=x', headers: form });
  expect(answer.body).toMatchObject({ code: 'unsupported_grant_type' });
});

test('a compressed body is refused, and one with the coding identity is accepted', async () => {
  const send = (body: string, coding: string) =>
    organization.admin.send('POST', '/api/v1/findings/import', { body, headers: { 'content-encoding': coding } });
  const json = JSON.stringify(importing);
  expect(await send(gzipSync(json).toString('latin1'), 'gzip')).toMatchObject({
    status: 400,
    body: { code: 'unsupported_media_type', message: expect.stringContaining('gzip') },
  });
  expect(await send(json, 'identity')).toMatchObject({ status: 200 });
});

test('half a character in a text or a field name is refused by name, instead of being stored as another', async () => {
  const body = '{"name": "a\\ud800", "kind": "ssh", "username": "b", "secret": {"password": "c"}}';
  const answer = await organization.admin.send('POST', '/api/v1/credentials', { body });
  const refused = (path: string) => ({
    status: 400,
    body: { code: 'validation_failed', details: [{ path, message: expect.stringContaining('whole characters') }] },
  });
  expect(answer).toMatchObject(refused('name'));
  const odd = '{"name": "b", "tags": [{"\\ud800": 1}]}';
  expect(await organization.admin.send('POST', '/api/v1/credentials', { body: odd })).toMatchObject(
    refused('tags.0.\ufffd'),
  );
  const whole = body.replace('ud800', 'ud83d\\ude00');
  expect(await organization.admin.send('POST', '/api/v1/credentials', { body: whole })).toMatchObject({
    body: { name: 'a\u{1f600}' },
  });
});

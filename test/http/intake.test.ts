import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '#functions/people/intake/limits.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { solve } from '../support/challenges.ts';
import type { Client } from '../support/client.ts';
import { newBlock, sendFrom } from '../support/from-address.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
let manager: Client;
beforeAll(async () => {
  manager = await (await system.newOrganization()).withRole('manager');
});

const post = (from: string, path: string, body: object) =>
  sendFrom(from, new URL(path, system.baseUrl), { method: 'POST', body: JSON.stringify(body) });

async function challengeOf(from: string, purpose: string) {
  const { status, body } = await sendFrom(from, new URL(`/api/v1/challenges?purpose=${purpose}`, system.baseUrl));
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { parameters: unknown; signature: string };
}

const solved = async (from: string, purpose: string) => solve(await challengeOf(from, purpose));

/** A sales request of somebody nobody has met. */
const request = (more: object = {}) => ({
  email: `Ada@${newId()}.example`,
  name: 'Ada Lovelace',
  company: 'Engines <Ltd>',
  message: 'We have 4,000 hosts.',
  consentVersion: '2026-01',
  ...more,
});

describe('windows', () => {
  test('let exactly the allowed number of 200 requests at once from one address block pass, and say when to come again, whatever addresses the senders claim', async () => {
    const block = newBlock();
    const url = new URL('/api/v1/challenges?purpose=sales', system.baseUrl);
    const ask = (n: number) => {
      const claimed = `203.0.${n}.7`;
      const headers = { 'x-forwarded-for': claimed, 'x-viewer-address': claimed, forwarded: `for=${claimed}` };
      return sendFrom(block(1 + n), url, { headers });
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe(LIMITS.challenge.block.most);
    for (const { status, body, headers } of refused) {
      expect({ status, body }).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(LIMITS.challenge.block.seconds);
      expect(Object(body).message).toContain(`in ${seconds} seconds`);
    }
  });

  test('of requests for one address count the address and not the sender', async () => {
    const { email } = request();
    const send = async () => {
      const from = newBlock()(1);
      return post(from, '/api/v1/sales-requests', request({ email, challenge: await solved(from, 'sales') }));
    };
    for (let n = 0; n < LIMITS.sales.email.most; n += 1) expect((await send()).status).toBe(200);
    expect(await send()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });
});

describe('a sales request', () => {
  const from = newBlock()(1);
  const sent = request();

  test('reaches the managers of the provider, who work on it and delete it', async () => {
    const challenge = await solved(from, 'sales');
    const answer = await post(from, '/api/v1/sales-requests', { ...sent, challenge });
    expect(answer).toMatchObject({ status: 200, body: { accepted: true } });

    const search = sent.email.slice(sent.email.indexOf('@') + 1);
    const [found] = (await manager.ok('listSalesRequests', { query: { search, status: ['new'] } })).data;
    expect(found).toMatchObject({ ...sent, email: sent.email.toLowerCase(), status: 'new', handledBy: null });
    const params = { id: found?.id ?? '' };
    expect(Date.parse(found?.deletionAt ?? '') - Date.parse(found?.createdAt ?? '')).toBeCloseTo(365 * 86_400_000, -4);

    const changed = await manager.ok('updateSalesRequest', { params, body: { status: 'contacted' } });
    expect(changed).toMatchObject({ status: 'contacted', handledBy: { name: 'manager' }, message: sent.message });
    const refused = await manager.call('updateSalesRequest', { params, body: { message: 'other' } as never });
    expect(refused).toMatchObject({ status: 400, body: { code: 'read_only' } });

    await manager.ok('deleteSalesRequest', { params });
    expect(await manager.call('getSalesRequest', { params })).toMatchObject({ body: { code: 'not_found' } });
    expect((await manager.ok('listSalesRequests', { query: { search } })).data).toEqual([]);
  });

  test('without the solution of a challenge of its own purpose is refused, and keeps nothing', async () => {
    const body = request();
    const attempts = ['nonsense', await solved(from, 'signup')];
    for (const challenge of attempts)
      expect(await post(from, '/api/v1/sales-requests', { ...body, challenge })).toMatchObject({
        status: 401,
        body: { code: 'invalid_challenge' },
      });
    const search = body.email.slice(body.email.indexOf('@') + 1);
    expect((await manager.ok('listSalesRequests', { query: { search } })).data).toEqual([]);
  });

  test('from an address that is thrown away is refused with the field, before the challenge is used', async () => {
    const own = newBlock()(1);
    const challenge = await solved(own, 'sales');
    for (const email of ['ada@mailinator.com', 'ada@mail.MAILINATOR.com'])
      expect(await post(own, '/api/v1/sales-requests', request({ email, challenge }))).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: 'email' }] },
      });
    expect((await post(own, '/api/v1/sales-requests', request({ challenge }))).status).toBe(200);
  });
});

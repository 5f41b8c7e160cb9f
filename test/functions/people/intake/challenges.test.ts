import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Challenge, Purpose } from '#functions/people/intake/challenge.ts';
import { levelOf } from '#functions/people/intake/limits.ts';
import { offerChallenge, useChallenge } from '#functions/people/intake/use-challenge.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { solve, startTurnstile } from '#test/support/challenges.ts';
import { useStore } from '#test/support/store.ts';

const store = useStore();
const secrets = { get: async (name: string) => `the value of ${name}`, put: async () => undefined };
const turnstile = await startTurnstile();
afterAll(() => turnstile.stop());

const connectionsOf = (settings: object): Connections =>
  ({
    settings: { CHALLENGE_SECRET: 'secret', ...settings },
    secrets,
    dynamo: store.dynamo,
    network: turnstile.network,
  }) as never;

const use = (settings: object, solution: string, purpose: Purpose = 'signup') =>
  useChallenge(connectionsOf(settings), { purpose, solution, requestId: newId() });

const refused = { code: 'invalid_challenge', message: expect.stringContaining('GET /api/v1/challenges?purpose=') };

describe('a challenge of ALTCHA', () => {
  const altcha = {};
  const offer = (level = 0) => offerChallenge(connectionsOf(altcha), { purpose: 'signup', level });
  const opened = (solution: string) => JSON.parse(Buffer.from(solution, 'base64').toString('utf8'));
  const changed = (solution: string, change: (payload: ReturnType<typeof opened>) => void) => {
    const payload = opened(solution);
    change(payload);
    return Buffer.from(JSON.stringify(payload)).toString('base64');
  };

  test('lets one request of its purpose pass, and a replay of the solution none', async () => {
    const solution = await solve(await offer());
    await expect(use(altcha, solution)).resolves.toBeUndefined();
    await expect(use(altcha, solution)).rejects.toMatchObject(refused);
    const again = changed(solution, (payload) => Object.assign(payload, { more: 1 }));
    await expect(use(altcha, again)).rejects.toMatchObject(refused);
  });

  test('lets exactly one of many requests at once pass', async () => {
    const solution = await solve(await offer());
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => use(altcha, solution)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('opens nothing for another purpose, and is not used up by the attempt', async () => {
    const solution = await solve(await offer());
    await expect(use(altcha, solution, 'sales')).rejects.toMatchObject(refused);
    await expect(use(altcha, solution)).resolves.toBeUndefined();
  });

  test('opens nothing after its end', async () => {
    setClock(() => Date.now() - 901_000);
    onTestFinished(() => setClock());
    const challenge = await offer();
    setClock();
    await expect(use(altcha, await solve(challenge))).rejects.toMatchObject(refused);
  });

  test('opens nothing when it is of another deployment, or was made easier or prolonged', async () => {
    const [solution, theirs] = [await solve(await offer()), await offerOfOthers()];
    const forged = [
      await solve(theirs),
      changed(solution, ({ challenge }) => Object.assign(challenge.parameters, { keyPrefix: '00' })),
      changed(solution, ({ challenge }) => Object.assign(challenge.parameters, { expiresAt: 9_999_999_999 })),
      changed(solution, ({ challenge }) => Object.assign(challenge.parameters, { nonce: '00'.repeat(16) })),
      changed(solution, ({ challenge }) => Object.assign(challenge, { signature: '00'.repeat(32) })),
      changed(solution, ({ challenge }) => delete challenge.signature),
    ];
    for (const one of forged) await expect(use(altcha, one)).rejects.toMatchObject(refused);
  });

  const offerOfOthers = (): Promise<Challenge> =>
    offerChallenge(connectionsOf({ ...altcha, CHALLENGE_SECRET: 'others' }), { purpose: 'signup', level: 0 });

  test('opens nothing without its solution, or with nonsense', async () => {
    const solution = await solve(await offer());
    const unsolved = [
      changed(solution, (payload) => Object.assign(payload.solution, { derivedKey: '00'.repeat(32) })),
      changed(solution, (payload) => delete payload.solution),
      ...['x', '{}', 'null', '[]', Buffer.from('null').toString('base64'), Buffer.from('[]').toString('base64')],
    ];
    for (const one of unsolved) await expect(use(altcha, one)).rejects.toMatchObject(refused);
  });

  test('takes more work at a higher level', async () => {
    const trials = async (level: number) => opened(await solve(await offer(level))).solution.counter;
    expect(await trials(0)).toBeLessThanOrEqual(2000);
    expect(await trials(2)).toBeGreaterThanOrEqual(4000);
  });
});

test.each([
  [{ block: 1, all: 1 }, 0],
  [{ block: 9, all: 19 }, 0],
  [{ block: 10, all: 1 }, 1],
  [{ block: 1, all: 20 }, 1],
  [{ block: 60, all: 40 }, 3],
  [{ block: 1, all: 600 }, 5],
])('after %j requests for challenges the level is %i', (counted, level) => {
  expect(levelOf(counted)).toBe(level);
});

describe('a challenge of Turnstile', () => {
  const cloudflare = { TURNSTILE_SITE_KEY: 'site' };
  const passed = { success: true, action: 'signup', 'error-codes': [] };

  test('is the widget of the deployment', async () => {
    expect(await offerChallenge(connectionsOf(cloudflare), { purpose: 'sales', level: 0 })).toEqual({
      provider: 'turnstile',
      purpose: 'sales',
      expiresAt: null,
      siteKey: 'site',
      parameters: null,
      signature: null,
    });
  });

  test('lets one request pass that Cloudflare judges well, and a replay none, whatever Cloudflare says', async () => {
    turnstile.answer(passed);
    const token = newId();
    await expect(use(cloudflare, token)).resolves.toBeUndefined();
    expect(turnstile.asked).toEqual([
      {
        path: '/turnstile/v0/siteverify',
        host: 'challenges.cloudflare.com',
        body: { secret: 'the value of secret', response: token },
      },
    ]);
    await expect(use(cloudflare, token)).rejects.toMatchObject(refused);
  });

  test.each([
    ['a wrong token', { success: false, 'error-codes': ['invalid-input-response'] }],
    ['a token that was used', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
    ['a token of another purpose', { ...passed, action: 'sales' }],
    ['a token without a purpose', { success: true }],
  ])('opens nothing with %s', async (_, verdict) => {
    turnstile.answer(verdict);
    await expect(use(cloudflare, newId())).rejects.toMatchObject(refused);
  });

  test.each([
    ['fails', {}, 500],
    ['limits requests', {}, 429],
    ['answers nonsense', 'no JSON', 200],
    ['answers something else', { ok: 1 }, 200],
    ['refuses the secret of this deployment', { success: false, 'error-codes': ['invalid-input-secret'] }, 200],
    ['is wrong itself', { success: true, action: 'signup', 'error-codes': ['internal-error'] }, 200],
  ])('lets nobody pass while Cloudflare %s', async (_, body, status) => {
    turnstile.answer(body, status);
    await expect(use(cloudflare, newId())).rejects.not.toMatchObject({ code: 'invalid_challenge' });
  });
});

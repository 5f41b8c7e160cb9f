import { afterAll, expect, test } from 'vitest';
import { LIMITS } from '#functions/people/intake/limits.ts';
import { signUp } from '#functions/people/intake/sign-up.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startTurnstile } from '#test/support/challenges.ts';
import { fakeConnections } from '#test/support/scanning-world.ts';
import { useStore } from '#test/support/store.ts';

const store = useStore();
const turnstile = await startTurnstile();
afterAll(() => turnstile.stop());
turnstile.answer({ success: true, action: 'signup' });

/** A sign-up through Turnstile, which costs no work here. */
function send({ ip, email = `ada@${newId()}.example` }: { ip: string; email?: string }) {
  const { connections, sent } = fakeConnections(store.dynamo);
  const settings = { CHALLENGE_SECRET: 'secret', TURNSTILE_SITE_KEY: 'site' };
  const secrets = { get: async () => 'key', put: async () => undefined };
  const facts = { email, name: 'Ada', organizationName: 'Engines', consentVersion: '1', challenge: newId() };
  const answer = signUp({
    connections: { ...connections, settings, secrets, network: turnstile.network } as never,
    cause: { operation: 'signUp', requestId: newId(), ip },
    request: { id: newId(), ip } as never,
    body: facts,
  } as never);
  return answer.then(() => sent.length);
}

const passed = async (all: readonly Promise<number>[]) => {
  const outcomes = await Promise.allSettled(all);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'rate_limited' });
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
};

test('of 200 sign-ups at once from one address exactly the allowed number pass, and only these send a letter', async () => {
  const ip = '198.51.100.7';
  expect(await passed(Array.from({ length: 200 }, () => send({ ip })))).toBe(LIMITS.signup.block.most);
});

test('of sign-ups at once with one address from everywhere exactly the allowed number pass, whatever follows a plus sign', async () => {
  const domain = `${newId()}.example`;
  const all = Array.from({ length: 40 }, (_, n) =>
    send({ ip: `203.0.${n}.1`, email: n % 2 === 0 ? `ada@${domain}` : `ada+${n}@${domain}` }),
  );
  expect(await passed(all)).toBe(LIMITS.signup.email.most);
});

test('of sign-ups at once with addresses of one domain exactly the allowed number pass', async () => {
  const domain = `${newId()}.example`;
  const all = Array.from({ length: 80 }, (_, n) => send({ ip: `192.0.${n}.1`, email: `ada${n}@${domain}` }));
  expect(await passed(all)).toBe(LIMITS.signup.domain.most);
});

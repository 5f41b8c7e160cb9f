import { afterAll, afterEach, expect, test } from 'vitest';
import { askHost } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { type Reply, startServer } from '../../../support/code-hosts/server.ts';
import { reachOfTests } from '../../../support/network.ts';

const host = await startServer(() => ({ body: {} }));
afterAll(() => host.stop());
afterEach(() => setClock());

const NOW = Date.parse('2026-11-01T08:00:00Z');
const reset = (seconds: number, remaining = 0) => ({
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(NOW / 1000 + seconds),
});
const secondary = {
  message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
};

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api, https://docs.gitlab.com/security/rate_limits/ */
const limits: [string, Reply, seconds: number][] = [
  ['that says so in Retry-After', { status: 403, headers: { 'retry-after': '90' }, body: secondary }, 90],
  [
    'whose requests are used up',
    { status: 403, headers: reset(600), body: { message: 'API rate limit exceeded' } },
    600,
  ],
  [
    'of GitLab',
    { status: 429, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW / 1000 + 30) } },
    30,
  ],
  ['that is a secondary one, told by its text alone', { status: 403, headers: reset(3000, 4000), body: secondary }, 60],
  ['that says nothing', { status: 429 }, 60],
  ['whose time is over', { status: 403, headers: reset(-5) }, 1],
  ['that would last a day', { status: 429, headers: { 'retry-after': '86400' } }, 7200],
];

async function refusalOf(reply: Reply): Promise<HostError> {
  setClock(() => NOW);
  host.fail(reply);
  const error = await askHost({ ...reachOfTests(), api: `${host.url}/`, headers: {} }, { path: 'x' }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HostError)) throw error;
  return error;
}

test.each(limits)(
  'a limit %s is waited for as long as the host says, and is no failure of the access',
  async (_, reply, seconds) => {
    const { code, retryAt } = await refusalOf(reply);
    expect([code, retryAt]).toEqual(['rate_limited', new Date(NOW + seconds * 1000).toISOString()]);
  },
);

test('a refusal of something that the token may not do is not waited for', async () => {
  const { code, retryAt } = await refusalOf({
    status: 403,
    headers: reset(600, 4000),
    body: { message: 'Resource not accessible by integration' },
  });
  expect([code, retryAt]).toEqual(['not_allowed', undefined]);
});

test.each<[string, unknown]>([
  ['nests over 100 levels', JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`)],
  ['has over 500,000 values', Array.from({ length: 500_001 }, () => 0)],
])('an answer that %s is not parsed', async (_, body) => {
  const { code, message } = await refusalOf({ status: 200, body: body as object });
  expect([code, message]).toEqual(['unexpected_answer', expect.stringContaining('levels')]);
});

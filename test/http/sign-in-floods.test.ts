import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { LIMITS } from '#functions/people/sign-in/limits.ts';
import { rowTexts } from '../support/everything-stored.ts';
import { newBlock, sendFrom } from '../support/from-address.ts';
import { newAddress, proofKey } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

/** The number of rows of the table that have all of these texts, of which one is of this file alone. */
const rowsWith = async (...texts: string[]): Promise<number> =>
  (await rowTexts(system.connections)).filter((row) => texts.every((text) => row.includes(text))).length;

const post = (from: string, path: string, body?: object) =>
  sendFrom(from, new URL(`/api/v1/sign-in/${path}`, system.baseUrl), {
    method: 'POST',
    ...(body && { body: JSON.stringify(body) }),
  });

/** The id of a challenge that was used. */
const usedAs = (challenge: string): string =>
  createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest('base64url');

const client = newAddress('cli');
const nobody = newAddress('nobody');
const known = { provider: '0'.repeat(52), codeChallenge: proofKey().codeChallenge };

test.each([
  { kind: 'device', path: 'device', body: { client_id: client }, rows: ['#device-request#', client], passing: 200 },
  {
    kind: 'link',
    path: 'link',
    body: { email: nobody },
    rows: ['#task#', nobody],
    passing: 200,
  },
  { kind: 'provider', path: 'provider/begin', body: known, rows: ['#ticket#', known.codeChallenge], passing: 400 },
] as const)(
  'a flood of $path from one address stops at the limit, and the neighbour of the address signs in',
  async ({ kind, path, body, rows, passing }) => {
    const block = newBlock();
    const before = await rowsWith(...rows);
    const most = LIMITS[kind];
    const answers = await Promise.all(Array.from({ length: most + 40 }, () => post(block(1), path, body)));
    const refused = answers.filter(({ body: answer }) => Object(answer).code === 'limit_exceeded');
    expect(refused).toHaveLength(40);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/in \d+ seconds/) } });
    const added = await rowsWith(...rows);
    expect(added - before).toBeLessThanOrEqual(most);
    const neighbour = await post(block(2), path, body);
    expect(neighbour.status).toBe(passing);
    expect(neighbour.body).not.toMatchObject({ code: 'limit_exceeded' });
  },
);

test('challenges for passkeys are stored nowhere until a passkey signs one, so that nobody is kept from asking', async () => {
  const block = newBlock();
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(block(1), 'passkey/options')));
  for (const { status } of answers) expect(status).toBe(200);
  const challenges = answers.map(({ body }) => String(Object(body).challenge));
  expect(new Set(challenges).size).toBe(100);
  const forms = challenges.flatMap((one) => [one, usedAs(one)]);
  const rows = await rowTexts(system.connections);
  expect(rows.filter((row) => forms.some((form) => row.includes(form)))).toEqual([]);
});

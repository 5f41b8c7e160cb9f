import { describe, expect, onTestFinished, test } from 'vitest';
import { organizations } from '#shared/credentials/organization.ts';
import { personWithAddress } from '#shared/people/person.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { solve } from '../support/challenges.ts';
import { newBlock, sendFrom } from '../support/from-address.ts';
import { letterTo, personIn, tokenIn } from '../support/people.ts';
import { exchange, proofKey } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const { dynamo } = system.connections;
const all = openTable(dynamo, GLOBAL_SCOPE);

const signUpOf = (email: string) => ({
  email,
  name: 'Ada Lovelace',
  organizationName: 'Engines',
  consentVersion: '2026-01',
});
const newEmail = (domain = `${newId()}.example`) => `ada@${domain}`;

/** Signs up from an address block of its own. */
async function signUp(email: string) {
  const from = newBlock()(1);
  const url = (path: string) => new URL(`/api/v1/${path}`, system.baseUrl);
  const { body } = await sendFrom(from, url('challenges?purpose=signup'));
  const challenge = await solve(body as { parameters: unknown; signature: string });
  const sent = { method: 'POST', body: JSON.stringify({ ...signUpOf(email), challenge }) };
  return sendFrom(from, url('signup'), sent);
}

async function verify(token: string, more: object = {}) {
  const { verifier, codeChallenge } = proofKey();
  const sent = { method: 'POST', body: JSON.stringify({ token, codeChallenge, ...more }) };
  const answer = await sendFrom(newBlock()(1), new URL('/api/v1/signup/verify', system.baseUrl), sent);
  return { ...answer, body: Object(answer.body), verifier };
}

const refused = { status: 400, body: { code: 'invalid_grant' } };

describe('a sign-up', () => {
  test('makes an organization with its owner when the link is used, and nothing before', async () => {
    const email = newEmail();
    expect(await signUp(email)).toMatchObject({ status: 200, body: { accepted: true } });
    const letter = await letterTo(system, email);
    expect(letter.subject).toBe('Begin your trial');
    expect(await personWithAddress(dynamo, email)).toBeUndefined();

    const { body, verifier } = await verify(tokenIn(letter), { sampleData: true, timeZone: 'Europe/London' });
    const { accessToken } = await exchange(system.client(), body.code, verifier);
    const owner = system.client(() => accessToken);
    const [user] = (await owner.ok('listUsers')).data;
    expect(user).toMatchObject({ email, name: 'Ada Lovelace', timeZone: 'Europe/London', status: 'active' });
    expect(user?.roles).toEqual([{ roleId: 'owner' }]);
    expect(await all.get(organizations, body.organizationId, true)).toMatchObject({
      name: 'Engines',
      trialEndsAt: body.trialEndsAt,
      consent: { version: '2026-01' },
      slug: expect.stringMatching(/^engines/),
    });
    const { data: log } = await until(
      () => owner.ok('listAudit', { query: { entity: 'organization' } }),
      ({ data }) => data.length > 0,
    );
    expect(log).toMatchObject([{ kind: 'created', operation: 'beginTrial', record: { id: body.organizationId } }]);
    expect(Date.parse(body.trialEndsAt) - Date.now()).toBeCloseTo(14 * 86_400_000, -5);

    const params = { id: body.sampleTaskId };
    const task = await until(
      () => owner.ok('getTask', { params }),
      ({ status }) => status !== 'queued' && status !== 'running',
    );
    expect(task).toMatchObject({ status: 'succeeded', result: { created: 5 } });
  });

  test('makes one organization, however often its link is used', async () => {
    const email = newEmail();
    await signUp(email);
    const token = tokenIn(await letterTo(system, email));
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused);
    expect(await verify(token)).toMatchObject(refused);
    expect((await personWithAddress(dynamo, email))?.memberships).toHaveLength(1);
  });

  test('makes one organization for an address that signed up twice', async () => {
    const email = newEmail();
    await signUp(email);
    await signUp(email);
    const tokens = [tokenIn(await letterTo(system, email, 1)), tokenIn(await letterTo(system, email, 2))];
    expect((await verify(tokens[0] ?? '')).status).toBe(200);
    expect(await verify(tokens[1] ?? '')).toMatchObject(refused);
  });

  test('opens nothing by a link that expired, is of another kind, or was invented', async () => {
    const email = newEmail();
    const data = signUpOf(email);
    const day = 86_400;
    setClock(() => Date.now() - day * 1000 - 1000);
    onTestFinished(() => setClock());
    const expired = await issueTicket(dynamo, { purpose: 'sign_up', seconds: day, data });
    setClock();
    const other = await issueTicket(dynamo, { purpose: 'sign_in', seconds: day, data: { personId: newId() } });
    for (const token of [expired, other, 'x', '0'.repeat(49)]) expect(await verify(token)).toMatchObject(refused);
    expect(await personWithAddress(dynamo, email)).toBeUndefined();
  });
});

describe('the answer to a sign-up', () => {
  const told = ({ status, body, headers }: Awaited<ReturnType<typeof signUp>>) => {
    const { date: _, 'x-request-id': __, ...others } = headers;
    return { status, body, headers: others };
  };

  test('is the same for an address that has an account and one whose company does; only the letters differ', async () => {
    const domain = `${newId()}.example`;
    const owner = newEmail(domain);
    const unknown = await signUp(owner);
    await verify(tokenIn(await letterTo(system, owner)));
    const known = await signUp(owner);
    const colleague = `charles@${domain}`;
    const joining = await signUp(colleague);

    expect(told(known)).toEqual(told(unknown));
    expect(told(joining)).toEqual(told(unknown));
    const letters = [await letterTo(system, owner, 2), await letterTo(system, colleague)];
    expect(letters.map(({ subject }) => subject)).toEqual([
      'You have an account already',
      'Your company uses the service already',
    ]);
    for (const { text } of letters) expect(text).not.toMatch(/token=|Ada|Engines/);
  });

  test('leads who was only invited to an organization of their own', async () => {
    const email = newEmail();
    const organization = await system.newOrganization();
    await organization.admin.ok('inviteUser', { body: { email, name: 'Ada', roles: [{ roleId: 'viewer' }] } });
    await letterTo(system, email);
    await signUp(email);
    expect((await letterTo(system, email, 2)).subject).toBe('Begin your trial');
  });

  test('leads colleagues at a public mail provider to organizations of their own', async () => {
    const emails = [`${newId()}@gmx.net`, `${newId()}@gmx.net`];
    for (const email of emails) {
      await signUp(email);
      const letter = await letterTo(system, email);
      expect(letter.subject).toBe('Begin your trial');
      expect((await verify(tokenIn(letter))).status).toBe(200);
    }
  });

  test('leads a person who has an account by invitation to it', async () => {
    const person = await personIn(system, await system.newOrganization(), { email: newEmail() });
    await signUp(person.email);
    expect((await letterTo(system, person.email, 2)).subject).toBe('You have an account already');
  });
});

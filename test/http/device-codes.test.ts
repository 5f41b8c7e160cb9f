import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { deviceRequests } from '#shared/people/device.ts';
import { hashSecret } from '#shared/platform/auth/token-format.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { Client } from '../support/client.ts';
import { codeFor, letterTo, personIn } from '../support/people.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anybody = system.client();
const refused = (code: string) => ({ status: 400, body: { code } });

const begin = () => anybody.ok('beginDeviceSignIn', { body: { client_id: 'exposure-cli' } });

const poll = (device_code: string, client_id = 'exposure-cli') =>
  anybody.call('issueToken', {
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id,
      refresh_token_in: 'body',
    },
  });

/** The approval of a person without a second step. */
const approve = async (client: Client, userCode: string) =>
  client.ok('approveDeviceCode', { body: { userCode, code: await codeFor(system, client, userCode) } });

const rows = () => openTable(system.connections.dynamo, GLOBAL_SCOPE).rows(deviceRequests);
const hashOf = (userCode: string) => hashSecret(userCode.replace('-', ''));

/** Lets a program ask again without a wait. */
const rested = (userCode: string) => rows().set({ hash: hashOf(userCode) }, { polledAt: '2020-01-01T00:00:00.000Z' });

test('a person approves a program, which gets one session of its own', async () => {
  const organization = await system.newOrganization();
  const { client } = await personIn(system, organization);
  const begun = await begin();
  expect(begun).toEqual({
    device_code: expect.any(String),
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: `${system.baseUrl}/device`,
    verification_uri_complete: `${system.baseUrl}/device#code=${begun.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect(await poll(begun.device_code)).toMatchObject(refused('authorization_pending'));
  const userCode = begun.user_code.toLowerCase().replace('-', ' ');
  const shown = await client.ok('findDeviceCode', { body: { userCode } });
  expect(shown).toMatchObject({ client: 'exposure-cli', remoteAddress: '127.0.0.1' });
  await approve(client, userCode);
  await rested(begun.user_code);
  const answers = await Promise.all([1, 2, 3].map(() => poll(begun.device_code)));
  const granted = answers.filter(({ status }) => status === 200);
  expect(granted).toHaveLength(1);
  const { access_token } = Object(granted[0]?.body);
  await system.client(() => String(access_token)).ok('listFindings');
  const { data } = await client.ok('listMySessions');
  expect(data.map(({ device }) => device)).toContainEqual(expect.stringContaining('exposure-cli'));
  expect(await poll(begun.device_code)).toMatchObject(refused('invalid_grant'));
  expect(await client.call('approveDeviceCode', { body: { userCode } })).toMatchObject(refused('not_found'));
});

test('an open browser signs no program in, and the code of a letter is for one program of one person, once', async () => {
  const organization = await system.newOrganization();
  const [ana, eve] = [await personIn(system, organization), await personIn(system, organization)];
  const [own, thief] = [(await begin()).user_code, await begin()];
  const tried = (person: typeof ana, userCode: string, proof: object) =>
    person.client.call('approveDeviceCode', { body: { userCode, ...proof } });
  expect(await tried(ana, own, {})).toMatchObject({ status: 400, body: { details: [{ path: 'code' }] } });
  const code = await codeFor(system, ana.client, own);
  const letter = await letterTo(system, ana.email, 2);
  expect(letter.text).toContain('signs the program "exposure-cli" in as you. It was started at the address 127.0.0.1.');
  expect(await tried(ana, thief.user_code, { code })).toMatchObject(refused('invalid_grant'));
  expect(await tried(eve, own, { code })).toMatchObject(refused('invalid_grant'));
  const forStep = await codeFor(system, ana.client);
  expect(await tried(ana, own, { code: forStep })).toMatchObject(refused('invalid_grant'));
  expect(await tried(ana, own, { code })).toMatchObject({ status: 200 });
  const { user_code: another } = await begin();
  expect(await tried(ana, another, { code })).toMatchObject(refused('invalid_grant'));
  expect(await poll(thief.device_code)).toMatchObject(refused('authorization_pending'));
});

test('a person with a second step proves it to sign a program in, and gets no letter instead', async () => {
  const person = await personIn(system, await system.newOrganization());
  const { secret } = await person.client.ok('offerTotp');
  const shown = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const early = await codeFor(system, person.client);
  const spare = await codeFor(system, person.client);
  await person.client.ok('confirmTotp', { body: { code: shown(-1), proof: { code: early } } });
  const { user_code: userCode } = await begin();
  expect(await person.client.call('requestConfirmation', { body: { userCode } })).toMatchObject(refused('conflict'));
  for (const code of [spare, '000000'])
    expect(await person.client.call('approveDeviceCode', { body: { userCode, code } })).toMatchObject(
      refused('invalid_grant'),
    );
  await person.client.ok('approveDeviceCode', { body: { userCode, code: shown(0) } });
});

test('a program writes no lines of its own into the letter, and no long text onto the page', async () => {
  const { client } = await personIn(system, await system.newOrganization());
  const lines = { client_id: 'cli"\n\nYour account is locked: https://example.net' };
  expect(await anybody.call('beginDeviceSignIn', { body: lines })).toMatchObject({
    body: { details: [{ path: 'client_id' }] },
  });
  const headers = { 'user-agent': 'x'.repeat(5_000) };
  const { user_code } = await anybody.ok('beginDeviceSignIn', { body: { client_id: 'cli' }, headers });
  const { device } = await client.ok('findDeviceCode', { body: { userCode: user_code } });
  expect(device).toBe(`${'x'.repeat(200)}…`);
});

test('nobody guesses the code of a letter, and a browser that is open sends five letters in an hour', async () => {
  const { client } = await personIn(system, await system.newOrganization());
  const { user_code: userCode } = await begin();
  const code = await codeFor(system, client, userCode);
  for (let n = 0; n < 10; n++)
    expect(await client.call('approveDeviceCode', { body: { userCode, code: '00000000' } })).toMatchObject(
      refused('invalid_grant'),
    );
  const right = await client.call('approveDeviceCode', { body: { userCode, code } });
  expect(right).toMatchObject(refused('limit_exceeded'));
  for (let n = 0; n < 4; n++) await client.ok('requestConfirmation', { body: {} });
  expect(await client.call('requestConfirmation', { body: {} })).toMatchObject(refused('limit_exceeded'));
});

test('a program that asks too early waits longer each time', async () => {
  const { device_code } = await begin();
  expect(await poll(device_code)).toMatchObject(refused('authorization_pending'));
  expect(await poll(device_code)).toMatchObject({
    body: { code: 'slow_down', message: expect.stringContaining('Wait 10 ') },
  });
  expect(await poll(device_code)).toMatchObject({
    body: { code: 'slow_down', message: expect.stringContaining('Wait 15 ') },
  });
});

test('a refused code and an expired code open nothing', async () => {
  const { client } = await personIn(system, await system.newOrganization());
  const no = await begin();
  await client.ok('refuseDeviceCode', { body: { userCode: no.user_code } });
  expect(await poll(no.device_code)).toMatchObject(refused('access_denied'));
  const late = await begin();
  await rows().set({ hash: hashOf(late.user_code) }, { endsAt: '2020-01-01T00:00:00.000Z' });
  expect(await poll(late.device_code)).toMatchObject(refused('expired_token'));
  const body = { userCode: late.user_code };
  expect(await client.call('approveDeviceCode', { body })).toMatchObject(refused('not_found'));
});

test('another program, and a session that ended after it approved, open nothing', async () => {
  const { client } = await personIn(system, await system.newOrganization());
  const stolen = await begin();
  await approve(client, stolen.user_code);
  expect(await poll(stolen.device_code, 'other')).toMatchObject(refused('invalid_grant'));
  expect(await poll(stolen.user_code)).toMatchObject(refused('invalid_grant'));
  await client.ok('endMySessions');
  expect(await poll(stolen.device_code)).toMatchObject(refused('access_denied'));
});

test('another person decides nothing that is decided, and nobody guesses codes', async () => {
  const organization = await system.newOrganization();
  const [ana, eve] = [await personIn(system, organization), await personIn(system, organization)];
  const { user_code: userCode, device_code } = await begin();
  await ana.client.ok('refuseDeviceCode', { body: { userCode } });
  expect(await eve.client.call('approveDeviceCode', { body: { userCode } })).toMatchObject(refused('not_found'));
  expect(await poll(device_code)).toMatchObject(refused('access_denied'));
  for (let n = 0; n < 19; n++)
    expect(await eve.client.call('findDeviceCode', { body: { userCode: 'BBBB-BBBB' } })).toMatchObject(
      refused('not_found'),
    );
  const last = await eve.client.call('findDeviceCode', { body: { userCode: 'BBBB-BBBB' } });
  expect(last).toMatchObject(refused('limit_exceeded'));
});

import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { Authenticator } from '../support/authenticator.ts';
import { codeFor, letterTo, personIn, tokenIn } from '../support/people.ts';
import { exchange, proofKey } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anybody = system.client();
const refused = { status: 400, body: { code: 'invalid_grant' } };

type Member = Awaited<ReturnType<typeof personIn>>;

/** The code that an app shows. */
const shownBy = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

const newDevice = () => new Authenticator(system.baseUrl);

async function withPasskey(person: Member, device = newDevice()) {
  const passkey = device.create(await person.client.ok('offerPasskey'));
  const code = await codeFor(system, person.client);
  const added = await person.client.ok('addMyPasskey', { body: { passkey, name: 'Laptop', code } });
  return { ...added, device };
}

const signed = async (device: Authenticator, twist = {}) => device.get(await anybody.ok('requestPasskey'), twist);

async function signInWith(passkey: ReturnType<Authenticator['get']>) {
  const { verifier, codeChallenge } = proofKey();
  return { verifier, answer: await anybody.call('signInWithPasskey', { body: { passkey, codeChallenge } }) };
}

async function stepAfterLetter(email: string, letters: number) {
  await anybody.ok('requestSignIn', { body: { email } });
  const token = tokenIn(await letterTo(system, email, letters));
  const { verifier, codeChallenge } = proofKey();
  return { verifier, ...(await anybody.ok('signIn', { body: { token, codeChallenge } })) };
}

test('a passkey signs in without an address, counts as both steps, and its challenge works once', async () => {
  const organization = await system.newOrganization();
  const person = await personIn(system, organization);
  const { device, id, recoveryCodes } = await withPasskey(person);
  expect(recoveryCodes).toHaveLength(10);
  await organization.admin.ok('updateOrganizationSettings', { body: { secondStepRequired: true } });
  const passkey = await signed(device);
  const { verifier, answer } = await signInWith(passkey);
  expect(answer).toMatchObject({ status: 200, body: { status: 'signed_in', ticket: null } });
  expect((await signInWith(passkey)).answer).toMatchObject(refused);
  const { accessToken } = await exchange(anybody, String(Object(answer.body).code), verifier);
  const { data } = await system.client(() => accessToken).ok('listMyPasskeys');
  expect(data).toEqual([
    {
      id,
      name: 'Laptop',
      device: expect.any(String),
      synced: false,
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
    },
  ]);
  const { mfa } = await organization.admin.ok('getUser', { params: { id: person.id } });
  expect(mfa).toEqual({ totp: false, passkeys: 1, required: true });
});

test.each([
  ['of another site', { origin: 'https://exposure.example' }],
  ['of a device that did not verify the person', { verified: false }],
  ['with a counter that goes back', { counter: 1 }],
])('a signature %s opens nothing', async (_, twist) => {
  const person = await personIn(system, await system.newOrganization());
  const { device } = await withPasskey(person);
  for (let n = 0; n < 2; n++) expect((await signInWith(await signed(device))).answer.status).toBe(200);
  expect((await signInWith(await signed(device, twist))).answer).toMatchObject(refused);
});

test('an unknown, a removed and a changed passkey open nothing', async () => {
  const person = await personIn(system, await system.newOrganization());
  const { device, id, recoveryCodes } = await withPasskey(person);
  const stranger = newDevice();
  stranger.create(await person.client.ok('offerPasskey'));
  expect((await signInWith(await signed(stranger))).answer).toMatchObject(refused);
  const forged = { ...(await signed(stranger)), id, rawId: id };
  expect((await signInWith(forged)).answer).toMatchObject(refused);
  const old = await anybody.ok('requestPasskey');
  const [code = ''] = recoveryCodes;
  await person.client.ok('removeMyPasskey', { params: { id }, body: { code } });
  expect((await signInWith(device.get(old))).answer).toMatchObject(refused);
});

test('the challenge for a new passkey is of one person, and works once', async () => {
  const organization = await system.newOrganization();
  const [ana, eve] = [await personIn(system, organization), await personIn(system, organization)];
  const device = newDevice();
  const passkey = device.create(await ana.client.ok('offerPasskey'));
  const tried = async ({ client }: Member, made: typeof passkey) =>
    client.call('addMyPasskey', { body: { passkey: made, name: 'Laptop', code: await codeFor(system, client) } });
  expect(await tried(eve, passkey)).toMatchObject(refused);
  expect(await tried(ana, passkey)).toMatchObject(refused);
  const unverified = device.create(await ana.client.ok('offerPasskey'), { verified: false });
  expect(await tried(ana, unverified)).toMatchObject(refused);
  expect((await ana.client.ok('listMyPasskeys')).data).toEqual([]);
});

test('a passkey is the second step after a letter, and one of another person is not', async () => {
  const organization = await system.newOrganization();
  const [ana, eve] = [await personIn(system, organization), await personIn(system, organization)];
  const { device } = await withPasskey(ana);
  const other = await withPasskey(eve);
  const { ticket, status, verifier } = await stepAfterLetter(ana.email, 3);
  expect(status).toBe('second_step');
  const theirs = { params: { id: other.id }, body: { name: 'Mine' } };
  expect(await ana.client.call('renameMyPasskey', theirs)).toMatchObject({ body: { code: 'not_found' } });
  const removal = { params: { id: other.id }, body: { passkey: await signed(device) } };
  expect(await ana.client.call('removeMyPasskey', removal)).toMatchObject({ body: { code: 'not_found' } });
  const wrong = { ticket: ticket ?? '', passkey: await signed(other.device) };
  expect(await anybody.call('takeSecondStep', { body: wrong })).toMatchObject(refused);
  const both = { ticket: ticket ?? '', code: '000000', passkey: await signed(device) };
  expect(await anybody.call('takeSecondStep', { body: both })).toMatchObject({ status: 400 });
  const right = { ticket: ticket ?? '', passkey: await signed(device) };
  const { code } = await anybody.ok('takeSecondStep', { body: right });
  await exchange(anybody, code ?? '', verifier);
});

test('an open browser adds and removes no passkey of a person with a second step; the last one takes the recovery codes along', async () => {
  const person = await personIn(system, await system.newOrganization());
  const { id, device, recoveryCodes } = await withPasskey(person);
  const second = newDevice();
  const passkey = second.create(await person.client.ok('offerPasskey'));
  const body = { passkey, name: 'Key' };
  expect(await person.client.call('addMyPasskey', { body })).toMatchObject({ status: 400 });
  const proof = await signed(device);
  const added = await person.client.ok('addMyPasskey', { body: { ...body, proof } });
  expect(added.recoveryCodes).toEqual([]);
  const renamed = await person.client.ok('renameMyPasskey', { params: { id: added.id }, body: { name: 'Red key' } });
  expect(renamed).toMatchObject({ id: added.id, name: 'Red key' });
  const [code = ''] = recoveryCodes;
  expect(await person.client.call('removeMyPasskey', { params: { id }, body: {} })).toMatchObject({ status: 400 });
  const left = await person.client.ok('removeMyPasskey', { params: { id }, body: { code } });
  expect(left).toEqual({ totp: false, passkeys: 1, recoveryCodesLeft: 9 });
  const last = { params: { id: added.id }, body: { passkey: await signed(second) } };
  expect(await person.client.ok('removeMyPasskey', last)).toEqual({ totp: false, passkeys: 0, recoveryCodesLeft: 0 });
  expect(await stepAfterLetter(person.email, 3)).toMatchObject({ status: 'signed_in' });
});

test('an open browser sets up no first second step: neither a passkey nor an app', async () => {
  const { client } = await personIn(system, await system.newOrganization());
  const passkey = newDevice().create(await client.ok('offerPasskey'));
  const body = { passkey, name: 'Laptop' };
  expect(await client.call('addMyPasskey', { body })).toMatchObject({ body: { details: [{ path: 'code' }] } });
  expect(await client.call('addMyPasskey', { body: { ...body, code: '00000000' } })).toMatchObject(refused);
  const { secret } = await client.ok('offerTotp');
  const code = shownBy(secret);
  expect(await client.call('confirmTotp', { body: { code } })).toMatchObject({
    body: { details: [{ path: 'proof' }] },
  });
  expect(await client.call('confirmTotp', { body: { code, proof: { code } } })).toMatchObject(refused);
  expect(await client.ok('getMySecondStep')).toEqual({ totp: false, passkeys: 0, recoveryCodesLeft: 0 });
});

test('an open browser adds no authenticator app to a person with a passkey, and makes no new recovery codes', async () => {
  const person = await personIn(system, await system.newOrganization());
  const { device, recoveryCodes } = await withPasskey(person);
  const { secret } = await person.client.ok('offerTotp');
  const body = { code: shownBy(secret) };
  expect(await person.client.call('confirmTotp', { body })).toMatchObject({ body: { details: [{ path: 'proof' }] } });
  const stranger = await withPasskey(await personIn(system, await system.newOrganization()));
  const foreign = { ...body, proof: { passkey: await signed(stranger.device) } };
  expect(await person.client.call('confirmTotp', { body: foreign })).toMatchObject(refused);
  const guessed = { ...body, proof: { code: body.code } };
  expect(await person.client.call('confirmTotp', { body: guessed })).toMatchObject(refused);
  const proven = { ...body, proof: { passkey: await signed(device) } };
  expect(await person.client.ok('confirmTotp', { body: proven })).toEqual({ recoveryCodes: [] });
  expect(await person.client.ok('getMySecondStep')).toEqual({ totp: true, passkeys: 1, recoveryCodesLeft: 10 });
  expect(await person.client.ok('removeTotp', { body: { code: recoveryCodes[0] ?? '' } })).toMatchObject({
    totp: false,
  });
});

test('a sign-in that began before a person had a second step sets up no other', async () => {
  const organization = await system.newOrganization();
  const person = await personIn(system, organization);
  await organization.admin.ok('updateOrganizationSettings', { body: { secondStepRequired: true } });
  const [thief, own] = [await stepAfterLetter(person.email, 2), await stepAfterLetter(person.email, 3)];
  const { secret } = await anybody.ok('beginEnrolment', { body: { ticket: own.ticket ?? '' } });
  await anybody.ok('confirmEnrolment', { body: { ticket: own.ticket ?? '', code: shownBy(secret) } });
  for (const operation of ['beginEnrolment', 'beginPasskeyEnrolment'] as const)
    expect(await anybody.call(operation, { body: { ticket: thief.ticket ?? '' } })).toMatchObject(refused);
});

test('where an organization requires a second step, a passkey is set up at sign-in', async () => {
  const organization = await system.newOrganization();
  const { email } = await personIn(system, organization);
  await organization.admin.ok('updateOrganizationSettings', { body: { secondStepRequired: true } });
  const step = await stepAfterLetter(email, 2);
  expect(step.status).toBe('enrolment');
  const ticket = step.ticket ?? '';
  const passkey = newDevice().create(await anybody.ok('beginPasskeyEnrolment', { body: { ticket } }));
  const done = await anybody.ok('confirmPasskeyEnrolment', { body: { ticket, passkey, name: 'Laptop' } });
  expect(done.recoveryCodes).toHaveLength(10);
  const { accessToken } = await exchange(anybody, done.code ?? '', step.verifier);
  await system.client(() => accessToken).ok('listFindings');
});

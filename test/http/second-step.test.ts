import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeFor, letterTo, personIn, tokenIn } from '../support/people.ts';
import { exchange, proofKey } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anybody = system.client();
const refused = { status: 400, body: { code: 'invalid_grant' } };

/** The code that an app shows, `steps` of 30 seconds from now. */
const shownBy = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function firstStep(email: string, letters: number) {
  await anybody.ok('requestSignIn', { body: { email } });
  const token = tokenIn(await letterTo(system, email, letters));
  const { verifier, codeChallenge } = proofKey();
  return { verifier, ...(await anybody.ok('signIn', { body: { token, codeChallenge } })) };
}

test('with an authenticator app a link alone opens nothing; each code and each recovery code works once', async () => {
  const { client, email } = await personIn(system, await system.newOrganization());
  const { secret, uri } = await client.ok('offerTotp');
  expect(uri).toContain('otpauth://totp/Exposure%20Management');
  expect(await client.ok('getMySecondStep')).toEqual({ totp: false, passkeys: 0, recoveryCodesLeft: 0 });
  const proof = { code: await codeFor(system, client) };
  expect(await client.call('confirmTotp', { body: { code: '000000', proof } })).toMatchObject(refused);
  const { recoveryCodes } = await client.ok('confirmTotp', { body: { code: shownBy(secret, -1), proof } });
  expect(recoveryCodes).toHaveLength(10);
  expect(await client.call('offerTotp')).toMatchObject(refused);
  const step = await firstStep(email, 3);
  expect(step).toMatchObject({ status: 'second_step', code: null });
  const ticket = step.ticket ?? '';
  const stolen = { grant_type: 'authorization_code', code: ticket, code_verifier: step.verifier };
  expect(await anybody.call('issueToken', { body: stolen })).toMatchObject(refused);
  const used = { ticket, code: shownBy(secret, -1) };
  expect(await anybody.call('takeSecondStep', { body: used })).toMatchObject(refused);
  const { code } = await anybody.ok('takeSecondStep', { body: { ticket, code: shownBy(secret) } });
  await exchange(anybody, code ?? '', step.verifier);
  const [recovery = ''] = recoveryCodes;
  const again = await firstStep(email, 4);
  const uses = await Promise.all(
    [1, 2, 3].map(() => anybody.call('takeSecondStep', { body: { ticket: again.ticket ?? '', code: recovery } })),
  );
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await client.ok('getMySecondStep')).toEqual({ totp: true, passkeys: 0, recoveryCodesLeft: 9 });
  expect(await client.call('removeTotp', { body: { code: recovery } })).toMatchObject(refused);
  expect(await client.ok('removeTotp', { body: { code: recoveryCodes[1] ?? '' } })).toMatchObject({ totp: false });
  expect(await firstStep(email, 5)).toMatchObject({ status: 'signed_in' });
});

test('nobody guesses a code: a ticket takes five, and a person ten in an hour', async () => {
  const { client, email } = await personIn(system, await system.newOrganization());
  const { secret } = await client.ok('offerTotp');
  const proof = { code: await codeFor(system, client) };
  await client.ok('confirmTotp', { body: { code: shownBy(secret, -1), proof } });
  const { ticket } = await firstStep(email, 3);
  for (let n = 0; n < 5; n++)
    expect(await anybody.call('takeSecondStep', { body: { ticket: ticket ?? '', code: '000000' } })).toMatchObject(
      refused,
    );
  const right = { ticket: ticket ?? '', code: shownBy(secret) };
  expect(await anybody.call('takeSecondStep', { body: right })).toMatchObject(refused);
  for (let n = 0; n < 5; n++) await client.call('removeTotp', { body: { code: '000000' } });
  const eleventh = await client.call('removeTotp', { body: { code: shownBy(secret) } });
  expect(eleventh).toMatchObject({ status: 400, body: { code: 'limit_exceeded' } });
});

test('an organization that requires a second step lets nobody in without one, and its people set one up at sign-in', async () => {
  const organization = await system.newOrganization();
  const { email, refreshToken } = await personIn(system, organization);
  await organization.admin.ok('updateOrganizationSettings', { body: { secondStepRequired: true } });
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
  expect(await anybody.call('issueToken', { body })).toMatchObject(refused);
  const step = await firstStep(email, 2);
  expect(step).toMatchObject({ status: 'enrolment', code: null });
  const ticket = step.ticket ?? '';
  const { secret } = await anybody.ok('beginEnrolment', { body: { ticket } });
  const confirmed = await anybody.ok('confirmEnrolment', { body: { ticket, code: shownBy(secret) } });
  expect(confirmed.recoveryCodes).toHaveLength(10);
  const { accessToken } = await exchange(anybody, confirmed.code ?? '', step.verifier);
  await system.client(() => accessToken).ok('listFindings');
});

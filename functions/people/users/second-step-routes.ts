import * as z from 'zod';
import {
  Attestation,
  OwnProof,
  PasskeyName,
  PasskeyOffer,
  PasskeyRecord,
  SecondProof,
} from '#shared/people/passkey-records.ts';
import { TotpOffer } from '#shared/people/second-step-records.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';

const me = '/api/v1/users/me';
const passkeys = '/api/v1/users/me/passkeys';
const totp = '/api/v1/users/me/totp';
const person = { person: true } as const;

const SecondStepState = objectNamed('SecondStepState', {
  totp: z.boolean(),
  passkeys: z.int().nonnegative(),
  recoveryCodesLeft: z.int().nonnegative(),
});
const Proof = objectNamed('SecondStepProof', SecondProof);
const TotpCode = objectNamed('TotpCode', {
  code: z.string().min(6).max(20).meta({ example: '123456' }),
  proof: objectNamed('OwnProof', OwnProof)
    .optional()
    .meta({
      description: 'needed: a passkey or a recovery code of who has a passkey, otherwise the code of a letter',
      example: { code: '12345678' },
    }),
});
const RecoveryCodes = objectNamed('RecoveryCodes', { recoveryCodes: z.array(z.string()) });

/** The caller's authenticator app, passkeys and recovery codes. */
export const secondStepRoutes = defineRoutes({
  getMySecondStep: get(`${me}/second-step`, {
    summary: 'Get your second step',
    description:
      'Whether an authenticator app is set up, how many passkeys you have, and how many recovery codes are left.',
    access: person,
    inPart: 'same',
    response: SecondStepState,
  }),
  offerTotp: post(totp, {
    summary: 'Set up an authenticator app',
    description:
      'Answers the secret for the app (RFC 6238). It counts once `confirm` got a code of the app. An app that is set up is removed first; ' +
      'otherwise the request is refused as `invalid_grant`.',
    access: person,
    inPart: 'same',
    response: TotpOffer,
    answersSecret: true,
  }),
  confirmTotp: post(`${totp}/confirm`, {
    summary: 'Confirm your authenticator app with its first code',
    description:
      'From now on each sign-in needs a second step, which a code is. `recoveryCodes` are shown once, with the first second step; ' +
      'otherwise the list is empty. `proof` is a passkey or a recovery code of who has a passkey, otherwise the code of a letter ' +
      '(`POST /api/v1/users/me/confirmation`), so that an open browser is not enough.',
    access: person,
    inPart: 'same',
    body: TotpCode,
    lenient: true,
    response: RecoveryCodes,
    answersSecret: true,
  }),
  removeTotp: post(`${totp}/remove`, {
    summary: 'Remove your authenticator app',
    description: 'Needs a code of the app, a recovery code or a passkey, so that an open browser is not enough.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: SecondStepState,
  }),
  renewRecoveryCodes: post(`${me}/recovery-codes`, {
    summary: 'Make new recovery codes',
    description: 'Needs a code of the app, a recovery code or a passkey. The earlier recovery codes end.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: RecoveryCodes,
    answersSecret: true,
  }),
  listMyPasskeys: get(passkeys, {
    summary: 'List your passkeys, the oldest first',
    description: 'At most ten.',
    access: person,
    inPart: 'same',
    query: Pagination,
    response: pageOf(PasskeyRecord),
  }),
  offerPasskey: post(`${passkeys}/options`, {
    summary: 'Ask for a challenge for a new passkey',
    description: 'The answer is for `navigator.credentials.create()`. The challenge works once, for five minutes.',
    access: person,
    inPart: 'same',
    response: PasskeyOffer,
  }),
  addMyPasskey: post(passkeys, {
    summary: 'Add a passkey',
    description:
      'From now on each sign-in needs a second step, which the passkey is also. `recoveryCodes` are shown once, with the first second ' +
      'step; otherwise the list is empty. Who has a second step proves it with `code` or `proof`. The first one needs the code of a letter ' +
      '(`POST /api/v1/users/me/confirmation`) as `code`. So an open browser is not enough.',
    access: person,
    inPart: 'same',
    body: objectNamed('PasskeyCreate', {
      passkey: Attestation,
      name: PasskeyName,
      code: OwnProof.code,
      proof: OwnProof.passkey,
    }),
    lenient: true,
    response: PasskeyRecord.extend({ recoveryCodes: z.array(z.string()) }).meta({ id: 'PasskeyAdded' }),
    answersSecret: true,
  }),
  renameMyPasskey: patch(`${passkeys}/{id}`, {
    summary: 'Rename a passkey',
    description: 'Changes the name alone.',
    access: person,
    inPart: 'same',
    body: objectNamed('PasskeyUpdate', { name: PasskeyName.optional() }),
    response: PasskeyRecord,
  }),
  removeMyPasskey: post(`${passkeys}/{id}/remove`, {
    summary: 'Remove a passkey',
    description:
      'Needs a code of the app, a recovery code or a passkey, so that an open browser is not enough. The recovery codes end with the last ' +
      'second step.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: SecondStepState,
  }),
});

import * as z from 'zod';
import {
  Assertion,
  Attestation,
  PasskeyName,
  PasskeyOffer,
  PasskeyRequest,
  SecondProof,
} from '#shared/people/passkey-records.ts';
import { TotpOffer } from '#shared/people/second-step-records.ts';
import { CodeChallenge, SIGN_IN_STATUSES } from '#shared/people/sign-in.ts';
import { EmailAddress, Locale, TimeZone } from '#shared/people/user.ts';
import { nameText, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { identityProviderRoutes } from './identity-providers/routes.ts';
import { providerSignInRoutes } from './identity-providers/sign-in-routes.ts';

const token = z
  .string()
  .max(100)
  .meta({ description: 'from the link of the letter', example: '0'.repeat(49) });

const SignedIn = objectNamed('SignInStep', {
  status: z.enum(SIGN_IN_STATUSES).meta({
    description:
      '`signed_in`: exchange `code`. `second_step`: send a code of the authenticator app, a recovery code or a passkey with `ticket`. `enrolment`: an ' +
      'organization requires a second step; set it up with `ticket`',
  }),
  code: z.string().nullable().meta({ description: 'for `POST /api/v1/oauth/token`, once, within a minute' }),
  ticket: z.string().nullable().meta({ description: 'for the next step, within ten minutes and five attempts' }),
});

const ticket = z
  .string()
  .max(100)
  .meta({ description: 'of the step before', example: '0'.repeat(49) });
const totpCode = z.string().min(6).max(20).meta({ description: 'of the authenticator app', example: '123456' });

const Enrolled = SignedIn.extend({ recoveryCodes: z.array(z.string()) }).meta({ id: 'EnrolledSignIn' });

export const signInRoutes = defineRoutes({
  ...providerSignInRoutes,
  ...identityProviderRoutes,
  requestSignIn: post('/api/v1/sign-in/link', {
    summary: 'Ask for a sign-in link by e-mail',
    description:
      'The answer is the same for every address. A person with this address gets a letter with a link that works once, for 30 minutes; ' +
      'at most five letters are sent in an hour.',
    access: 'public',
    body: objectNamed('SignInRequest', { email: EmailAddress }),
    response: objectNamed('SignInRequested', { accepted: z.literal(true) }),
  }),
  signIn: post('/api/v1/sign-in/verify', {
    summary: 'Sign in with the token of a sign-in link',
    description:
      'Answers an authorization code (RFC 6749) that `POST /api/v1/oauth/token` exchanges for an access token, with the verifier of ' +
      '`codeChallenge`. A token that was used, has expired or is unknown is refused as `invalid_grant`.',
    access: 'public',
    body: objectNamed('SignIn', { token, codeChallenge: CodeChallenge }),
    response: SignedIn,
    answersSecret: true,
  }),
  acceptInvitation: post('/api/v1/sign-in/invitation', {
    summary: 'Accept an invitation and sign in',
    description:
      'The token of the invitation works once, for three days. `name`, `timeZone` and `locale` are taken from a person who is new to the ' +
      'service; a person who is known keeps their own.',
    access: 'public',
    body: objectNamed('InvitationAcceptance', {
      token,
      codeChallenge: CodeChallenge,
      name: nameText(120).optional(),
      timeZone: TimeZone.optional(),
      locale: Locale.optional(),
    }),
    response: SignedIn,
    answersSecret: true,
  }),
  takeSecondStep: post('/api/v1/sign-in/second-step', {
    summary: 'Take the second step of a sign-in',
    description:
      'Send `code` or `passkey`. Each code works once. A recovery code is used up. A wrong code is refused as `invalid_grant`.',
    access: 'public',
    body: objectNamed('SecondStep', { ticket, ...SecondProof }),
    lenient: true,
    response: SignedIn,
    answersSecret: true,
  }),
  requestPasskey: post('/api/v1/sign-in/passkey/options', {
    summary: 'Ask for a challenge that a passkey signs',
    description:
      'The answer is for `navigator.credentials.get()`: the browser offers the passkeys that it has for this service, and no address is ' +
      'typed. The challenge works once, for five minutes; also for the second step, and for changes of a second step.',
    access: 'public',
    response: PasskeyRequest,
  }),
  signInWithPasskey: post('/api/v1/sign-in/passkey', {
    summary: 'Sign in with a passkey',
    description:
      'Counts as both steps, because the device verifies the person. A signature of another site, of a used challenge, of a removed passkey, ' +
      'or with a counter that did not grow is refused as `invalid_grant`.',
    access: 'public',
    body: objectNamed('PasskeySignIn', { passkey: Assertion, codeChallenge: CodeChallenge }),
    lenient: true,
    response: SignedIn,
    answersSecret: true,
  }),
  beginDeviceSignIn: post('/api/v1/sign-in/device', {
    summary: 'Begin the sign-in of a program without a browser (RFC 8628)',
    description:
      'Show the person `verification_uri` and `user_code`, or open `verification_uri_complete`, and poll `POST /api/v1/oauth/token`. The codes ' +
      'work once, for ten minutes. The session is listed under the sessions of the person.',
    access: 'public',
    body: objectNamed('DeviceAuthorizationRequest', {
      client_id: nameText(60).meta({
        description: 'the name of the program, which the person sees',
        example: 'exposure-cli',
      }),
    }),
    lenient: true,
    form: true,
    response: objectNamed('DeviceAuthorization', {
      device_code: z.string(),
      user_code: z.string(),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.int().positive().meta({ description: 'seconds' }),
      interval: z.int().positive().meta({ description: 'seconds between two polls' }),
    }),
    answersSecret: true,
  }),
  beginEnrolment: post('/api/v1/sign-in/enrolment', {
    summary: 'Set up the second step that an organization requires',
    description: 'Answers the secret for an authenticator app. It counts once `confirm` got a code of the app.',
    access: 'public',
    body: objectNamed('Enrolment', { ticket }),
    response: TotpOffer,
    answersSecret: true,
  }),
  confirmEnrolment: post('/api/v1/sign-in/enrolment/confirm', {
    summary: 'Confirm the authenticator app and sign in',
    description: 'Only this answer shows the recovery codes.',
    access: 'public',
    body: objectNamed('EnrolmentConfirmation', { ticket, code: totpCode }),
    response: Enrolled,
    answersSecret: true,
  }),
  beginPasskeyEnrolment: post('/api/v1/sign-in/enrolment/passkey/options', {
    summary: 'Set up a passkey as the second step that an organization requires',
    description: 'Answers the options for `navigator.credentials.create()`, instead of an authenticator app.',
    access: 'public',
    body: objectNamed('PasskeyEnrolment', { ticket }),
    response: PasskeyOffer,
  }),
  confirmPasskeyEnrolment: post('/api/v1/sign-in/enrolment/passkey', {
    summary: 'Add the passkey and sign in',
    description: 'Only this answer shows the recovery codes.',
    access: 'public',
    body: objectNamed('PasskeyEnrolmentConfirmation', { ticket, passkey: Attestation, name: PasskeyName }),
    lenient: true,
    response: Enrolled,
    answersSecret: true,
  }),
});

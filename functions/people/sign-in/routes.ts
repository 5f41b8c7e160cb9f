import * as z from 'zod';
import { CodeChallenge } from '#shared/people/sign-in.ts';
import { EmailAddress, Locale, TimeZone } from '#shared/people/user.ts';
import { objectNamed, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';

const token = z
  .string()
  .max(100)
  .meta({ description: 'from the link of the letter', example: '0'.repeat(49) });

const SignedIn = objectNamed('SignedIn', {
  code: z.string().meta({ description: 'for `POST /api/v1/oauth/token`, once, within a minute' }),
  issuedAt: Timestamp,
});

export const signInRoutes = defineRoutes({
  requestSignIn: post('/api/v1/sign-in', {
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
      name: trimmedText(120).optional(),
      timeZone: TimeZone.optional(),
      locale: Locale.optional(),
    }),
    response: SignedIn,
    answersSecret: true,
  }),
});

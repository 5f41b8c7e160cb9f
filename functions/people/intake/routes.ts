import * as z from 'zod';
import { SALES_STATUSES, SalesRequest, salesFields } from '#shared/people/sales-request.ts';
import { CodeChallenge } from '#shared/people/sign-in.ts';
import { LINK_HOURS, SignUp, TRIAL_DAYS } from '#shared/people/sign-up.ts';
import { Locale, TimeZone } from '#shared/people/user.ts';
import { manager } from '#shared/platform/auth/access.ts';
import { anyOf, Listing, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, objectNamed, patchBody, Timestamp, text } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { Challenge, PURPOSES } from './challenge.ts';

const sales = '/api/v1/sales-requests';

const challenge = text(8000).meta({
  description: 'what the widget answers for a challenge of `GET /api/v1/challenges` with the purpose of this request',
  example: 'eyJjaGFsbGVuZ2UiOnt9fQ==',
});

const SignUpRequest = z.strictObject({ ...SignUp.shape, challenge }).meta({ id: 'SignupRequest' });

const TrialBegun = objectNamed('TrialBegun', {
  code: z.string().meta({ description: 'for `POST /api/v1/oauth/token`, once, within a minute' }),
  organizationId: Id,
  trialEndsAt: Timestamp,
  sampleTaskId: Id.nullable().meta({ description: 'the task that imports the sample data; null: none were asked for' }),
});

const SalesRequestCreate = z.strictObject({ ...salesFields, challenge }).meta({ id: 'SalesRequestCreate' });

const Received = objectNamed('RequestReceived', { accepted: z.literal(true) });

const SalesQuery = Listing.extend({
  status: anyOf(z.enum(SALES_STATUSES)).optional(),
  search: SearchQuery.shape.search.optional().meta({ description: 'words of the address, the company and the name' }),
});

export const intakeRoutes = defineRoutes({
  getChallenge: get('/api/v1/challenges', {
    summary: 'Get a bot challenge',
    description:
      'A request without a credential brings the solution of a challenge of its purpose, once and before `expiresAt`. Challenges ' +
      'become more difficult while many are asked for. The widget of `altcha` takes the answer as it is.',
    access: 'public',
    limited: true,
    query: z.object({ purpose: z.enum(PURPOSES) }),
    response: Challenge,
  }),
  signUp: post('/api/v1/signup', {
    summary: 'Sign up for a trial',
    description:
      'The answer is the same for every address, and nothing is made yet. The address gets a letter: with a link that works once, for ' +
      `${LINK_HOURS} hours, or, where the address or its company is known, with what to do instead. Addresses of disposable mail ` +
      'providers are refused.',
    access: 'public',
    limited: true,
    body: SignUpRequest,
    response: Received,
  }),
  beginTrial: post('/api/v1/signup/verify', {
    summary: 'Begin the trial with the token of the letter, and sign in',
    description:
      `Makes the organization with its owner, for a trial of ${TRIAL_DAYS} days, and answers an authorization code as \`POST ` +
      '/api/v1/sign-in/verify` does. A token that was used, has expired or is unknown is refused as `invalid_grant`.',
    access: 'public',
    limited: true,
    body: objectNamed('TrialBegin', {
      token: z
        .string()
        .max(100)
        .meta({ description: 'from the link of the letter', example: '0'.repeat(49) }),
      codeChallenge: CodeChallenge,
      timeZone: TimeZone.default('UTC'),
      locale: Locale.default('en'),
      sampleData: z.boolean().default(false).meta({ description: 'true: some findings to look at are imported' }),
    }),
    response: TrialBegun,
    answersSecret: true,
  }),
  createSalesRequest: post(sales, {
    summary: 'Ask the provider to call or write',
    description:
      'Addresses of disposable mail providers are refused. An address block, an address, a domain and all senders together have a ' +
      'number of requests an hour.',
    access: 'public',
    limited: true,
    body: SalesRequestCreate,
    response: Received,
  }),
  listSalesRequests: get(sales, {
    summary: 'List sales requests, newest first',
    description: 'For staff of the provider. A request is deleted at its `deletionAt`, a year after it came.',
    access: manager,
    query: SalesQuery,
    response: searchPageOf(SalesRequest),
  }),
  getSalesRequest: get(`${sales}/{id}`, {
    summary: 'Get a sales request',
    description: '`consentVersion` is the version of the text about personal data to which the sender consented.',
    access: manager,
    response: SalesRequest,
  }),
  updateSalesRequest: patch(`${sales}/{id}`, {
    summary: 'Set the status of a sales request',
    description: '`handledBy` is then the caller.',
    access: manager,
    body: patchBody(SalesRequest),
    response: SalesRequest,
  }),
  deleteSalesRequest: remove(`${sales}/{id}`, {
    summary: 'Delete a sales request',
    description: 'For a person who asks for it: nothing of the request remains in lists and searches.',
    access: manager,
    response: Deletion,
  }),
});

import * as z from 'zod';
import { SALES_STATUSES, SalesRequest, salesFields } from '#shared/people/sales-request.ts';
import { manager } from '#shared/platform/auth/access.ts';
import { anyOf, Listing, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, objectNamed, patchBody, text } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { Challenge, PURPOSES } from './challenge.ts';

const sales = '/api/v1/sales-requests';

const challenge = text(8000).meta({
  description: 'what the widget answers for a challenge of `GET /api/v1/challenges` with the purpose of this request',
  example: 'eyJjaGFsbGVuZ2UiOnt9fQ==',
});

const SalesRequestCreate = z.strictObject({ ...salesFields, challenge }).meta({ id: 'SalesRequestCreate' });

const Received = objectNamed('SalesRequestReceived', { status: z.literal('received') });

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

import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import { ExposedCredential } from '#shared/entities/exposed-credential.ts';
import { credentialFilters } from '#shared/exposed-credentials/filter.ts';
import { CredentialPlace, PLACES } from '#shared/exposed-credentials/places.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/http/pagination.ts';
import { patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const path = '/api/v1/exposed-credentials';

const ExposedCredentialUpdate = ExposedCredential.extend({
  reason: z.string().trim().min(1).max(300).nullish().meta({
    description: 'how you know; becomes `statusReason`. Required unless the status is `active`',
    example: 'replaced in the vault',
  }),
}).meta({ id: 'ExposedCredentialUpdate' });

export const exposedCredentialRoutes = defineRoutes({
  listExposedCredentials: {
    method: 'GET',
    path,
    summary: 'List exposed credentials, newest first',
    description:
      'One for each secret, whatever the tools and places that have it; the service keeps a keyed hash and a masked form, never its text. ' +
      'It follows findings and breach records within seconds after a report. All filters combine.',
    access: reads('findings:read'),
    query: Pagination.extend(credentialFilters),
    response: searchPageOf(ExposedCredential),
  },
  searchExposedCredentials: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search exposed credentials by account, asset, kind and tool',
    description: 'Each word must be the beginning of a word. The filters of the list combine with the words.',
    access: reads('findings:read'),
    query: SearchQuery.extend(credentialFilters),
    response: searchPageOf(ExposedCredential),
  },
  getExposedCredential: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read an exposed credential',
    description: 'Who decided what and when: `GET /api/v1/changes?entity=exposed-credential`.',
    access: reads('findings:read'),
    response: ExposedCredential,
  },
  updateExposedCredential: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Say that a credential was rotated or revoked, is a false positive, or is active',
    description:
      'A merge patch. Nothing but a person or a later check ends a credential: one whose places are all gone stays active, because whoever saw it ' +
      'has it. `false_positive` stays through every later report and holds for its findings, also those that come later; another ' +
      'status gives them their own back. A check that comes after `rotated` or `revoked` and is let in makes it active again.',
    access: writes('findings:write'),
    body: patchBody(ExposedCredentialUpdate),
    example: { status: 'rotated', reason: 'replaced in the vault' },
    response: ExposedCredential,
  },
  listExposedCredentialPlaces: {
    method: 'GET',
    path: `${path}/{id}/places`,
    summary: 'List the places where a credential was found, newest first',
    description:
      'Also those that are fixed, each with the own status of its finding or, while the finding follows the credential, with `false_positive`.',
    access: reads('findings:read'),
    query: Pagination.extend({
      in: z
        .enum(PLACES)
        .default('findings')
        .meta({ description: 'findings of default branches, those of others, or records of breaches' }),
    }),
    response: pageOf(CredentialPlace),
  },
});

import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { answerOrPreview, WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { CredentialBulkChanges } from '#shared/vulnerabilities/exposed-credentials/bulk.ts';
import { ExposedCredential } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialFilters } from '#shared/vulnerabilities/exposed-credentials/filter.ts';
import { CredentialPlace, PLACES } from '#shared/vulnerabilities/exposed-credentials/places.ts';
import { Preview } from './preview.ts';

const path = '/api/v1/exposed-credentials';

const reason = z.string().trim().min(1).max(300);
const REASON = {
  description: 'how you know; becomes `statusReason`. Required unless the status is `active`',
  example: 'replaced in the vault',
};

const ExposedCredentialUpdate = ExposedCredential.extend({ reason: reason.nullish().meta(REASON) }).meta({
  id: 'ExposedCredentialUpdate',
});

const ExposedCredentialsUpdate = z
  .object({
    ...whichOf('exposed credentials', credentialFilters),
    changes: CredentialBulkChanges.default({}).meta({ example: { status: 'rotated' } }),
    reason: reason.optional().meta(REASON),
    dryRun,
  })
  .meta({ id: 'ExposedCredentialsUpdate' });
export type CredentialsUpdate = z.output<typeof ExposedCredentialsUpdate>;

const ExposedCredentialsUpdateAnswer = answerOrPreview(Preview).meta({ id: 'ExposedCredentialsUpdateAnswer' });

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
  updateExposedCredentials: {
    method: 'PATCH',
    path,
    summary: 'Decide on many exposed credentials at once, by their ids or by a filter',
    description:
      'A task makes this decision on each, as a PATCH of the one credential would, under your name; with `waitSeconds` the answer has the ' +
      'finished task. Credentials that a filter gives are those of the moment in which the task begins. Findings follow `false_positive`, and ' +
      'have their own status again after it. The `result` is `{matched, changed, unchanged, refused: [{id, code, message}], refusedCount, ' +
      'results?, findings}`; `findings` counts those that followed.',
    access: writes('findings:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    body: ExposedCredentialsUpdate,
    response: ExposedCredentialsUpdateAnswer,
  },
  undoExposedCredentialsUpdate: {
    method: 'POST',
    path: `${path}/bulk/{taskId}/undo`,
    summary: 'Undo a decision on many exposed credentials, for a day after the end of its task',
    description:
      'A credential gets back what was decided before, unless somebody decided on it since, and its findings have what they had by themselves. ' +
      'A check that came meanwhile counts. The `result` is `{matched, restored, changedSince: [{id, code, message}], changedSinceCount, ' +
      'findings}`. Another call answers the same task.',
    access: writes('findings:write'),
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
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

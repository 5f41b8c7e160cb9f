import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { Listing, Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
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

const ExposedCredentialsUpdate = objectNamed('ExposedCredentialsUpdate', {
  ...whichOf('exposed credentials', credentialFilters),
  changes: CredentialBulkChanges.default({}).meta({ example: { status: 'rotated' } }),
  reason: reason.optional().meta(REASON),
  dryRun,
});
export type CredentialsUpdate = z.output<typeof ExposedCredentialsUpdate>;

const ExposedCredentialsUpdateAnswer = answerOrPreview(Preview).meta({ id: 'ExposedCredentialsUpdateAnswer' });

export const exposedCredentialRoutes = defineRoutes({
  listExposedCredentials: get(path, {
    summary: 'List exposed credentials, newest first',
    description:
      'Each secret has one record for all tools and places. The service stores a keyed hash and a masked form of the secret, never ' +
      'its text. The record is updated within seconds after a report. All filters combine. A role for a part of the organization has ' +
      'the credentials of which one zone, application or team of the part has all places.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Listing.extend(credentialFilters),
    response: searchPageOf(ExposedCredential),
  }),
  searchExposedCredentials: get(`${path}/search`, {
    summary: 'Search exposed credentials by the words of their account, asset, kind and tool',
    description:
      'Each word of `search` must be the beginning of a word of the record. The filters of the list combine with the words.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: SearchQuery.extend(credentialFilters),
    response: searchPageOf(ExposedCredential),
  }),
  getExposedCredential: get(`${path}/{id}`, {
    summary: 'Read an exposed credential',
    description: 'The history of decisions is in `GET /api/v1/changes?entity=exposed-credential`.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: ExposedCredential,
  }),
  updateExposedCredential: patch(`${path}/{id}`, {
    summary: 'Set the status of an exposed credential: rotated, revoked, false positive or active',
    description:
      'A merge patch. Only a person or a later check ends a credential. A credential stays active after its last place is gone, ' +
      'because everybody who saw the secret still knows it. `false_positive` stays through all later reports and applies to the ' +
      'current and later findings of the credential; after another status the findings get back their own status. If a check after ' +
      '`rotated` or `revoked` succeeds in signing in, the credential becomes active again.',
    access: writes('findings:write'),
    inPart: 'seen',
    body: patchBody(ExposedCredentialUpdate),
    example: { status: 'rotated', reason: 'replaced in the vault' },
    response: ExposedCredential,
  }),
  updateExposedCredentials: patch(path, {
    summary: 'Decide on many exposed credentials at once, by their ids or by a filter',
    description:
      'A task makes this decision under your name, with the same rules as a PATCH of each credential; with `waitSeconds` the ' +
      'answer has the finished task. A filter selects the credentials that fit when the task begins. Findings follow ' +
      '`false_positive`; after another decision they get back their own status. The `result` is `{matched, changed, unchanged, ' +
      'refused: [{id, code, message}], refusedCount, results?, findings}`; `findings` counts the findings that followed.',
    access: writes('findings:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    body: ExposedCredentialsUpdate,
    response: ExposedCredentialsUpdateAnswer,
  }),
  undoExposedCredentialsUpdate: post(`${path}/bulk/{taskId}/undo`, {
    summary: 'Undo a decision on many exposed credentials, for a day after the end of its task',
    description:
      'Each credential gets its former decision back, unless a person has decided on it again. Its findings get back their own ' +
      'status. A check of the credential that came meanwhile counts. The `result` is `{matched, restored, changedSince: [{id, ' +
      'code, message}], changedSinceCount, findings}`. Another request gets the same task.',
    access: writes('findings:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  }),
  listExposedCredentialPlaces: get(`${path}/{id}/places`, {
    summary: 'List the places where a credential was found, newest first',
    description:
      'The list includes fixed places. Each place has the status of its finding, or `false_positive` while the finding follows the ' +
      'credential.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Pagination.extend({
      in: z
        .enum(PLACES)
        .default('findings')
        .meta({ description: 'findings of default branches, those of others, or records of breaches' }),
    }),
    response: pageOf(CredentialPlace),
  }),
});

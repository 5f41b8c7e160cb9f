import { TrustedPublisher } from '#shared/code/integrations/trusted-publisher.ts';
import { admin, ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody, readOnly } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/organization/trusted-publishers';

/** A publisher whose host cannot change. */
export const ChangeablePublisher = TrustedPublisher.extend({
  kind: readOnly(TrustedPublisher.shape.kind),
  baseUrl: readOnly(TrustedPublisher.shape.baseUrl),
});

export const publisherRoutes = defineRoutes({
  createTrustedPublisher: post(path, {
    summary: 'Trust the CI jobs of a repository',
    description:
      'A job of the repository exchanges its identity token of GitHub Actions or GitLab CI for a token of ten minutes ' +
      '(`POST /api/v1/oauth/token`), which reports on the branch of the job only. So no key is stored in CI. docs/branches.md has the jobs.',
    access: ownAdmin,
    body: createBody(TrustedPublisher),
    response: TrustedPublisher,
  }),
  listTrustedPublishers: get(path, {
    summary: 'List trusted publishers, newest first, revoked ones included',
    description: '`lastUsedAt` shows which of them no job uses any more.',
    access: admin,
    query: Listing,
    response: pageOf(TrustedPublisher),
  }),
  getTrustedPublisher: get(`${path}/{id}`, {
    summary: 'Get a trusted publisher',
    description: '`repositoryId` is the id of the repository whose job came first, unless you gave it.',
    access: admin,
    response: TrustedPublisher,
  }),
  updateTrustedPublisher: patch(`${path}/{id}`, {
    summary: 'Change what the jobs of a repository may do',
    description:
      'A merge patch. Tokens that jobs have already keep their branch for at most ten minutes. After a rename of the repository change ' +
      '`repository`; its `repositoryId` stays. `"repositoryId": null` trusts the next repository of this name.',
    access: ownAdmin,
    body: patchBody(ChangeablePublisher, TrustedPublisher),
    response: TrustedPublisher,
  }),
  revokeTrustedPublisher: remove(`${path}/{id}`, {
    summary: 'Trust the CI jobs of a repository no longer',
    description: 'Tokens that jobs have end within a minute. The publisher stays in the list as `revoked`.',
    access: ownAdmin,
    response: Deletion,
  }),
});

import * as z from 'zod';
import { CODE_HOSTS, type CodeHost } from '#shared/code/integrations/integration.ts';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch } from '#shared/platform/http/route.ts';
import { RepositoryView } from './view.ts';

const software = '/api/v1/software';
const analyst = analystOf('assets');
const search = SearchQuery.shape.search;

const archived = z
  .enum(['true', 'false'])
  .optional()
  .meta({ description: '`true`: only archived ones; `false`: without them' });

const names: Record<CodeHost, string> = { codehost_a: 'GitHub', codehost_b: 'GitLab' };

/** The operations on one code host. */
const hostRoutes = <const H extends CodeHost>(vendor: H) =>
  ({
    list: get(`${software}/${vendor}/repos`, {
      operation: 'List repos',
      summary: `List the repositories of ${names[vendor]}, newest first`,
      description:
        'Lists the repositories of all connected accounts, from their events. Deleted repositories are not listed.',
      access: reads('assets:read'),
      query: Listing.extend(filterParameters),
      response: pageOf(RepositoryView),
    }),
    get: get(`${software}/${vendor}/repos/{id}`, {
      operation: 'Get repo',
      summary: `Read a repository of ${names[vendor]}`,
      description: '`GET /api/v1/findings?assetId=<assetId>` lists the findings of the repository.',
      access: reads('assets:read'),
      response: RepositoryView,
    }),
    update: patch(`${software}/${vendor}/repos/{id}`, {
      operation: 'Update repo',
      summary: `Change the criticality, owner, tags or scan policy of a repository of ${names[vendor]}`,
      description: 'A merge patch. Criticality, owner and tags belong to the asset of the repository.',
      access: analyst,
      body: patchBody(RepositoryView),
      response: RepositoryView,
    }),
  }) as const;

const a = hostRoutes('codehost_a');
const b = hostRoutes('codehost_b');

export const repositoryRoutes = defineRoutes({
  searchRepos: get(`${software}/repos/search`, {
    operation: 'Search Repos (by name; result item type depends on provider)',
    summary: 'Search the repositories of a code host by the words of their name, topics and description',
    description: 'Deleted repositories are not found.',
    access: reads('assets:read'),
    query: SearchQuery.extend({
      ...filterParameters,
      provider: z.enum(CODE_HOSTS).meta({ description: 'the code host' }),
    }),
    response: searchPageOf(RepositoryView),
  }),
  listRepositories: get('/api/v1/application-exposure/repositories', {
    operation: 'List Repositories (unified list of both hosts, each item with a vendor discriminator)',
    summary: 'List the repositories of both code hosts, newest first',
    description: '`vendor` names the code host. Deleted repositories are not listed.',
    access: reads('assets:read'),
    query: Listing.extend({ ...filterParameters, archived, search: search.optional() }),
    response: searchPageOf(RepositoryView),
  }),
  listCodehostARepos: a.list,
  getCodehostARepo: a.get,
  updateCodehostARepo: a.update,
  listCodehostBRepos: b.list,
  getCodehostBRepo: b.get,
  updateCodehostBRepo: b.update,
});

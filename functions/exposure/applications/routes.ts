import * as z from 'zod';
import { Application, ApplicationEnvironment } from '#shared/exposure/applications/application.ts';
import { SCOPE_KINDS } from '#shared/exposure/applications/scopes.ts';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { teamFilterParameters } from '#shared/platform/filter/read.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/software/applications';
const environment = `${path}/{id}/environments/{env_id}`;
const analyst = analystOf('assets');

const ApplicationCreate = createBody(Application).meta({ id: 'ApplicationCreate' });
const ApplicationUpdate = z.object(Application.shape).meta({ id: 'ApplicationUpdate' });
const EnvironmentCreate = createBody(ApplicationEnvironment).meta({ id: 'ApplicationEnvironmentCreate' });
const EnvironmentUpdate = z.object(ApplicationEnvironment.shape).meta({ id: 'ApplicationEnvironmentUpdate' });

const CloudTagKey = z
  .object({ key: z.string(), assets: z.int().positive().meta({ description: 'assets that have a tag with this key' }) })
  .meta({ id: 'CloudTagKey' });

const ScopeKind = objectNamed('ScopeKind', {
  kind: z.enum(SCOPE_KINDS),
  label: z.string(),
  valueFormat: z.string().meta({ description: 'the form of `value` in an item of `POST .../asset-links/bulk`' }),
  count: z.int().nonnegative().meta({ description: 'assets that an item of this kind can take' }),
});

export const applicationRoutes = defineRoutes({
  listApplications: get(path, {
    operation: 'List Applications',
    summary: 'List applications, newest first',
    description: '`assets` counts the linked assets that are not retired, and is always exact.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: Listing.extend(teamFilterParameters),
    response: pageOf(Application),
  }),
  createApplication: post(path, {
    operation: 'Create Application',
    summary: 'Create an application',
    description: 'The name must be unique; letter case does not matter. An organization has at most 500 applications.',
    access: analyst,
    closedToPart: 'a new application is in no part',
    body: ApplicationCreate,
    response: Application,
  }),
  listCloudTags: get(`${path}/cloud-tags`, {
    operation: 'List Cloud Tag Keys',
    summary: 'List the keys of cloud tags that assets have',
    description: 'The list is ordered by key. The numbers come from counters and do not count retired assets.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(CloudTagKey),
  }),
  listScopeKinds: get(`${path}/scope-kinds`, {
    operation: 'Get Scope Kinds',
    summary: 'List the kinds of items for linking assets in bulk',
    description:
      'Lists the kinds of items that `POST .../asset-links/bulk` accepts, each with its number of assets from counters.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(ScopeKind),
  }),
  getApplication: get(`${path}/{id}`, {
    operation: 'Get Application',
    summary: 'Read an application',
    description: 'Environments, assets, rules, findings and risk have their own operations below this path.',
    access: reads('assets:read'),
    inPart: 'seen',
    response: Application,
  }),
  updateApplication: patch(`${path}/{id}`, {
    operation: 'Update Application',
    summary: 'Change an application',
    description:
      'A merge patch; `memberIds` and `tags` are replaced whole. Changes of `criticality` and `internetExposed` affect the risk ' +
      'summary at once.',
    access: analyst,
    inPart: 'seen',
    body: patchBody(Application, ApplicationUpdate),
    response: Application,
  }),
  deleteApplication: remove(`${path}/{id}`, {
    operation: 'Delete Application',
    summary: 'Delete an application with its environments, rules, exclusions and links',
    description:
      'The application is deleted at once. A task (`apply_asset_rules`) removes its links from assets and their findings. Assets ' +
      'and findings stay. For a day `POST .../restore` brings the application back.',
    access: analyst,
    irreversible: true,
    closedToPart: 'it would end the links of assets outside of the part',
    response: Deletion,
  }),
  restoreApplication: post(`${path}/{id}/restore`, {
    operation: 'Restore Application',
    summary: 'Bring back an application that was deleted in the last day',
    description:
      'The application is back at once, with its id and environments. A task (`apply_asset_rules`) makes its rules, exclusions, ' +
      'links and scores again; rules and exclusions keep their conditions and name no saved filter any more. Another application that ' +
      'took the name meanwhile is a `conflict`.',
    access: analyst,
    closedToPart: 'it brings back the links of assets outside of the part',
    response: Application,
  }),
  listEnvironments: get(`${path}/{id}/environments`, {
    operation: 'List Environments',
    summary: 'List the environments of an application, oldest first',
    description: 'An application has at most 50 environments.',
    access: reads('assets:read'),
    inPart: 'seen',
    response: z.array(ApplicationEnvironment),
  }),
  createEnvironment: post(`${path}/{id}/environments`, {
    operation: 'Create Environment',
    summary: 'Add an environment to an application',
    description: 'Links and rules may name the environment. Its name must be unique within the application.',
    access: analyst,
    inPart: 'seen',
    body: EnvironmentCreate,
    response: ApplicationEnvironment,
  }),
  updateEnvironment: patch(environment, {
    operation: 'Update Environment',
    summary: 'Change an environment of an application',
    description: 'A merge patch; `version` is the version of the environment, not of the application.',
    access: analyst,
    inPart: 'seen',
    body: patchBody(ApplicationEnvironment, EnvironmentUpdate),
    response: ApplicationEnvironment,
  }),
  deleteEnvironment: remove(environment, {
    operation: 'Delete Environment',
    summary: 'Remove an environment from an application',
    description:
      'Links and rules of the environment stay in the application without an environment; a task updates the links.',
    access: analyst,
    closedToPart: 'links and rules of assets outside of the part may have the environment',
    response: Deletion,
  }),
});

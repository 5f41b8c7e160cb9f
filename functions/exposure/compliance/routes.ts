import * as z from 'zod';
import { CONTROL_STATUSES } from '#shared/exposure/compliance/assess.ts';
import { presentOnly } from '#shared/findings/view/present-only.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, onlyTrue, Pagination, pageOf, SearchQuery } from '#shared/platform/http/pagination.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { ComplianceFramework, ControlAssessment, ControlEvidence } from './records.ts';

const path = '/api/v1/compliance';

/** The assets that are assessed; all without these. */
const group = {
  zone: z.string().min(1).max(120).optional().meta({ description: 'assets of this zone' }),
  applicationId: Id.optional().meta({
    description:
      'assets of this application; benchmarks whose controls are checks are not assessed by application. For a tag, ask by an application with a rule on it',
  }),
  assetType: AssetType.optional().meta({
    description: 'assets of this type; combines with `zone` and `applicationId`',
  }),
  ...filterParameters,
  filter: filterParameters.filter.meta({
    description:
      'the same as a filter of assets: `zone:`, `application:` and `type:` with one value each, because counters answer; `filterId` takes such a saved filter',
  }),
};
const Group = z.object(group);
export type GroupQuery = z.output<typeof Group>;

export const complianceRoutes = defineRoutes({
  listFrameworks: get(`${path}/frameworks`, {
    summary: 'List frameworks with the numbers of controls that passed, failed and are not assessed',
    description:
      'The numbers cover all assets, or a group of assets. They come from counters that every write updates, so they are exact and ' +
      'cost the same for any number of findings. `failed`: the control has an open finding or an accepted risk. `passed`: the ' +
      'control has neither, and completed scans of the last 90 days looked for its weaknesses on each required type of asset. All ' +
      'other controls are `notAssessed`. With a role for a part of the organization send `zone` or `applicationId` of the part, unless ' +
      'it has only one. docs/compliance.md explains the rules.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: z.array(ComplianceFramework),
  }),
  getFramework: get(`${path}/frameworks/{frameworkId}`, {
    summary: 'Read the state of a framework',
    description: '`GET /api/v1/compliance/controls?framework=` lists the controls of the framework.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: ComplianceFramework,
  }),
  listControls: get(`${path}/controls`, {
    summary: 'List controls of frameworks with their status and criteria',
    description:
      'The list is ordered by framework and identifier. All filters combine. `criteria` has for each weakness or check of a ' +
      'control the number of findings that fail it, and the tools that looked for it.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Pagination.extend({
      ...group,
      framework: anyOf(z.string().min(1).max(80)).optional().meta({ description: 'ids of `/frameworks`' }),
      status: anyOf(z.enum(CONTROL_STATUSES)).optional(),
      exceptionsOnly: onlyTrue.meta({ description: 'controls that only accepted risks fail' }),
      search: SearchQuery.shape.search
        .optional()
        .meta({ description: 'words, all of which are in the identifier or the title' }),
    }),
    instead: presentOnly,
    response: pageOf(ControlAssessment),
  }),
  getControl: get(`${path}/controls/{controlId}`, {
    summary: 'Read a control with its evidence',
    description:
      'The evidence has the findings that fail the control, and the last scans of assets by tools, with their dates. `GET ' +
      '/api/v1/findings?weakness=` lists more findings of a weakness, `GET /api/v1/findings?check=` more findings of a check.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Group,
    instead: presentOnly,
    response: ControlEvidence,
  }),
});

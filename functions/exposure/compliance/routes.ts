import * as z from 'zod';
import { CONTROL_STATUSES } from '#shared/exposure/compliance/assess.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { anyOf, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
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
};
const Group = z.object(group);
export type GroupQuery = z.output<typeof Group>;

export const complianceRoutes = defineRoutes({
  listFrameworks: {
    method: 'GET',
    path: `${path}/frameworks`,
    summary: 'List frameworks with the controls that are met, failed and not assessed',
    description:
      'For all assets, or for those of a group. From counters that every write keeps, so that the numbers are exact and cost the same ' +
      'however many findings there are. `failed`: an open finding, or an accepted risk, is one of the control. `passed`: there is none, ' +
      'and completed scans of the last 90 days looked for it on each type of asset in question. Else `notAssessed`. docs/compliance.md.',
    access: reads('findings:read'),
    query: Group,
    response: z.array(ComplianceFramework),
  },
  getFramework: {
    method: 'GET',
    path: `${path}/frameworks/{frameworkId}`,
    summary: 'Read where a framework stands',
    description: 'Its controls: `GET /api/v1/compliance/controls?framework=`.',
    access: reads('findings:read'),
    query: Group,
    response: ComplianceFramework,
  },
  listControls: {
    method: 'GET',
    path: `${path}/controls`,
    summary: 'List controls of frameworks with their status and what it is made from',
    description:
      'In the order of the frameworks and of their identifiers. All filters combine. `criteria` says of each weakness or check of a ' +
      'control how many findings fail it, and who looked.',
    access: reads('findings:read'),
    query: Pagination.extend({
      ...group,
      framework: anyOf(z.string().min(1).max(80)).optional().meta({ description: 'ids of `/frameworks`' }),
      status: anyOf(z.enum(CONTROL_STATUSES)).optional(),
    }),
    response: pageOf(ControlAssessment),
  },
  getControl: {
    method: 'GET',
    path: `${path}/controls/{controlId}`,
    summary: 'Read a control with its evidence',
    description:
      'The findings that fail it, and the last looks of tools at assets with their days and scans. More findings of a weakness: ' +
      '`GET /api/v1/findings?weakness=`, of a check `GET /api/v1/findings?check=`.',
    access: reads('findings:read'),
    query: Group,
    response: ControlEvidence,
  },
});

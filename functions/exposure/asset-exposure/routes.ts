import * as z from 'zod';
import { reads } from '#shared/platform/auth/access.ts';
import { Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { VULNERABILITY_STATUSES } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** Most of each kind in an answer. */
export const MAX_LISTED = { services: 50, vulnerabilities: 50, credentials: 20, applications: 10 } as const;

const Node = z.object({
  id: z.string().meta({ description: 'of this answer; edges name it', example: 'service:443/tcp' }),
  kind: z.enum(['internet', 'asset', 'service', 'vulnerability', 'credential', 'application']),
  text: z.string().meta({ description: 'one sentence' }),
  recordId: Id.nullable().meta({ description: 'of the asset, vulnerability, exposed credential or application' }),
  severity: Severity.nullable(),
  status: z.enum(VULNERABILITY_STATUSES).nullable(),
  priority: z.int().nullable(),
});
export type Node = z.infer<typeof Node>;

const Edge = z.object({ from: z.string(), to: z.string(), text: z.string().meta({ description: 'one sentence' }) });
export type Edge = z.infer<typeof Edge>;

const AssetExposure = objectNamed('AssetExposure', {
  assetId: Id,
  internetExposed: z
    .boolean()
    .nullable()
    .meta({ description: 'null: nobody said; then nothing leads from the internet' }),
  nodes: z.array(Node),
  edges: z.array(Edge),
  truncated: z.boolean().meta({
    description: 'there are more services, credentials or applications, or more open findings than were looked at',
  }),
});
export type AssetExposure = z.infer<typeof AssetExposure>;

export const assetExposureRoutes = defineRoutes({
  getAssetExposure: get('/api/v1/assets/{id}/exposure', {
    summary: 'Read the paths from the internet to the vulnerabilities, credentials and applications of an asset',
    description:
      'The answer is a graph with two steps. The first step leads from the internet to the services of an asset that is ' +
      '`internetExposed`. The second step leads from a service to the open vulnerabilities and active exposed credentials that ' +
      'findings report on its port, and to the vulnerabilities of its product. Vulnerabilities and credentials that no service ' +
      'leads to follow from the asset. The linked applications follow from each service that the internet reaches, or else from ' +
      `the asset. Only callers who may read findings see credentials. The answer has at most ${MAX_LISTED.services} services, the ` +
      `${MAX_LISTED.vulnerabilities} vulnerabilities of the highest priority, the ${MAX_LISTED.credentials} newest credentials and ` +
      `${MAX_LISTED.applications} applications.`,
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    response: AssetExposure,
  }),
});

import * as z from 'zod';
import { Asset } from '#shared/entities/asset.ts';
import { FindingListItem } from '#shared/entities/finding.ts';
import { ScanTarget } from '#shared/entities/scan-target.ts';
import { Pagination, pageOf, SearchQuery } from '#shared/http/pagination.ts';
import { Id, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { Severity } from '#shared/reports/report.ts';

const engagement = '/api/v1/apex/engagements/{id}';
const intel = `${engagement}/intel` as const;
const access = { role: 'viewer', machines: ['apex'] } as const;

const mayTruncate = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({
    truncated: z.literal(true).optional().meta({ description: 'present when there is more than what was looked at' }),
  });

const IntelTarget = z
  .object({
    value: z.string(),
    zone: z.string().nullable(),
    assetId: Id.nullable().meta({ description: 'null: nothing was found on it yet' }),
  })
  .meta({ id: 'IntelTarget' });

const IntelDomain = z
  .object({
    name: z.string(),
    zone: z.string().nullable(),
    subdomains: z.boolean().meta({ description: 'names below it are in scope too, unless excluded' }),
    targets: z.int().positive().meta({ description: 'targets that name it' }),
  })
  .meta({ id: 'IntelDomain' });
export type IntelDomain = z.infer<typeof IntelDomain>;

const IntelService = z
  .object({
    service: z.string().nullable(),
    product: z.string().nullable(),
    port: z.int(),
    protocol: z.string(),
    assets: z.int().positive(),
    exposedAssets: z.int().nonnegative().meta({ description: 'of these, known to be reachable from the internet' }),
    on: z
      .array(z.object({ id: Id, name: z.string(), zone: z.string().nullable() }))
      .meta({ description: 'the assets, 20 at most' }),
  })
  .meta({ id: 'IntelService' });
export type IntelService = z.infer<typeof IntelService>;

const IntelVulnerability = z
  .object({
    cve: z.string(),
    asset: FindingListItem.shape.asset,
    severity: Severity,
    cvssScore: z.number().nullable(),
    epss: z.number().nullable(),
    kev: z.boolean(),
    findings: z.int().positive(),
    findingIds: z.array(Id).meta({ description: '20 at most' }),
    firstSeenAt: Timestamp,
  })
  .meta({ id: 'IntelVulnerability' });
export type IntelVulnerability = z.infer<typeof IntelVulnerability>;

const ScopeItem = ScanTarget.extend({ kind: z.enum(['target', 'exclusion']) }).meta({ id: 'EngagementScopeItem' });

const who =
  'An appliance sees it while it holds a task of the engagement; otherwise the engagement does not exist for it. ';
const covered =
  'Covered is what lies within a target of the same zone and in no exclusion; names are not resolved. At most 200 ' +
  'assets are looked at, found by the names and address ranges of the targets (of a single address the host and the ' +
  'sites at its usual ports); `truncated` says that there are more. ';

export const apexIntelRoutes = defineRoutes({
  getEngagementScope: {
    method: 'GET',
    path: `${engagement}/scope`,
    operation: 'Scope',
    summary: 'What an engagement may look at, and what it must not',
    description: `${who}Targets first, then exclusions.`,
    access,
    query: Pagination,
    response: pageOf(ScopeItem),
  },
  listIntelApplications: {
    method: 'GET',
    path: `${intel}/applications`,
    operation: 'Applications',
    summary: "The applications among an engagement's targets",
    description: who,
    access,
    query: Pagination,
    response: pageOf(IntelTarget),
  },
  listIntelRepositories: {
    method: 'GET',
    path: `${intel}/repositories`,
    operation: 'Repositories',
    summary: "The repositories among an engagement's targets",
    description: who,
    access,
    query: Pagination,
    response: pageOf(IntelTarget),
  },
  listIntelDomains: {
    method: 'GET',
    path: `${intel}/domains`,
    operation: 'Domains',
    summary: "The host names of an engagement's targets, those of URLs too",
    description: who,
    access,
    query: Pagination,
    response: pageOf(IntelDomain),
  },
  searchIntelAssets: {
    method: 'GET',
    path: `${intel}/assets/search`,
    operation: 'Assets Search',
    summary: 'Search the assets that an engagement covers',
    description: `${who}Words as in every search; of at most 1,000 matches those are answered that the scope covers.`,
    access,
    query: SearchQuery,
    response: mayTruncate(Asset),
  },
  listAttackSurface: {
    method: 'GET',
    path: `${intel}/attack-surface`,
    operation: 'Attack Surface',
    summary: 'Services that are open on what an engagement covers, by port and product',
    description: `${who}From the open ports that scans found and that are still open. ${covered}`,
    access,
    query: Pagination,
    response: mayTruncate(IntelService),
  },
  listIntelFindings: {
    method: 'GET',
    path: `${intel}/findings`,
    operation: 'Apex Findings',
    summary: 'Findings on what an engagement covers, newest first',
    description: `${who}Whichever scan or engagement found them, in every status; the newest 100 of an asset. ${covered}`,
    access,
    query: Pagination,
    response: mayTruncate(FindingListItem),
  },
  listIntelVulnerabilities: {
    method: 'GET',
    path: `${intel}/vulnerabilities`,
    operation: 'Vulnerabilities',
    summary: 'Open findings with a CVE on what an engagement covers, by CVE and asset, worst first',
    description: `${who}${covered}`,
    access,
    query: Pagination,
    response: mayTruncate(IntelVulnerability),
  },
});

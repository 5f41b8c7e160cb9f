import * as z from 'zod';
import { Asset } from '#shared/assets/asset/asset.ts';
import { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { FindingListItem } from '#shared/findings/finding/finding.ts';
import type { RoleArea } from '#shared/platform/auth/levels.ts';
import { Pagination, pageOf, SearchQuery } from '#shared/platform/http/pagination.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';

const engagement = '/api/v1/apex/engagements/{id}';
const intel = `${engagement}/intel` as const;
/** For appliances, and for people who read the records of the area. */
const read = <A extends RoleArea>(area: A) => ({ role: 'viewer', area, machines: ['apex'] }) as const;

const mayTruncate = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({
    truncated: z.literal(true).optional().meta({ description: 'present when the answer is incomplete' }),
  });

const IntelTarget = objectNamed('IntelTarget', {
  value: z.string(),
  zone: z.string().nullable(),
  assetId: Id.nullable().meta({ description: 'null: nothing was found on it yet' }),
});

const IntelDomain = objectNamed('IntelDomain', {
  name: z.string(),
  zone: z.string().nullable(),
  subdomains: z.boolean().meta({ description: 'names below it are in scope too, unless excluded' }),
  targets: z.int().positive().meta({ description: 'number of targets that name it' }),
});
export type IntelDomain = z.infer<typeof IntelDomain>;

const IntelService = objectNamed('IntelService', {
  service: z.string().nullable(),
  product: z.string().nullable(),
  port: z.int(),
  protocol: z.string(),
  assets: z.int().positive(),
  exposedAssets: z.int().nonnegative().meta({ description: 'assets known to be reachable from the internet' }),
  on: z
    .array(z.object({ id: Id, name: z.string(), zone: z.string().nullable() }))
    .meta({ description: 'the assets, 20 at most' }),
});
export type IntelService = z.infer<typeof IntelService>;

const IntelVulnerability = objectNamed('IntelVulnerability', {
  cve: z.string(),
  asset: FindingListItem.shape.asset,
  severity: Severity,
  cvssScore: z.number().nullable(),
  epss: z.number().nullable(),
  kev: z.boolean(),
  findings: z.int().positive(),
  findingIds: z.array(Id).meta({ description: '20 at most' }),
  firstSeenAt: Timestamp,
});
export type IntelVulnerability = z.infer<typeof IntelVulnerability>;

const ScopeItem = ScanTarget.extend({ kind: z.enum(['target', 'exclusion']) }).meta({ id: 'EngagementScopeItem' });

const who = 'An appliance can read this while it holds a task of the engagement; otherwise it gets `not_found`. ';
const covered =
  'The engagement scope covers an asset that is within a target of the same zone and in no exclusion; names are not resolved. At ' +
  'most 200 assets are read, found by the names and address ranges of the targets (for a single address its host and the sites at ' +
  'its usual ports); `truncated` means that more exist. ';

export const apexIntelRoutes = defineRoutes({
  getEngagementScope: get(`${engagement}/scope`, {
    operation: 'Scope',
    summary: 'List the targets and the exclusions of an engagement',
    description: `${who}The list has targets first, then exclusions.`,
    access: read('scanning'),
    query: Pagination,
    response: pageOf(ScopeItem),
  }),
  listIntelApplications: get(`${intel}/applications`, {
    operation: 'Applications',
    summary: "List the applications among an engagement's targets",
    description: who,
    access: read('scanning'),
    query: Pagination,
    response: pageOf(IntelTarget),
  }),
  listIntelRepositories: get(`${intel}/repositories`, {
    operation: 'Repositories',
    summary: "List the repositories among an engagement's targets",
    description: who,
    access: read('scanning'),
    query: Pagination,
    response: pageOf(IntelTarget),
  }),
  listIntelDomains: get(`${intel}/domains`, {
    operation: 'Domains',
    summary: "List the host names of an engagement's targets, also of URLs",
    description: who,
    access: read('scanning'),
    query: Pagination,
    response: pageOf(IntelDomain),
  }),
  searchIntelAssets: get(`${intel}/assets/search`, {
    operation: 'Assets Search',
    summary: 'Search the assets that an engagement covers',
    description: `${who}The search works as every search. The answer has the matches in the engagement scope among the first 1,000.`,
    access: read('assets'),
    query: SearchQuery,
    response: mayTruncate(Asset),
  }),
  listAttackSurface: get(`${intel}/attack-surface`, {
    operation: 'Attack Surface',
    summary: 'List open services on assets in the engagement scope, by port and product',
    description: `${who}The services come from ports that scans found open and that are still open. ${covered}`,
    access: read('assets'),
    query: Pagination,
    response: mayTruncate(IntelService),
  }),
  listIntelFindings: get(`${intel}/findings`, {
    operation: 'Apex Findings',
    summary: 'List findings on assets in the engagement scope, newest first',
    description: `${who}Lists the findings of all scans and engagements, in any status: the newest 100 of each asset. ${covered}`,
    access: read('findings'),
    query: Pagination,
    response: mayTruncate(FindingListItem),
  }),
  listIntelVulnerabilities: get(`${intel}/vulnerabilities`, {
    operation: 'Vulnerabilities',
    summary: 'List open findings with a CVE on assets in the engagement scope, by CVE and asset, worst first',
    description: `${who}${covered}`,
    access: read('findings'),
    query: Pagination,
    response: mayTruncate(IntelVulnerability),
  }),
});

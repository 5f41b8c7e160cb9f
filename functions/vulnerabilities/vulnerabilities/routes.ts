import * as z from 'zod';
import { approverId } from '#shared/findings/triage/people.ts';
import { acceptsRisks, reads, writes } from '#shared/platform/auth/access.ts';
import { EXPORT_DAYS, ExportedFile, followedExport, queuedExport } from '#shared/platform/exports/export.ts';
import { anyOf, Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { assigneeId, decisionFields } from '#shared/vulnerabilities/vulnerability/change.ts';
import { VULNERABILITY_COLUMNS, VulnerabilityExportFormat } from '#shared/vulnerabilities/vulnerability/export.ts';
import { VulnerabilityOrder, vulnerabilityFilters } from '#shared/vulnerabilities/vulnerability/filter.ts';
import { Vulnerability, VulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import {
  VulnerabilitiesByAdvisory,
  VulnerabilitiesByFix,
} from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';

const path = '/api/v1/vulnerabilities';

const decision = {
  status: Vulnerability.shape.status,
  ...decisionFields,
  approverId: approverId.nullish(),
  assigneeId,
};

const VulnerabilityUpdate = z.object(decision).meta({ id: 'VulnerabilityUpdate' });

const VulnerabilitiesExport = objectNamed('VulnerabilitiesExport', {
  format: VulnerabilityExportFormat.default('csv').meta({ description: '`vex` is OpenVEX 0.2.0' }),
  filter: z
    .strictObject({ ...vulnerabilityFilters, search: SearchQuery.shape.search.optional() })
    .default({})
    .meta({ example: { status: ['open'], severity: ['critical', 'high'] } }),
  columns: z
    .array(z.enum(VULNERABILITY_COLUMNS))
    .min(1)
    .max(VULNERABILITY_COLUMNS.length)
    .optional()
    .meta({
      description:
        'of `csv` and `jsonl`; without them a CSV has all, a line of JSON the whole vulnerability as lists show it, with ' +
        '`owner`, `applications` and `asset.tags`, the facts of its asset',
      example: ['advisoryId', 'component.name', 'asset.name'],
    }),
});
export type VulnerabilitiesExport = z.output<typeof VulnerabilitiesExport>;

const ExportedVulnerabilities = ExportedFile.extend({ vulnerabilities: z.int().nonnegative() }).meta({
  id: 'ExportedVulnerabilities',
});
const VulnerabilitiesExportAnswer = followedExport(ExportedVulnerabilities).meta({ id: 'VulnerabilitiesExportAnswer' });
const VulnerabilitiesExportQueued = queuedExport(ExportedVulnerabilities).meta({ id: 'VulnerabilitiesExportQueued' });

/** A list of groups, which may be sorted by one of their numbers. */
const groupedBy = <const N extends string>(order: N) =>
  Listing.extend({
    severity: anyOf(Severity).optional().meta({ description: 'the highest of the group' }),
    kev: vulnerabilityFilters.kev.meta({ description: 'groups with one that is known to be exploited (CISA KEV)' }),
    sort: z
      .enum(['newest', order], `must be newest or ${order}`)
      .optional()
      .meta({ description: `\`${order}\`: the highest first, up to position 1,000` }),
  });

const listed = (filter: string): string =>
  `is not offered: a group counts the open vulnerabilities of all assets. GET ${path}?sort=priority with ${filter} lists those that it finds`;

/** Filters of vulnerabilities that no group can answer, each with what to ask instead. */
const NOT_OF_GROUPS = Object.fromEntries(
  ['status', 'tag', 'assetId', 'assigneeId', 'overdue', 'tool', 'ssvc', 'epssFrom'].map((name) => [name, listed(name)]),
);

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = `a group counts the vulnerabilities of all assets; GET ${path}?sort=priority lists those of your part`;

export const vulnerabilityRoutes = defineRoutes({
  listVulnerabilities: get(path, {
    summary: 'List vulnerabilities, newest first',
    description:
      'A vulnerability is one advisory on one component of one asset, from all findings of any tool on default branches that name ' +
      'it. It is updated within seconds after a report, and within minutes after other changes. All filters combine.',
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: Listing.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  }),
  searchVulnerabilities: get(`${path}/search`, {
    summary: 'Search vulnerabilities by the words of their advisory, component and asset',
    description:
      'Each word of `search` must be the beginning of a word of the advisory, its aliases, the component or the last part of the ' +
      "asset's name. The filters of the list combine with the words.",
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: SearchQuery.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  }),
  listVulnerabilitiesByAdvisory: get(`${path}/by-advisory`, {
    summary: 'List advisories with their open vulnerabilities, newest first',
    description:
      'Each advisory has its number of assets, its open vulnerabilities by severity and their highest priority (`sort=priority`).',
    access: reads('vulnerabilities:read'),
    closedToPart,
    query: groupedBy('priority').extend({
      advisoryId: vulnerabilityFilters.advisoryId.meta({ description: 'the id under which it is listed' }),
    }),
    instead: { ...NOT_OF_GROUPS, component: listed('component'), cve: 'is not offered: send it as advisoryId' },
    response: pageOf(VulnerabilitiesByAdvisory),
  }),
  listVulnerabilitiesByFix: get(`${path}/by-fix`, {
    summary: 'List upgrades of components with the open vulnerabilities that each closes, newest first',
    description:
      'For example: "Upgrade log4j-core to 2.17.1 on 214 assets closes 642". `sort=closes` lists the upgrades first that close the ' +
      'most. `version` is the lowest version that closes all vulnerabilities of the upgrade. A vulnerability without a known fixed ' +
      'version is in no upgrade.',
    access: reads('vulnerabilities:read'),
    closedToPart,
    query: groupedBy('closes').extend({ component: vulnerabilityFilters.component }),
    instead: { ...NOT_OF_GROUPS, advisoryId: listed('advisoryId'), cve: listed('cve') },
    response: pageOf(VulnerabilitiesByFix),
  }),
  exportVulnerabilities: post(`${path}/export`, {
    summary: 'Export vulnerabilities as CSV, JSON lines or VEX',
    description:
      'A queued task writes all vulnerabilities that fit `filter` (the filters of the list, and `search`) into a file, newest ' +
      `first, of any size; \`GET ${path}/export/{taskId}\` answers its address, and so does this answer, if the file is written ` +
      'within `waitSeconds`. OpenVEX has a statement for each vulnerability: `under_investigation` until a person triages it, then ' +
      '`affected`, `not_affected` (false positive) or `fixed`.',
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    readOnly: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    body: VulnerabilitiesExport,
    response: VulnerabilitiesExportQueued,
  }),
  getVulnerabilitiesExport: get(`${path}/export/{taskId}`, {
    summary: 'Get the state of an export of vulnerabilities and the address of its file',
    description:
      'The address works for 15 minutes and needs no credential; `waitSeconds` waits for the end of the export. The file is ' +
      `removed after ${EXPORT_DAYS} days.`,
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: VulnerabilitiesExportAnswer,
  }),
  getVulnerability: get(`${path}/{id}`, {
    summary: 'Read a vulnerability with its findings',
    description: 'The history of decisions is in `GET /api/v1/changes?entity=vulnerability`.',
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    response: Vulnerability,
  }),
  updateVulnerability: patch(`${path}/{id}`, {
    summary: 'Decide on a vulnerability: in progress, risk accepted, false positive, or open again',
    description:
      'A merge patch. A decision stays when findings appear, disappear or return. Only `fixed` comes from the findings alone; a ' +
      'vulnerability that returns has its earlier decision again. `risk_accepted` needs a `reason`, and ends at `acceptedUntil`. ' +
      '`open` removes a decision. `assigneeId: null` removes the assignee. The decision applies to the current and later findings ' +
      'of the vulnerability: the task `taskId` (`update_vulnerabilities`) updates them, and their `follows` and history name the ' +
      'vulnerability. A finding that names several vulnerabilities follows once all of them have a decision, and takes the ' +
      'decision that leaves the most to do; a later decision on the finding itself overrides it. Without a decision a finding has ' +
      'its own status again.',
    access: acceptsRisks(writes('vulnerabilities:write')),
    inPart: 'seen',
    body: patchBody(Vulnerability.extend(decision), VulnerabilityUpdate),
    response: Vulnerability,
  }),
});

import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import { TREATMENTS, Vulnerability, VulnerabilityListItem } from '#shared/entities/vulnerability.ts';
import { VulnerabilitiesByAdvisory, VulnerabilitiesByFix } from '#shared/entities/vulnerability-group.ts';
import { approverId } from '#shared/findings/people.ts';
import { anyOf, Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/http/pagination.ts';
import { patchBody, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { Severity } from '#shared/reports/report.ts';
import { VulnerabilityOrder, vulnerabilityFilters } from '#shared/vulnerabilities/filter.ts';

const path = '/api/v1/vulnerabilities';

const decision = {
  status: Vulnerability.shape.status,
  reason: z.string().min(1).max(300).nullish().meta({ description: 'why; becomes `statusReason`' }),
  acceptedUntil: Timestamp.nullish().meta({ description: 'of an accepted risk; then the vulnerability is open again' }),
  treatment: z.enum(TREATMENTS).nullish().meta({ description: 'of an accepted risk; `accept` unless it is named' }),
  approverId: approverId.nullish(),
  assigneeId: z.string().min(1).max(120).nullish().meta({ description: 'a service account, or yourself' }),
};

const VulnerabilityUpdate = z.object(decision).meta({ id: 'VulnerabilityUpdate' });

/** A list of groups, which may be sorted by one of their numbers. */
const groupedBy = <const N extends string>(order: N) =>
  Pagination.extend({
    severity: anyOf(Severity).optional().meta({ description: 'the highest of the group' }),
    sort: z
      .enum(['newest', order], `must be newest or ${order}`)
      .optional()
      .meta({ description: `\`${order}\`: the highest first, up to position 1,000` }),
  });

export const vulnerabilityRoutes = defineRoutes({
  listVulnerabilities: {
    method: 'GET',
    path,
    summary: 'List vulnerabilities, newest first',
    description:
      'One advisory on one component of one asset, from all findings on default branches that name it, whatever their tool. It follows ' +
      'them within seconds after a report, and within minutes after other changes. All filters combine.',
    access: reads('vulnerabilities:read'),
    query: Pagination.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  },
  searchVulnerabilities: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search vulnerabilities by the words of advisory, component and asset',
    description:
      'Each word of `search` must be the beginning of a word of the advisory, its aliases, the component or the last part of the ' +
      "asset's name. The filters of the list combine with the words.",
    access: reads('vulnerabilities:read'),
    query: SearchQuery.extend({ ...vulnerabilityFilters, sort: VulnerabilityOrder }),
    response: searchPageOf(VulnerabilityListItem),
  },
  listVulnerabilitiesByAdvisory: {
    method: 'GET',
    path: `${path}/by-advisory`,
    summary: 'List advisories with the open vulnerabilities that they make, newest first',
    description:
      'Each with its assets, its open vulnerabilities by severity and their highest priority (`sort=priority`).',
    access: reads('vulnerabilities:read'),
    query: groupedBy('priority'),
    response: pageOf(VulnerabilitiesByAdvisory),
  },
  listVulnerabilitiesByFix: {
    method: 'GET',
    path: `${path}/by-fix`,
    summary: 'List upgrades of components with the open vulnerabilities that each closes, newest first',
    description:
      '"Upgrade log4j-core to 2.17.1 on 214 assets closes 642": `sort=closes` puts those first that close the most. `version` is the highest of the lowest versions that close each; ' +
      'a vulnerability of which nobody names a fixed version is in none.',
    access: reads('vulnerabilities:read'),
    query: groupedBy('closes'),
    response: pageOf(VulnerabilitiesByFix),
  },
  getVulnerability: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a vulnerability with its findings',
    description: 'Who decided what and when: `GET /api/v1/changes?entity=vulnerability`.',
    access: reads('vulnerabilities:read'),
    response: Vulnerability,
  },
  updateVulnerability: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Decide on a vulnerability: in progress, risk accepted, false positive, or open again',
    description:
      'A merge patch. A decision stays whatever findings come, go or return; only `fixed` follows its findings alone, and a vulnerability ' +
      'that returns has the decision as before. `risk_accepted` needs a `reason`, and ends with `acceptedUntil`. `open` takes a ' +
      'decision back. `assigneeId` null takes the assignee away.',
    access: writes('vulnerabilities:write'),
    body: patchBody(Vulnerability.extend(decision), VulnerabilityUpdate),
    response: Vulnerability,
  },
});

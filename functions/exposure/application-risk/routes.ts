import * as z from 'zod';
import { GRADES } from '#shared/exposure/applications/risk.ts';
import { FindingOrder, findingFilters } from '#shared/findings/finding/filter.ts';
import { FindingListItem } from '#shared/findings/finding/finding.ts';
import { presentOnly } from '#shared/findings/view/present-only.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { VulnerabilityOrder, vulnerabilityFilters } from '#shared/vulnerabilities/vulnerability/filter.ts';
import { VulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

const path = '/api/v1/software/applications/{id}';

/** The days of the trend of a risk summary, today included. */
export const TREND_DAYS = 90;

const RiskSummary = objectNamed('ApplicationRiskSummary', {
  score: z.int().min(0).max(100).meta({ description: 'docs/applications.md has the formula' }),
  grade: z
    .enum(GRADES)
    .meta({ description: '`A`: no open finding above info; `B` below 20, `C` below 40, `D` below 60, else `E`' }),
  factors: z
    .array(
      z.object({
        name: z.enum(['severity', 'exploited', 'overdue', 'criticality', 'exposure']),
        value: z.union([z.number(), z.string(), z.boolean()]),
        contribution: z.number().meta({ description: 'points of the score' }),
      }),
    )
    .meta({ description: 'the contributions add up to the score' }),
  openFindings: z.record(Severity, z.int().nonnegative()).meta({ description: 'open or in progress' }),
  kevOpen: z
    .int()
    .nonnegative()
    .meta({ description: 'of these, those with a vulnerability that is known to be exploited' }),
  overdue: z.int().nonnegative(),
  change30d: z
    .int()
    .nullable()
    .meta({ description: 'the score less that of 30 days ago; null: there is none of that day' }),
  trend: z.array(z.object({ date: z.iso.date(), score: z.int() })).meta({
    description: `a score for each of the last ${TREND_DAYS} days on which there is one, written once a day; today's is the present one`,
  }),
  computedAt: Timestamp,
  ...figureLinks,
});

const { applicationId: _one, ...ofFindings } = findingFilters;
const { applicationId: _other, ...ofVulnerabilities } = vulnerabilityFilters;

export const applicationRiskRoutes = defineRoutes({
  listApplicationFindings: get(`${path}/findings`, {
    operation: 'findings of the application',
    summary: 'List the findings of an application, newest first',
    description: 'Lists the findings of all linked assets, with the filters and orders of `GET /api/v1/findings`.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: Listing.extend({ ...ofFindings, sort: FindingOrder }),
    response: pageOf(FindingListItem),
  }),
  listApplicationVulnerabilities: get(`${path}/asset-vulnerabilities`, {
    operation: 'vulnerabilities on every asset linked to the application',
    summary: 'List the vulnerabilities of an application, newest first',
    description:
      'Lists the vulnerabilities of all linked assets, with the filters and orders of `GET /api/v1/vulnerabilities`.',
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: Listing.extend({ ...ofVulnerabilities, sort: VulnerabilityOrder }),
    response: pageOf(VulnerabilityListItem),
  }),
  getRiskSummary: get(`${path}/risk-summary`, {
    operation: 'risk summary of the application',
    summary: 'Read the risk score of an application with its factors',
    description:
      'The score is the sum of its `factors`; docs/applications.md has the formula. `trend` has a score for each day; `change30d` ' +
      'compares the score with the score of 30 days ago.',
    access: reads('findings:read'),
    instead: presentOnly,
    inPart: 'seen',
    response: RiskSummary,
  }),
});

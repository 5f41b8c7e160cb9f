import { hash } from 'node:crypto';
import { organizations } from '#shared/credentials/organization.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { teams } from '#shared/people/team.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { brandOf, readBrand } from './brand.ts';
import type { Counting } from './counting.ts';
import type { ReportDocument } from './document.ts';
import { sectionsOf } from './kinds.ts';
import type { ReportSettings } from './report.ts';
import type { Summary } from './sections/summary.ts';

/** All that a report says, in no language: plain data, kept beside its files. */
export type Facts = {
  reportId: string;
  settings: Omit<ReportSettings, 'filter' | 'filterId'>;
  asOf: string;
  since: string;
  organization: string;
  /** The looks of that moment: a change of them changes no report. */
  brand: ReportDocument['brand'];
  /** The name of the application, team or test that the report is about. */
  about: string | null;
  filter: string | null;
  maker: string;
  isWhole: boolean;
  /** By the names of the sections of the kind. */
  sections: Record<string, unknown> & { summary?: Summary };
};

/** Sections that are gathered at the same time: each of them asks for some dozen counts. */
export async function gatherFacts(counting: Counting): Promise<Facts> {
  const { report, table, at, since, findings } = counting;
  const { kind, title, language, periodDays, applicationId, teamId, engagementId, framework } = report;
  const [organization, about, brand] = await Promise.all([
    openTable(table.dynamo, GLOBAL_SCOPE).find(organizations, table.organizationId),
    aboutOf(counting),
    readBrand(table),
  ]);
  const name = organization?.name ?? '';
  const classification = report.classification ?? brand.classification;
  const sections: Facts['sections'] = {};
  for (const [name, { gather }] of sectionsOf(kind)) sections[name] = await gather(counting);
  return {
    reportId: report.id,
    settings: { kind, title, language, classification, periodDays, applicationId, teamId, engagementId, framework },
    asOf: new Date(at).toISOString(),
    since,
    organization: name,
    brand: brandOf(name, brand),
    about,
    filter: findings || null,
    maker: report.createdBy.name,
    isWhole: !table.part,
    sections,
  };
}

async function aboutOf({ table, report: { applicationId, teamId, engagementId } }: Counting): Promise<string | null> {
  if (applicationId) return (await table.get(applications, applicationId)).name;
  if (teamId) return (await table.get(teams, teamId)).name;
  return engagementId ? (await table.get(engagements, engagementId)).title : null;
}

/**
 * The SHA-256 of what the facts say: without the report and its time, without days that move with the time, and without the former
 * report. The same data give the same hash.
 */
export function hashOf({ settings, sections, organization, about, filter, isWhole }: Facts): string {
  const said = JSON.stringify({ settings, sections, organization, about, filter, isWhole }, (name, value) =>
    MOVING.includes(name) ? undefined : value,
  );
  return hash('sha256', said, 'hex');
}

const MOVING: readonly string[] = ['list', 'former', 'days', 'decideBy', 'endsBy'];

import { applications } from '#shared/exposure/applications/application.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { teams } from '#shared/people/team.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import type { ReportKind, ReportSettings } from './report.ts';

/** The setting that only one kind has, and needs. */
const OWN = { applicationId: 'application', teamId: 'team', engagementId: 'engagement' } as const;

/** Kinds whose facts are of assets or of vulnerabilities: a filter of findings chooses nothing there. */
const UNFILTERED: readonly ReportKind[] = ['compliance', 'sbom_vex'];

/** @throws validation_failed for a setting that is missing, or that the kind does not have; not_found for what the caller does not see */
export async function assertSettings(table: Table, caller: Caller, settings: ReportSettings): Promise<void> {
  const { kind, filter, applicationId, teamId, engagementId, framework } = settings;
  for (const [name, owner] of Object.entries(OWN)) {
    const value = settings[name as keyof typeof OWN];
    const isOpen = name === 'applicationId' && kind === 'sbom_vex';
    if (kind === owner && value === null) throw invalid(name, `must be given: the report is about it`);
    if (kind !== owner && value !== null && !isOpen) throw invalid(name, `belongs to the kind ${owner}: leave it out`);
  }
  if (framework !== null) await assertFramework(kind, framework);
  if (filter !== null && UNFILTERED.includes(kind)) throw invalid('filter', `must be left out for the kind ${kind}`);
  await Promise.all([
    filter !== null && readMatching({ table, caller }, findingFilter, filter),
    applicationId && table.get(applications, applicationId),
    teamId && table.get(teams, teamId),
    engagementId && table.get(engagements, engagementId),
  ]);
}

async function assertFramework(kind: ReportKind, framework: string): Promise<void> {
  if (kind !== 'compliance') throw invalid('framework', 'belongs to the kind compliance: leave it out');
  const { frameworks } = await import('#shared/exposure/compliance/frameworks.ts');
  const known = frameworks().map(({ id }) => id);
  if (!known.includes(framework)) throw invalid('framework', `must be one of ${known.join(', ')}`);
}

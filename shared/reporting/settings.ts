import { applications } from '#shared/exposure/applications/application.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { teams } from '#shared/people/team.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed, refusalOf } from '#shared/platform/auth/permissions.ts';
import { namedFilter, readMatching } from '#shared/platform/filter/read.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { REPORT_KINDS, type ReportKind, type ReportSettings, UNFILTERED } from './report.ts';

/** The setting that only one kind has, and needs. */
const OWN = { applicationId: 'application', teamId: 'team', engagementId: 'engagement' } as const;

/** @throws validation_failed for a setting that is missing, or that the kind does not have; not_found for what the caller does not see */
export async function assertSettings(table: Table, caller: Caller, settings: ReportSettings): Promise<void> {
  assertKind(table, caller, settings);
  const { kind, filter, filterId, applicationId, teamId, engagementId, framework } = settings;
  for (const [name, owner] of Object.entries(OWN)) {
    const value = settings[name as keyof typeof OWN];
    const isOpen = name === 'applicationId' && kind === 'sbom_vex';
    if (kind === owner && value === null) throw invalid(name, `must be given: the report is about it`);
    if (kind !== owner && value !== null && !isOpen) throw invalid(name, `belongs to the kind ${owner}: leave it out`);
  }
  if (framework !== null) await assertFramework(kind, framework);
  if (filter !== null && UNFILTERED.includes(kind)) throw invalid('filter', `must be left out for the kind ${kind}`);
  if (filterId !== null && (filter !== null || UNFILTERED.includes(kind)))
    throw invalid(
      'filterId',
      filter === null ? `must be left out for the kind ${kind}` : 'must be left out beside filter',
    );
  await Promise.all([
    filter !== null && readMatching({ table, caller }, findingFilter, filter),
    filterId !== null && namedFilter({ table, caller }, { id: filterId, entity: 'finding' }),
    applicationId && table.get(applications, applicationId),
    teamId && table.get(teams, teamId),
    engagementId && table.get(engagements, engagementId),
  ]);
}

/** @throws insufficient_scope, validation_failed for a kind that shows more than the caller sees */
export function assertKind({ part }: Table, caller: Caller, { kind }: Pick<ReportSettings, 'kind'>): void {
  if (!kindsSeen(caller).includes(kind)) throw new ApiError('insufficient_scope', refusalOf(caller, admin));
  if (kind === 'audit_log' && part)
    throw invalid(
      'kind',
      'must be another one with a role for a part of the organization: the audit log has all records',
    );
}

/** The kinds of reports that a caller sees: the audit log is for those who read it otherwise. */
export const kindsSeen = (caller: Caller): readonly ReportKind[] =>
  REPORT_KINDS.filter((kind) => kind !== 'audit_log' || isAllowed(caller, admin));

async function assertFramework(kind: ReportKind, framework: string): Promise<void> {
  if (kind !== 'compliance') throw invalid('framework', 'belongs to the kind compliance: leave it out');
  const { frameworks } = await import('#shared/exposure/compliance/frameworks.ts');
  const known = frameworks().map(({ id }) => id);
  if (!known.includes(framework)) throw invalid('framework', `must be one of ${known.join(', ')}`);
}

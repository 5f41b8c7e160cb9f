import * as z from 'zod';
import type { Caller } from '../auth/permissions.ts';
import { Ssvc } from '../entities/finding-priority.ts';
import { VULNERABILITY_STATUSES } from '../entities/vulnerability.ts';
import { findingFilters, findingQuery } from '../findings/filter.ts';
import { anyOf } from '../http/pagination.ts';
import { invalid } from '../runtime/errors.ts';
import type { ListQuery } from '../table/list.ts';
import type { PageRange } from '../table/paging.ts';
import { spelledAdvisory } from './contributions.ts';

const { severity, assetId, tool, tag, cve, assigneeId, overdue, kev, epssFrom } = findingFilters;

/** Each narrows a list of vulnerabilities; they combine in any way. */
export const vulnerabilityFilters = {
  ...{ severity, assetId, tool, tag, cve, assigneeId },
  status: anyOf(z.enum(VULNERABILITY_STATUSES)).optional(),
  advisoryId: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'a CVE, GHSA, OSV or vendor id, also an alias' }),
  ssvc: Ssvc.shape.decision.optional(),
  component: z.string().min(1).max(300).optional().meta({ description: 'the name of the package or product' }),
  overdue: overdue.meta({ description: 'open ones that were due yesterday or earlier (UTC)' }),
  kev: kev.meta({ description: 'those that are known to be exploited (CISA KEV)' }),
  epssFrom: epssFrom.meta({
    description: 'open ones with at least this chance of exploitation (FIRST EPSS), in hundredths',
  }),
};

export const VulnerabilityOrder = z
  .enum(['newest', 'priority', 'epss', 'due'], 'must be newest, priority, epss or due')
  .optional()
  .meta({
    description:
      '`priority` and `epss` (highest first, of `epss` in hundredths) and `due` (earliest day first) list open vulnerabilities, ' +
      'equal ones newest first, up to position 1,000',
  });

type Filter = z.output<z.ZodObject<typeof vulnerabilityFilters>> & { search?: string | undefined };
type VulnerabilityQuery = Filter & PageRange & { sort?: z.output<typeof VulnerabilityOrder> };

/** The list that a caller's filters ask for. They mean the same as those of findings. */
export function vulnerabilityQuery(
  { cve, advisoryId = cve, component, ssvc, sort, ...rest }: VulnerabilityQuery,
  caller: Caller,
): ListQuery {
  if (cve !== undefined && advisoryId !== cve)
    throw invalid('cve', 'must be left out beside advisoryId, which finds CVEs too');
  const { parent: _none, ...query } = findingQuery({ ...rest, sort: sort === 'due' ? 'dueAt' : sort }, caller);
  const own = {
    ...(advisoryId !== undefined && { advisory: spelledAdvisory(advisoryId) }),
    ...(ssvc !== undefined && { ssvc }),
    ...(component !== undefined && { component: component.toLowerCase() }),
  };
  return Object.keys(own).length > 0 ? { ...query, where: { ...query.where, ...own } } : query;
}

import * as z from 'zod';
import type { Caller } from '../auth/permissions.ts';
import { Ssvc } from '../entities/finding-priority.ts';
import { VULNERABILITY_STATUSES } from '../entities/vulnerability.ts';
import { findingFilters, findingQuery, findingSelection } from '../findings/filter.ts';
import { anyOf } from '../http/pagination.ts';
import { invalid } from '../runtime/errors.ts';
import { given } from '../runtime/given.ts';
import type { ListQuery, Selection } from '../table/list.ts';
import type { PageRange } from '../table/paging.ts';
import { spelledAdvisory } from './contributions.ts';

const { severity, assetId, applicationId, tool, tag, cve, assigneeId, overdue, kev, epssFrom } = findingFilters;

/** Each narrows a list of vulnerabilities; they combine in any way. */
export const vulnerabilityFilters = {
  ...{ severity, assetId, applicationId, tool, cve, assigneeId },
  tag: tag.meta({ description: 'a tag of one of its findings or of its asset' }),
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
export function vulnerabilityQuery({ sort, ...query }: VulnerabilityQuery, caller: Caller): ListQuery {
  const { rest, own } = splitFilter(query);
  const { parent: _none, ...found } = findingQuery({ ...rest, sort: sort === 'due' ? 'dueAt' : sort }, caller);
  return withOwn(found, own);
}

/** The vulnerabilities that fit a filter. */
export function vulnerabilitySelection(filter: Filter, caller: Caller): Selection {
  const { rest, own } = splitFilter(filter);
  const { parent: _none, ...found } = findingSelection(rest, caller);
  return withOwn(found, own);
}

/** The values that only vulnerabilities have, and those that findings have too. */
function splitFilter<F extends Filter>({ cve, advisoryId = cve, component, ssvc, ...rest }: F) {
  if (cve !== undefined && advisoryId !== cve)
    throw invalid('cve', 'must be left out beside advisoryId, which finds CVEs too');
  const advisory = advisoryId === undefined ? undefined : spelledAdvisory(advisoryId);
  return { rest, own: given({ advisory, ssvc, component: component?.toLowerCase() }) };
}

const withOwn = <S extends Selection>(found: S, own: object): S =>
  Object.keys(own).length > 0 ? { ...found, where: { ...found.where, ...own } } : found;

import * as z from 'zod';
import type { Caller } from '../auth/permissions.ts';
import { FINDING_STATUSES, isOpen, OPEN_STATUSES } from '../entities/finding-status.ts';
import { lastPart } from '../entities/finding-words.ts';
import { anyOf } from '../http/pagination.ts';
import { Id } from '../http/records.ts';
import { Severity } from '../reports/report.ts';
import { now } from '../runtime/clock.ts';
import { invalid } from '../runtime/errors.ts';
import type { ListQuery, Selection } from '../table/list.ts';
import type { PageRange } from '../table/paging.ts';
import { refName } from '../targets/repository.ts';

const Day = z.iso.date('must be a day such as 2026-01-31');

/** Each narrows a list of findings; they combine in any way. */
export const findingFilters = {
  status: anyOf(z.enum(FINDING_STATUSES)).optional(),
  severity: anyOf(Severity).optional(),
  assetId: Id.optional(),
  engagementId: Id.optional(),
  tool: z.string().min(1).max(120).optional(),
  ruleId: z.string().min(1).max(300).optional(),
  cve: z.string().min(1).max(40).optional(),
  cwe: z.string().min(1).max(40).optional(),
  tag: z.string().min(1).max(120).optional(),
  ref: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'branch; of another one than the default one, what only it has' }),
  assigneeId: z.string().min(1).max(120).optional().meta({ description: '`me`; `none` for those of nobody' }),
  remediationId: Id.optional(),
  suppressedBy: Id.optional().meta({ description: 'a suppression rule' }),
  taskId: Id.optional().meta({ description: 'the import or scan that reported them first' }),
  dueFrom: Day.optional().meta({ description: 'open findings that are due on this day or later' }),
  dueTo: Day.optional().meta({ description: 'open findings that are due on this day or earlier' }),
  dueBefore: Day.optional().meta({ description: 'open findings that are due before this day' }),
  overdue: z
    .preprocess((text) => (text === 'true' ? true : text), z.literal(true, 'must be true; leave it out to list all'))
    .optional()
    .meta({ description: 'open findings that were due yesterday or earlier (UTC), which the dashboard counts' }),
  firstSeenFrom: Day.optional().meta({ description: 'findings that were seen first on this day (UTC) or later' }),
  firstSeenTo: Day.optional().meta({ description: 'findings that were seen first on this day or earlier' }),
};

/** Parameters that callers of lists expect, each with what to send instead. */
export const NOT_OFFERED = {
  updatedSince:
    'is not offered: GET /api/v1/changes?entity=finding tells each change and deletion since a number, in order',
};

export const FindingOrder = z
  .enum(['newest', 'priority', 'dueAt'], 'must be newest, priority or dueAt: other fields change without a write')
  .optional()
  .meta({
    description:
      '`priority` (highest first) and `dueAt` (earliest day first) list open findings, equal ones newest first, up to ' +
      'position 1,000. When a finding was seen last is written nowhere but in the last scan, so it gives no order.',
  });

/** The filters of a caller, without a page and an order. */
type FindingFilter = z.output<z.ZodObject<typeof findingFilters>> & { search?: string | undefined };
export type FindingQuery = FindingFilter & PageRange & { sort?: z.output<typeof FindingOrder> };

/** The list that a caller's filters ask for. */
export function findingQuery({ paginateFrom, paginateSize, sort, ...filter }: FindingQuery, caller: Caller): ListQuery {
  const page = { paginateFrom, paginateSize };
  if (sort === undefined || sort === 'newest') return { ...page, ...findingSelection(filter, caller) };
  const { status } = filter;
  if (status?.some((one) => !isOpen(one))) throw invalid('status', CLOSED);
  const selection = findingSelection(filter, caller);
  const where = { ...selection.where, status: status ?? OPEN_STATUSES };
  return { ...page, ...selection, where, sort: sort === 'dueAt' ? 'due' : sort };
}

/** The findings that fit a filter. One status and one severity alone are read from the list's own counts. */
export function findingSelection(filter: FindingFilter, caller: Caller): Selection {
  const { search, assetId, engagementId, taskId, status, severity, ...values } = filter;
  const { assigneeId, dueFrom, dueTo, dueBefore, overdue, firstSeenFrom, firstSeenTo, cve, cwe, ref, ...others } =
    values;
  const ends = [dueTo, dueBefore && dayBefore(dueBefore), overdue && dayBefore(today())].filter((day) => day);
  const where = given({
    ...others,
    asset: assetId,
    task: taskId,
    ref: ref === undefined ? undefined : refName(ref),
    status: several(status),
    severity: several(severity),
    cve: cve?.toUpperCase(),
    cwe: cwe?.toUpperCase(),
    assigneeId: assigneeId === 'me' ? caller.id : assigneeId === 'none' ? null : assigneeId,
  });
  return {
    parent: { engagement: engagementId },
    filter: { status: single(status), severity: single(severity) },
    ...(Object.keys(where).length > 0 && { where }),
    ...between({
      due: given({ from: dueFrom, to: ends.sort()[0] }),
      seen: given({ from: firstSeenFrom, to: firstSeenTo }),
    }),
    ...(search !== undefined && { search: tellingWords(search) }),
  };
}

type Ends = { from?: string; to?: string };

/** Only the ranges that have an end. @throws validation_failed for one that begins behind its end */
function between(ranges: { due: Ends; seen: Ends }): Pick<Selection, 'between'> {
  const asked = Object.entries(ranges).filter(([, ends]) => Object.keys(ends).length > 0);
  for (const [name, { from, to }] of asked)
    if (from && to && from > to)
      throw invalid(name === 'due' ? 'dueFrom' : 'firstSeenFrom', `must be ${to} or earlier`);
  return asked.length > 0 ? { between: Object.fromEntries(asked) } : {};
}

const today = (): string => now().slice(0, 10);
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

const CLOSED = 'must be open or in_progress in a list sorted by priority or dueAt: these orders are of open findings';

/** Of a path or an address that somebody pastes, the part that the index has. */
const tellingWords = (search: string): string => search.replace(/[^\s"]+/g, lastPart);

const single = (values: readonly string[] | undefined) => (values?.length === 1 ? values[0] : undefined);
const several = (values: readonly string[] | undefined) => (values && values.length > 1 ? values : undefined);

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

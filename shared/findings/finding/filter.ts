import * as z from 'zod';
import { BenchmarkCheckName, checkMarkOf } from '#shared/assets/controls/compliance-counters.ts';
import { WEAKNESS_NAMES } from '#shared/assets/controls/weakness.ts';
import { refName } from '#shared/assets/targets/repository.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { teamFilterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, onlyTrue } from '#shared/platform/http/pagination.ts';
import { Id } from '#shared/platform/http/records.ts';
import { currentDay, dayBefore, inSeconds } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { ListQuery, Selection } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { placeOfEpss } from '../priority/finding-priority.ts';
import { FINDING_STATUSES, isOpen, OPEN_STATUSES } from './finding-status.ts';
import { lastPart, toolKey } from './finding-words.ts';

export const Day = z.iso.date('must be a day such as 2026-01-31');

const Chance = z
  .number('must be a number from 0 to 1')
  .min(0)
  .max(1)
  .multipleOf(0.01, 'must be in hundredths, as 0.25');

/** Changes of a day are spread over the whole collection: each day more costs a row of each of its blocks. */
export const CHANGED_DAYS = 35;

/** Each narrows a list of findings; they combine in any way. */
export const findingFilters = {
  ...teamFilterParameters,
  status: anyOf(z.enum(FINDING_STATUSES)).optional(),
  severity: anyOf(Severity).optional(),
  assetId: Id.optional(),
  applicationId: Id.optional().meta({ description: 'the type of the asset' }),
  engagementId: Id.optional(),
  tool: z.string().min(1).max(120).optional(),
  ruleId: z.string().min(1).max(300).optional(),
  cve: z.string().min(1).max(40).optional(),
  cwe: z.string().min(1).max(40).optional(),
  weakness: z
    .enum(WEAKNESS_NAMES)
    .optional()
    .meta({ description: 'above info and of this weakness, by which findings fail controls of frameworks' }),
  check: anyOf(BenchmarkCheckName).optional().meta({
    description:
      'findings that fail one of these checks of a benchmark, as `check` of the criteria of controls names them',
  }),
  tag: z.string().min(1).max(120).optional(),
  ref: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta({ description: 'the branch; for a branch other than the default branch, the findings that only it has' }),
  assigneeId: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .meta({ description: '`me`; `none` for records without an assignee' }),
  remediationId: Id.optional(),
  suppressedBy: Id.optional().meta({ description: 'a suppression rule or a VEX document' }),
  taskId: Id.optional().meta({ description: 'the import or scan that reported them first' }),
  dueFrom: Day.optional().meta({ description: 'open findings that are due on this day or later' }),
  dueTo: Day.optional().meta({ description: 'open findings that are due on this day or earlier' }),
  dueBefore: Day.optional().meta({ description: 'open findings that are due before this day' }),
  overdue: onlyTrue.meta({
    description: 'open findings that were due yesterday or earlier (UTC), which the dashboard counts',
  }),
  kev: onlyTrue.meta({ description: 'findings one of whose vulnerabilities is known to be exploited (CISA KEV)' }),
  epssFrom: z
    .preprocess((text) => (typeof text === 'string' && text.trim() !== '' ? Number(text) : text), Chance)
    .optional()
    .meta({ description: 'open findings with at least this chance of exploitation (FIRST EPSS), in hundredths' }),
  acceptanceEndsBefore: Day.optional().meta({
    description: 'accepted risks whose acceptance ends before this day (UTC)',
  }),
  firstSeenFrom: Day.optional().meta({ description: 'findings that were seen first on this day (UTC) or later' }),
  firstSeenTo: Day.optional().meta({ description: 'findings that were seen first on this day or earlier' }),
  updatedSince: Day.optional().meta({
    description:
      `findings whose \`updatedAt\` is on this day (UTC) or later, at most ${CHANGED_DAYS} days ago; another sighting is no change. ` +
      '`GET /api/v1/changes?entity=finding` also lists deleted findings.',
  }),
};

export const FindingOrder = z
  .enum(
    ['newest', 'oldest', 'priority', 'dueAt', 'epss'],
    'must be newest, oldest, priority, dueAt or epss: other fields change without a write',
  )
  .optional()
  .meta({
    description:
      '`priority` and `epss` (highest first, `epss` in hundredths) and `dueAt` (earliest day first) list open findings; `oldest` ' +
      'begins with the oldest day of `firstSeenAt`. Equal findings are listed newest first, up to position 1,000. There is no ' +
      'order by the last sighting, because only the last scan has its time.',
  });

/** The filters of a caller, without a page and an order. */
type FindingFilter = z.output<z.ZodObject<typeof findingFilters>> & {
  search?: string | undefined;
  matching?: Marked;
};
export type FindingQuery = FindingFilter & PageRange & { sort?: z.output<typeof FindingOrder> };

/** The list that a caller's filters ask for. */
export function findingQuery(query: FindingQuery, caller: Caller): ListQuery {
  const { paginateFrom, paginateSize, ids, sort, ...filter } = query;
  const page = { paginateFrom, paginateSize, ids };
  if (sort === undefined || sort === 'newest') return { ...page, ...findingSelection(filter, caller) };
  if (sort === 'oldest') return { ...page, ...findingSelection(filter, caller), sort: 'seen' };
  const { status } = filter;
  if (status?.some((one) => !isOpen(one))) throw invalid('status', CLOSED);
  const selection = findingSelection(filter, caller);
  const where = { ...selection.where, status: status ?? OPEN_STATUSES };
  return { ...page, ...selection, where, sort: sort === 'dueAt' ? 'due' : sort };
}

/** The findings that match a filter. The list's own counts serve one status and one severity. */
export function findingSelection(filter: FindingFilter, caller: Caller): Selection {
  const { search, engagementId, status, severity, matching } = filter;
  const where = valuesOf(filter, caller);
  return {
    parent: { engagement: engagementId },
    filter: { status: single(status), severity: single(severity) },
    ...(Object.keys(where).length > 0 && { where }),
    ...between(rangesOf(filter)),
    ...(search !== undefined && { search: tellingWords(search) }),
    ...(matching && { matching }),
  };
}

function valuesOf(filter: FindingFilter, caller: Caller) {
  const { assigneeId, ref, kev, tool, ruleId, tag, suppressedBy, remediationId } = filter;
  return given({
    tool: tool && toolKey(tool),
    ruleId,
    tag: tag === undefined ? undefined : caseless(tag),
    suppressedBy,
    remediationId,
    kev: kev && 'true',
    asset: filter.assetId,
    application: filter.applicationId,
    task: filter.taskId,
    ref: ref === undefined ? undefined : refName(ref),
    status: several(filter.status),
    severity: several(filter.severity),
    weakness: filter.weakness,
    check: filter.check?.map(checkMarkOf),
    cve: filter.cve?.toUpperCase(),
    cwe: filter.cwe?.toUpperCase(),
    assigneeId: assigneeIn(assigneeId, caller),
  });
}

function rangesOf({ dueFrom, dueTo, dueBefore, overdue, epssFrom, ...filter }: FindingFilter) {
  const ends = [dueTo, dueBefore && dayBefore(dueBefore), overdue && yesterday()].filter((day) => day);
  return {
    due: given({ from: dueFrom, to: ends.sort()[0] }),
    seen: given({ from: filter.firstSeenFrom, to: filter.firstSeenTo }),
    changed: given({ from: lately(filter.updatedSince) }),
    epss: given({ to: epssFrom === undefined ? undefined : placeOfEpss(epssFrom) }),
    accepted: given({ to: filter.acceptanceEndsBefore && dayBefore(filter.acceptanceEndsBefore) }),
  };
}

/** @throws validation_failed for a day that is too long ago */
function lately(day: string | undefined): string | undefined {
  const first = inSeconds(-CHANGED_DAYS * 86_400).slice(0, 10);
  if (day !== undefined && day < first) throw invalid('updatedSince', `must be ${first} or later; ${OLDER}`);
  return day;
}

const OLDER = 'GET /api/v1/changes?entity=finding lists older changes, in order and with deletions';

type Ends = { from?: string; to?: string };

/** The ranges that have an end. @throws validation_failed for a range that begins after its end */
function between(ranges: Record<'due' | 'seen' | 'changed' | 'epss' | 'accepted', Ends>): Pick<Selection, 'between'> {
  const asked = Object.entries(ranges).filter(([, ends]) => Object.keys(ends).length > 0);
  for (const [name, { from, to }] of asked)
    if (from && to && from > to)
      throw invalid(name === 'due' ? 'dueFrom' : 'firstSeenFrom', `must be ${to} or earlier`);
  return asked.length > 0 ? { between: Object.fromEntries(asked) } : {};
}

/** The assignee of a filter: null finds unassigned findings. */
export const assigneeIn = (assigneeId: string | undefined, caller: Caller): string | null | undefined =>
  assigneeId === 'me' ? caller.id : assigneeId === 'none' ? null : assigneeId;

/** The last day on which something was due that is overdue now. */
export const yesterday = (): string => dayBefore(currentDay());

const CLOSED =
  'must be open or in_progress in a list sorted by priority, dueAt or epss: these orders are of open findings';

/** Of a pasted path or address, the part that the index has. */
export const tellingWords = (search: string): string => search.replace(/[^\s"]+/g, lastPart);

const single = (values: readonly string[] | undefined) => (values?.length === 1 ? values[0] : undefined);
const several = (values: readonly string[] | undefined) => (values && values.length > 1 ? values : undefined);

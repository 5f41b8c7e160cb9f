import { type Caller, isStaff } from '#shared/platform/auth/permissions.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { openStates } from '#shared/platform/runtime/state-machine.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagementsOf } from '#shared/scanning/engagements/assigned.ts';
import { type Engagement, engagementStates, engagements } from '#shared/scanning/engagements/engagement.ts';
import { occurrencesIn } from '#shared/scanning/schedule/recurrence.ts';
import { joinedOpenings, type Opening } from '#shared/scanning/schedule/windows.ts';
import { campaignEvents, campaignsOf, type PlannedCampaign } from './campaigns.ts';
import type { CalendarEvent } from './routes.ts';

/** The open states. Of each state, the newest engagements are read, up to the largest page of a list. */
const ACTIVE = openStates(engagementStates);
const MAX_CAMPAIGNS = 500;
/** The most events of one answer, about 2 MB. */
export const MAX_EVENTS = 5000;
const MAX_DAYS = 400;
/** The last time that RFC 3339 can express. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

type Planned = Pick<
  ListItem<Engagement, 'description' | 'targets' | 'exclusions' | 'parameters' | 'rulesOfEngagement' | 'retestOf'>,
  'id' | 'title' | 'status' | 'schedule' | 'windows' | 'dueAt' | 'nextRunAt' | 'taskTypes' | 'createdAt'
>;

/** @throws validation_failed */
export function spanOf(from: string | undefined, to: string | undefined): Opening {
  const start = from === undefined ? nowMs() : Date.parse(from);
  const span = { from: start, to: to === undefined ? Math.min(start + 31 * DAY_MS, LAST) : Date.parse(to) };
  if (span.to <= span.from) throw invalid('to', 'must be after from');
  if (span.to - span.from > MAX_DAYS * DAY_MS) throw invalid('to', `must be at most ${MAX_DAYS} days after from`);
  return span;
}

export type Reader = { table: Table; caller: Caller };

/** The planned events of a span in order, the soonest if there are too many. The provider's staff see no campaigns. */
export async function readEvents({ table, caller }: Reader, span: Opening) {
  const [pages, campaigns] = isStaff(caller)
    ? [[await assignedTo(table, caller)], []]
    : await Promise.all([activeOf(table), campaignsOf(table, newest)]);
  const { events, isCut } = soonest(
    pages.flatMap(({ data }) => data),
    span,
    campaigns.flatMap(({ data }) => data),
  );
  const isComplete = !isCut && [...pages, ...campaigns].every(({ totalCount }) => totalCount <= MAX_CAMPAIGNS);
  return { events, ...(!isComplete && { truncated: true as const }) };
}

/** Cuts the list while it grows, to keep memory small however many events are planned. */
export function soonest(planned: readonly Planned[], span: Opening, campaigns: readonly PlannedCampaign[] = []) {
  let events: CalendarEvent[] = [];
  let isCut = false;
  const cut = () => {
    events.sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
    isCut ||= events.length > MAX_EVENTS;
    events = events.slice(0, MAX_EVENTS);
  };
  const add = (more: CalendarEvent[]) => {
    events.push(...more);
    if (events.length > 4 * MAX_EVENTS) cut();
  };
  for (const engagement of planned) add(eventsOf(engagement, span));
  for (const campaign of campaigns) add(campaignEvents(campaign, span));
  cut();
  return { events, isCut };
}

const newest = { paginateFrom: 0, paginateSize: MAX_CAMPAIGNS };

const activeOf = (table: Table) =>
  Promise.all(ACTIVE.map((status) => table.list(engagements, { ...newest, filter: { status } })));

async function assignedTo(table: Table, caller: Caller) {
  const { data, totalCount } = await engagementsOf(table, caller, newest);
  const active = data.map(({ engagement }) => engagement).filter(({ status }) => ACTIVE.includes(status));
  return { data: active, totalCount };
}

function eventsOf(engagement: Planned, span: Opening): CalendarEvent[] {
  const { id: engagementId, title, status, schedule, dueAt, windows, taskTypes } = engagement;
  const isOnlyOne = (kind: CalendarEvent['kind']) => kind === 'due' || (kind === 'start' && !schedule.recurrence);
  const event = (kind: CalendarEvent['kind'], from: number, to: number | null): CalendarEvent => ({
    id: isOnlyOne(kind) ? `${kind}-${engagementId}` : `${kind}-${from}-${engagementId}`,
    kind,
    engagementId,
    title,
    status,
    startsAt: new Date(from).toISOString(),
    endsAt: to === null ? null : new Date(to).toISOString(),
  });
  const due = dueAt === null ? [] : [Date.parse(dueAt)].filter((at) => at >= span.from && at < span.to);
  const begin = beginOf(engagement);
  const openings = taskTypes.length === 0 ? [] : joinedOpenings(windows, span).filter(({ to }) => to > begin);
  return [
    ...startsOf(engagement, span).map((at) => event('start', at, null)),
    ...openings.map(({ from, to }) => event('window', Math.max(from, begin), to)),
    ...due.map((at) => event('due', at, null)),
  ];
}

function startsOf({ schedule, createdAt, nextRunAt }: Planned, span: Opening): number[] {
  const { startAt, recurrence } = schedule;
  if (recurrence === null) {
    const at = nextRunAt ?? startAt;
    return at === null ? [] : [Date.parse(at)].filter((one) => one >= span.from && one < span.to);
  }
  const since = Date.parse(createdAt);
  return occurrencesIn({ ...schedule, startAt: startAt ?? createdAt }, span).filter((at) => at >= since);
}

/** An engagement plans nothing before it was made, and opens no window before its start. */
const beginOf = ({ schedule, createdAt }: Planned): number =>
  Math.max(Date.parse(createdAt), Date.parse(schedule.startAt ?? createdAt));

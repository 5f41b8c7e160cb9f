import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AssetPlaces, learnPlaces } from '#shared/assets/asset/asset-places.ts';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry, unlessOvertaken } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { type Alert, type AlertEntity, alerts, assetsOf, MAX_ENTITIES, type StoredAlert } from './alert.ts';
import { commonOf } from './alert-place.ts';
import { MAX_TECHNIQUES } from './attack-technique.ts';
import { entityKey, learnEntities, type ResolvedEntities, withAssets } from './resolve-entities.ts';
import { isOpenAlert } from './soc-status.ts';

/** Reported events: one alert, or part of an existing alert. */
type RaisedAlert = Pick<
  Alert,
  'title' | 'description' | 'severity' | 'source' | 'attackTechniques' | 'entities' | 'dedupKey'
> & {
  /** The source's name for these events: repeated events with the same name count once. */
  eventKey: string;
  eventCount: number;
  firstEventAt: string;
  lastEventAt: string;
  /**
   * For events that another row counts: records that they belong to an alert, in their transaction and in place of a
   * row.
   */
  settles?: Write;
};

/** The source of alerts: keys of two origins never mean the same. `zone`: the zone of their hosts. */
type Origin = { id: string; zone: string | null };

type Raised = { alertId: string; outcome: 'created' | 'counted' | 'repeated' };

type Window = { alertId: string; startedAt: string };
/** The window that was made last, and those before it, the last first. */
type WindowRow = Window & { key: string; expiresAt: string; others?: readonly Window[] };

export const alertWindows = defineRow<WindowRow, Pick<WindowRow, 'key'>>({
  name: 'alert-window',
  about: 'the alerts on which events with one key count, by the beginnings of their windows',
  key: ({ key }) => [key],
  expiresAt: ({ expiresAt }) => expiresAt,
});

type EventRow = { key: string; alertId: string; expiresAt: string };

export const raisedEvents = defineRow<EventRow, Pick<EventRow, 'key'>>({
  name: 'alert-event',
  about: 'events that are counted on an alert already, for when they are sent again',
  key: ({ key }) => [key],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Windows of a key that late events find: with the usual window of an hour, those of two days. */
const MAX_WINDOWS = 48;
const WINDOWS_KEPT_DAYS = 2;
/** Events that are repeated later than this count as new ones. */
const EVENTS_KEPT_DAYS = 90;
const DAY_SECONDS = 86_400;

/** Each leaves a row in its transaction. */
const EVENTS_AT_ONCE = 40;
/** Groups of events that are read and decided on together. */
const GROUPS_AT_ONCE = 30;

/** Events with one key, the earliest first. */
type Group = { key: string; events: readonly Keyed[] };
type Keyed = RaisedAlert & { row: string };
type Place = {
  table: Table;
  origin: Origin;
  windowSeconds: number;
  resolved: ResolvedEntities;
  places: AssetPlaces;
};

/**
 * The only way to raise alerts: one for each `dedupKey` and window of the organization, with the number of its events.
 * Each event counts once, however often it is raised and whatever fails in between.
 * @returns the outcome of each, in their order
 */
export async function raiseAlerts(table: Table, origin: Origin, raised: readonly RaisedAlert[]): Promise<Raised[]> {
  const done = await raiseUnindexed(table, origin, raised);
  // so many raise alerts at once that the others come first: one of them ends what is left
  await unlessOvertaken(table.workJournal(alerts));
  return done;
}

/**
 * Raises alerts as above. Lists and searches include them once the journal of alerts is worked; the caller does this.
 */
export async function raiseUnindexed(table: Table, origin: Origin, raised: readonly RaisedAlert[]): Promise<Raised[]> {
  const windowSeconds = (await readSettings(table)).alertWindowMinutes * 60;
  const place = { table, origin, windowSeconds, resolved: new Map(), places: new Map() };
  const keyed = raised.map((event) => ({ ...event, row: digest('event', origin.id, event.eventKey) }));
  const done = new Map<string, Raised>();
  for (let left = groupsOf(place, keyed); left.length > 0; ) left = await retry(() => raiseSome(place, left, done));
  const first = new Map(keyed.map(({ row }, i) => [row, i] as const).toReversed());
  return keyed.map(({ row }, i) => {
    const one = done.get(row);
    if (!one) throw new Error('an event was neither counted nor known');
    return first.get(row) === i ? one : { ...one, outcome: 'repeated' };
  });
}

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27);

/** Events without a key are separate. Of several events with one name the first counts. */
function groupsOf({ origin }: Place, keyed: readonly Keyed[]): Group[] {
  const unique = [...new Map(keyed.toReversed().map((event) => [event.row, event])).values()];
  const keyOf = ({ dedupKey, row }: Keyed) => (dedupKey === null ? row : digest('key', origin.id, dedupKey));
  return [...Map.groupBy(unique, keyOf)].map(([key, events]) => ({
    key,
    events: events.toSorted((a, b) => (a.firstEventAt < b.firstEventAt ? -1 : 1)),
  }));
}

/** A group in its stored state: its first uncounted events, and the open alerts on which they may count, the earliest window first. */
type Read = Group & { behind: readonly Keyed[]; window: WindowRow | undefined; open: readonly Open[] };
type Open = { startedAt: string; alert: AlertRow };
type AlertRow = ListItem<StoredAlert, 'description'>;

/** Raises the first groups in one transaction, as far as they fit. @returns the groups, and parts of groups, that are left */
async function raiseSome(place: Place, groups: readonly Group[], done: Map<string, Raised>): Promise<Group[]> {
  const read = await readGroups(place, groups.slice(0, GROUPS_AT_ONCE), done);
  const parts = read.map((one) => partOf(place, one));
  const ids = await place.table.reserve(alerts, parts.length);
  await resolveNew(place, parts);
  const written = parts.map((part, i) => alertOf(place, part, ids[i] ?? ''));
  const batch = place.table.batch(true);
  const full = written.findIndex((one) => !batch.takes((to) => writePart(place, to, one)));
  if (full === 0) throw new Error('one alert needs more rows than a transaction has');
  const count = full < 0 ? written.length : full;
  if (count > 0) await batch.commit();
  for (const { events, alertId, before } of written.slice(0, count))
    for (const { row } of events) done.set(row, { alertId, outcome: before ? 'counted' : 'created' });
  const left = [
    ...parts.slice(0, count).map(({ key, later }) => ({ key, events: later })),
    ...read.slice(count).map(whole),
  ];
  return [...left.filter(({ events }) => events.length > 0), ...groups.slice(GROUPS_AT_ONCE)];
}

const whole = ({ key, events, behind }: Read): Group => ({ key, events: [...events, ...behind] });

async function readGroups(
  { table, windowSeconds }: Place,
  groups: readonly Group[],
  done: Map<string, Raised>,
): Promise<Read[]> {
  const wanted = groups.map(({ key, events }) => {
    const left = events.filter(({ row }) => !done.has(row));
    return { key, events: left.slice(0, EVENTS_AT_ONCE), behind: left.slice(EVENTS_AT_ONCE) };
  });
  const rows = wanted.flatMap(({ events }) => events.flatMap(({ row: key, settles }) => (settles ? [] : [{ key }])));
  const [known, windows] = await Promise.all([
    table.rows(raisedEvents).findMany(rows, true),
    table.rows(alertWindows).findMany(wanted, true),
  ]);
  for (const { key, alertId } of known) done.set(key, { alertId, outcome: 'repeated' });
  const left = wanted.flatMap(({ key, events, behind }) => {
    const uncounted = events.filter(({ row }) => !done.has(row));
    const window = windows.find((one) => one.key === key);
    const near = windowsIn(window).filter(({ startedAt }) => uncounted.some(isNear(startedAt, windowSeconds)));
    return uncounted.length + behind.length > 0 ? [{ key, events: uncounted, behind, window, near }] : [];
  });
  const ids = left.flatMap(({ near }) => near.map(({ alertId }) => alertId));
  const current = await table.findMany<StoredAlert, 'description'>(alerts, ids, true);
  const open = new Map(current.filter(({ status }) => isOpenAlert(status)).map((alert) => [alert.id, alert]));
  return left.map(({ near, ...group }) => ({
    ...group,
    open: near.flatMap(({ startedAt, alertId }) => {
      const alert = open.get(alertId);
      return alert ? [{ startedAt, alert }] : [];
    }),
  }));
}

/** The windows of a key, the earliest first. */
const windowsIn = (row: WindowRow | undefined): Window[] =>
  row ? [row, ...(row.others ?? [])].toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1)) : [];

/** Whether an event is in the window, or so shortly before it that the window would have begun with the event. */
const isNear =
  (startedAt: string, windowSeconds: number) =>
  (event: Keyed): boolean =>
    Math.abs(Date.parse(event.firstEventAt) - Date.parse(startedAt)) < windowSeconds * 1000;

/** The events of a group that count on one alert, and the later ones. */
type Part = Group & { later: readonly Keyed[]; before: AlertRow | undefined; window: WindowRow | undefined };

/** The time of an event decides on which alert it counts, not the time at which it comes. */
function partOf({ windowSeconds }: Place, { key, events, behind, window, open }: Read): Part {
  const [first] = events;
  const joined = first && open.find(({ startedAt }) => isNear(startedAt, windowSeconds)(first));
  const isOn = isNear(joined?.startedAt ?? first?.firstEventAt ?? '', windowSeconds);
  const fitting = events.filter(isOn);
  const others = events.filter((event) => !isOn(event));
  return { key, events: fitting, later: [...others, ...behind], window, before: joined?.alert };
}

type Written = Part & { alertId: string; changes: EventFields; draft: Keyed | undefined };
type EventFields = Pick<
  StoredAlert,
  'severity' | 'eventCount' | 'firstEventAt' | 'lastEventAt' | 'attackTechniques' | 'entities' | 'common'
>;

/**
 * Entities are looked up once, when an alert gets them: each batch of an attack names the same ones again. With a further asset
 * all assets of the alert say where it is.
 */
async function resolveNew({ table, origin, resolved, places }: Place, parts: readonly Part[]): Promise<void> {
  const all = parts.flatMap(({ before, events }) => {
    const current = before?.entities ?? [];
    const known = new Set(current.map(entityKey));
    const fresh = events.flatMap(({ entities }) => entities.filter((one) => !known.has(entityKey(one))));
    return fresh.length > 0 ? [{ current, fresh }] : [];
  });
  const fresh = all.flatMap((one) => one.fresh);
  await learnEntities({ table, zone: origin.zone }, fresh, resolved);
  if (assetsOf(withAssets(fresh, resolved)).length === 0) return;
  const named = withAssets([...all.flatMap(({ current }) => current), ...fresh], resolved);
  await learnPlaces(table, assetsOf(named), places);
}

function alertOf({ resolved, places }: Place, part: Part, newId: string): Written {
  const { before, events } = part;
  const changes = together([...(before ? [before] : []), ...events]);
  const entities = withAssets(changes.entities, resolved);
  const isPlaced = isDeepStrictEqual(assetsOf(before?.entities ?? []), assetsOf(entities));
  const common = isPlaced ? {} : commonOf(entities, places);
  return { ...part, alertId: before?.id ?? newId, changes: { ...changes, entities, ...common }, draft: events[0] };
}

/** Several events as one alert, with the highest of their severities. */
function together(all: readonly EventFields[]): EventFields {
  const times = all.flatMap(({ firstEventAt, lastEventAt }) => [firstEventAt, lastEventAt]).sort();
  return {
    severity: Severity.options.find((one) => all.some(({ severity }) => severity === one)) ?? 'info',
    eventCount: all.reduce((sum, { eventCount }) => sum + eventCount, 0),
    firstEventAt: times[0] ?? '',
    lastEventAt: times.at(-1) ?? '',
    attackTechniques: [...new Set(all.flatMap(({ attackTechniques }) => attackTechniques))].slice(0, MAX_TECHNIQUES),
    entities: entitiesOf(all.flatMap(({ entities }) => entities)),
  };
}

/** Each once, as it was named first. */
function entitiesOf(all: readonly AlertEntity[]): AlertEntity[] {
  const known = Map.groupBy(all, entityKey);
  return [...known.values()].flatMap(([first]) => first ?? []).slice(0, MAX_ENTITIES);
}

const fail = () => new Overtaken();

function writePart(place: Place, batch: Batch, part: Written): void {
  const { table } = place;
  const { events, alertId, before, changes } = part;
  if (before) {
    const next = table.changed<StoredAlert, 'description'>(before, changes);
    batch.update<StoredAlert, 'description'>(alerts, before, next);
  } else createAlert(place, batch, part);
  const expiresAt = inSeconds(EVENTS_KEPT_DAYS * DAY_SECONDS);
  for (const { row: key, settles } of events)
    batch.write(
      settles ?? putWrite(table.tenant, raisedEvents, { row: { key, alertId, expiresAt }, expect: 'absent', fail }),
    );
}

/** The reader of changes counts alerts where their assets are (`settleAlerts`), so that raising alerts writes no rows for it. */
const uncounted = { ...alerts, grouped: undefined };

function createAlert({ table, windowSeconds }: Place, batch: Batch, part: Written): void {
  const { key, alertId, changes, draft, window } = part;
  if (!draft) return;
  const { title, description, source, dedupKey } = draft;
  const nothingYet = { assigneeId: null, assignee: null, incidentId: null, acknowledgedAt: null, resolvedAt: null };
  const fresh = { ...nothingYet, resolution: null, reopenedAt: null, reopenedCount: 0, status: 'new' as const };
  const fields = { title, description, source, dedupKey, ...changes };
  batch.create(uncounted, table.stamp<StoredAlert>({ ...fields, ...fresh, id: alertId }));
  if (dedupKey === null) return;
  const others = (window ? [window, ...(window.others ?? [])] : [])
    .map(({ alertId, startedAt }) => ({ alertId, startedAt }))
    .slice(0, MAX_WINDOWS);
  const expiresAt = inSeconds(windowSeconds + WINDOWS_KEPT_DAYS * DAY_SECONDS);
  const row = { key, alertId, startedAt: draft.firstEventAt, expiresAt, ...(others.length > 0 && { others }) };
  const expect = window ? { alertId: window.alertId } : ('absent' as const);
  batch.write(putWrite(table.tenant, alertWindows, { row, expect, fail }));
}

import { setImmediate } from 'node:timers/promises';
import { setIn } from '#shared/platform/runtime/set-in.ts';
import type { SiemEvent } from '../siem/event.ts';
import { SUM_UNIT } from '../sigma/correlation.ts';
import { type EventTexts, eventTexts } from '../sigma/event.ts';
import type { Addend, Correlation } from '../sigma/rule.ts';
import { newBudget } from './budget.ts';
import type { ReadyPart, ReadyRule } from './ready-rule.ts';
import type { Ruleset } from './ruleset.ts';
import { newSubjects } from './subject.ts';
import { slotOf, slotsOf } from './windows.ts';

/** Events that match a rule, belong together and are close in time. */
export type Sighting = {
  rule: ReadyRule;
  /** The values by which the events were put together. */
  group: readonly string[];
  /** The minute, or the slot of a correlation. */
  time: number;
  count: number;
  firstAt: string;
  lastAt: string;
  subjects: ReturnType<typeof newSubjects>;
  /** The sum that a correlation adds up, in thousandths. */
  sum: number;
  /** The different values that a correlation counts, as many as it needs. */
  values: Set<string>;
};

/** The most groups of a rule that a batch counts; events of further groups are counted as left out. */
const MAX_GROUPS = 2_000;
/** A rule that matches events of more hosts than this in a batch gets one alert for the other hosts together. */
const MAX_HOSTS = 100;

const MINUTE_MS = 60_000;

/** A rule over its budget, with the event and the pattern that used the last of it. */
export type Overrun = Sighting & { pattern: string };

/** `leftOut`: for each correlation the events of groups for which there was no room. */
type Sighted = { sightings: Sighting[]; events: number; leftOut: Sighting[]; over: Overrun[] };

/** Steps until other work runs: about 20 milliseconds. */
const STEPS_A_TURN = 2_000_000;

/**
 * Tries the rules on events, in the order of the events. A rule over its budget keeps its results from the events
 * before; a correlation keeps none, because a repetition might count other events.
 */
export async function sight(
  ruleset: Pick<Ruleset, 'partsFor'>,
  events: readonly SiemEvent[],
  budget = newBudget(events),
): Promise<Sighted> {
  const byRule = new Map<ReadyRule, Map<string, Sighting>>();
  const leftOut = new Map<ReadyRule, Map<string, Sighting>>();
  const groups = new Map<ReadyRule, Set<string>>();
  let fitting = 0;
  let turn = budget.left();
  for (const event of events) {
    const texts = eventTexts(event);
    const parts = ruleset.partsFor(texts);
    if (parts.length === 0) continue;
    if (turn - budget.left() > STEPS_A_TURN) {
      await setImmediate();
      turn = budget.left();
    }
    for (const part of parts.filter((one) => budget.fits(one, texts))) {
      fitting++;
      const place = placeOf(part, texts, setIn(groups, part.rule, newGroups));
      const known = place === null ? leftOut : byRule;
      const { group, time } = place ?? { group: [], time: 0 };
      if (place !== undefined) noteEvent(setIn(known, part.rule, newSightings), { part, event: texts, group, time });
    }
  }
  for (const rule of budget.over.keys())
    if (rule.text.correlation) for (const known of [byRule, leftOut]) known.delete(rule);
  const over = [...budget.over].map(([rule, { pattern, event }]) => ({ ...overrun(rule, event), pattern }));
  return { sightings: allIn(byRule), events: fitting, leftOut: allIn(leftOut), over };
}

function overrun(rule: ReadyRule, event: EventTexts): Sighting {
  const { at } = event.event;
  const subjects = newSubjects();
  subjects.add(event);
  return { rule, group: [], time: 0, count: 1, firstAt: at, lastAt: at, subjects, sum: 0, values: new Set() };
}

const allIn = (known: ReadonlyMap<ReadyRule, ReadonlyMap<string, Sighting>>): Sighting[] =>
  [...known.values()].flatMap((one) => [...one.values()]);

const newGroups = () => new Set<string>();
const newSightings = () => new Map<string, Sighting>();

type Place = { group: readonly string[]; time: number };

/**
 * The values by which events are put together, without letter case: hosts and users are spelled in several ways. undefined for an event
 * that lacks a field of the group.
 */
export function groupOf({ rule, n }: ReadyPart, event: EventTexts): readonly string[] | undefined {
  const { host, user } = event.event;
  const { correlation, newTerms } = rule.text;
  const names = correlation?.groupBy ?? newTerms?.fields;
  if (!names) return [(host ?? user ?? '').toLowerCase()];
  const found = names.map((name) => event.lower(correlation?.aliases[n]?.get(name) ?? name)?.join(', '));
  const group = found.filter((value) => value !== undefined);
  return group.length < found.length ? undefined : group;
}

/** The group and slot of an event; null for an event beyond the most groups. */
function placeOf(part: ReadyPart, event: EventTexts, groups: Set<string>): Place | undefined | null {
  const at = Date.parse(event.event.at);
  const { correlation, newTerms } = part.rule.text;
  const group = groupOf(part, event);
  if (!group) return undefined;
  const minute = Math.floor(at / MINUTE_MS);
  if (newTerms) return isKnown(groups, group, MAX_GROUPS) ? { group, time: minute } : null;
  if (!correlation) return { group: isKnown(groups, group, MAX_HOSTS) ? group : [''], time: minute };
  const { adds } = correlation;
  if (adds.as !== 'itself' && numbersOf(correlation, part.n, event).length === 0) return undefined;
  if (!isKnown(groups, group, MAX_GROUPS)) return null;
  return { group, time: slotOf(slotsOf(correlation.timespanSeconds), at) };
}

const MAX_KEY = 300;

/** The key of a rule's alerts about a group of events. */
export const dedupKeyOf = ({ id }: Pick<ReadyRule, 'id'>, group: readonly string[]): string =>
  [id, ...group].join(' ').trim().slice(0, MAX_KEY);

/** Whether there is room for a group beside the earlier ones. */
function isKnown(groups: Set<string>, group: readonly string[], most: number): boolean {
  const key = JSON.stringify(group);
  if (!groups.has(key) && groups.size >= most) return false;
  groups.add(key);
  return true;
}

/** A syslog daemon writes repeated messages once, with their number (`readSyslog`). */
const repetitionsOf = ({ format, fields: { repeated } }: SiemEvent): number =>
  format === 'syslog' && typeof repeated === 'number' ? repeated : 1;

/** The rules of a correlation as values, in their order. */
export const placeKeys = (count: number): string[] => Array.from({ length: count }, (_, place) => String(place));

/** The values that a correlation counts of an event: those of its fields together, or the rule that the event fits. */
function valuesOf({ fields, aliases, places, atLeast }: Correlation, n: number, event: EventTexts): readonly string[] {
  if (fields === null) return [String(places[n])];
  const [first = [], ...others] = fields.map((field) => event.lower(aliases[n]?.get(field) ?? field) ?? []);
  return others.reduce(
    (found, more) => found.flatMap((one) => more.map((other) => `${one}\n${other}`)).slice(0, atLeast),
    first,
  );
}

const MAX_SUMMAND = 1_000_000_000_000;

/** The numbers that a correlation adds up, in thousandths. */
function numbersOf(correlation: Correlation, n: number, event: EventTexts): number[] {
  const numbers = valuesOf(correlation, n, event).map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  return numbers
    .filter((number) => !Number.isNaN(number))
    .map((number) => Math.round(Math.max(-MAX_SUMMAND, Math.min(number, MAX_SUMMAND)) * SUM_UNIT));
}

function addendOf(adds: Addend, number: number): number {
  if (adds.as === 'itself') return Math.max(0, number);
  if (adds.as === 'distance') return adds.sign * (number - adds.from);
  const isAbove = adds.isAbove === 'gte' ? number >= adds.of : number > adds.of;
  return adds.sign * (isAbove ? adds.percentile : adds.percentile - 100);
}

/** The part of an event in a sum. */
function amountOf(correlation: Correlation, n: number, event: EventTexts): number {
  const addends = numbersOf(correlation, n, event).map((number) => addendOf(correlation.adds, number));
  return addends.reduce((sum, addend) => sum + addend, 0) * repetitionsOf(event.event);
}

type Noted = Place & { part: ReadyPart; event: EventTexts };

function noteEvent(known: Map<string, Sighting>, { part: { rule, n }, event, group, time }: Noted): void {
  const { at } = event.event;
  const sighting = setIn(known, JSON.stringify([time, ...group]), () => ({
    rule,
    group,
    time,
    count: 0,
    firstAt: at,
    lastAt: at,
    subjects: newSubjects(),
    sum: 0,
    values: new Set<string>(),
  }));
  sighting.count += repetitionsOf(event.event);
  if (at < sighting.firstAt) sighting.firstAt = at;
  if (at > sighting.lastAt) sighting.lastAt = at;
  sighting.subjects.add(event);
  const { correlation } = rule.text;
  if (correlation?.counts === 'sum') sighting.sum += amountOf(correlation, n, event);
  const hasValues = correlation?.counts === 'values' || correlation?.counts === 'order';
  if (!hasValues || sighting.values.size >= correlation.atLeast) return;
  for (const value of valuesOf(correlation, n, event)) sighting.values.add(value);
}

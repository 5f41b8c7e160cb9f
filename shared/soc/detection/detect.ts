import { log } from '#shared/platform/runtime/log.ts';
import { setIn } from '#shared/platform/runtime/set-in.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts as alertEntity } from '../alerts/alert.ts';
import { raiseUnindexed } from '../alerts/raise.ts';
import type { SiemEvent } from '../siem/event.ts';
import { sightingIn } from './chained.ts';
import { type Counting, countCells, countNames, type Due, placesOfSpans, raiseDue } from './count.ts';
import { shortHash } from './count-rows.ts';
import { type NewTerm, noteTerms } from './new-terms.ts';
import type { ReadyRule } from './ready-rule.ts';
import { countMatches } from './rule-weeks.ts';
import { type Ruleset, readRuleset } from './ruleset.ts';
import { dedupKeyOf, type Overrun, type Sighting, sight } from './sightings.ts';
import { overBudget, switchOff } from './switch-off.ts';
import { slotsOf } from './windows.ts';

/** `zone`: the zone of the events' hosts. */
type Place = { table: Table; zone: string | null };

/** Events that came together. Sent again, they have the same id and the same order. */
type EventBatch = { batchId: string; sourceId: string; events: readonly SiemEvent[] };

/** Keys of alerts that rules raise mean nothing to others who raise alerts. */
const ORIGIN = 'detection';
const MAX_TITLE = 250;

/**
 * Tries the rules of the organization on a batch of events and raises their alerts. Each event counts once, for any
 * number of deliveries of the batch, any kill of a worker and any change of a rule in between.
 * @returns the number of matches of events and rules
 */
export async function detect(place: Place, { batchId, sourceId, events }: EventBatch): Promise<{ matches: number }> {
  const { table } = place;
  const ruleset = await readRuleset(table);
  const { sightings, events: matches, leftOut, over } = await sight(ruleset, events);
  if (leftOut.length > 0) log.warn('a batch has more groups than a correlation counts', { batchId, sourceId });
  await countMatches(table, batchId, matchesByRule([...sightings, ...leftOut]));
  const isLoud = ({ rule }: Pick<Sighting, 'rule'>) => rule.effect !== 'signal';
  const {
    single = [],
    counted = [],
    first = [],
  } = Object.groupBy(sightings, ({ rule: { text } }) =>
    text.correlation ? 'counted' : text.newTerms ? 'first' : 'single',
  );
  const alerts = [
    ...single.filter(isLoud).map((one) => alertOf(one, { batchId })),
    ...leftOut.filter(isLoud).map((one) => uncountedOf(one, { batchId })),
    ...over.map((one) => switchedOffOf(one, { batchId })),
  ];
  if (alerts.length > 0) await raise(place, alerts);
  for (const ofRule of Map.groupBy(first, ({ rule }) => rule).values())
    await noteTerms(table, ofRule, async ({ terms, others }) => {
      const more = others.length > 0 ? [othersOf(others, { batchId })] : [];
      await raise(place, [...terms.map(newTermOf), ...more]);
    });
  await correlateAll({ ...place, batchId, ruleset }, counted);
  // also for alerts of an earlier delivery that was killed before this step
  if (matches > 0 || over.length > 0) await table.workJournal(alertEntity);
  // the last step: a repeated batch finds the same rules as before
  for (const { rule, pattern } of over) await switchOff(table, rule, overBudget(pattern));
  return { matches };
}

function matchesByRule(sightings: readonly Sighting[]): Map<string, number> {
  const matches = new Map<string, number>();
  for (const { rule, count } of sightings) matches.set(rule.id, (matches.get(rule.id) ?? 0) + count);
  return matches;
}

type Raised = Parameters<typeof raiseUnindexed>[2][number];

const raise = ({ table, zone }: Place, alerts: readonly Raised[]) =>
  raiseUnindexed(table, { id: ORIGIN, zone }, alerts);

/** The alert of events that belong together. */
function alertFields({
  rule,
  group,
  subjects,
}: Sighting): Omit<Raised, 'eventKey' | 'eventCount' | 'firstEventAt' | 'lastEventAt'> {
  const { id, title, description, severity, attackTechniques } = rule;
  return {
    title,
    description,
    severity,
    attackTechniques,
    entities: subjects.all(),
    source: { kind: 'siem', ruleId: id, ruleName: title, collectorId: null },
    dedupKey: dedupKeyOf(rule, group),
  };
}

/** Events of one minute and host are counted together: an alert needs no row for each event. */
const alertOf = (sighting: Sighting, { batchId }: Pick<EventBatch, 'batchId'>): Raised => ({
  ...alertFields(sighting),
  eventKey: shortHash(batchId, sighting.rule.id, sighting.group, sighting.time),
  eventCount: sighting.count,
  firstEventAt: sighting.firstAt,
  lastEventAt: sighting.lastAt,
});

const together = (sightings: readonly Sighting[]) => ({
  eventCount: sightings.reduce((sum, { count }) => sum + count, 0),
  firstEventAt: sightings.map(({ firstAt }) => firstAt).sort()[0] ?? '',
  lastEventAt:
    sightings
      .map(({ lastAt }) => lastAt)
      .sort()
      .at(-1) ?? '',
});

/** The alert of a new value names it. */
function newTermOf({ sightings, settles }: NewTerm): Raised {
  const [first] = sightings;
  if (!first) throw new Error('a value without events is not new');
  const fields = alertFields(first);
  const title = `${fields.title.slice(0, MAX_TITLE / 2)}: ${first.group.join(', ').slice(0, MAX_TITLE / 2)}`;
  return { ...fields, ...together(sightings), title, eventKey: shortHash(fields.dedupKey, first.firstAt), settles };
}

/** The further new values of a batch with very many. */
function othersOf(others: readonly Sighting[], { batchId }: Pick<EventBatch, 'batchId'>): Raised {
  const [first] = others;
  if (!first) throw new Error('no values are further ones');
  const { id, title } = first.rule;
  return {
    ...alertFields(first),
    ...together(others),
    title: `${title.slice(0, MAX_TITLE)}: more new values`,
    eventKey: shortHash(batchId, id, 'more new values'),
    dedupKey: `${id} more new values`,
  };
}

/** A batch with so many groups is itself a sign, and nobody may believe that all of them were counted. */
function uncountedOf(sighting: Sighting, { batchId }: Pick<EventBatch, 'batchId'>): Raised {
  const { id, title } = sighting.rule;
  return {
    ...alertOf(sighting, { batchId }),
    title: `${title.slice(0, MAX_TITLE)}: more groups than are counted`,
    eventKey: shortHash(batchId, id, 'left out'),
    dedupKey: `${id} left out`,
  };
}

/** Nobody may believe that the rule still runs, least of all if somebody sent these events to stop it. */
function switchedOffOf(overrun: Overrun, { batchId }: Pick<EventBatch, 'batchId'>): Raised {
  const { id, title } = overrun.rule;
  return {
    ...alertOf(overrun, { batchId }),
    title: `${title.slice(0, MAX_TITLE)}: switched off`,
    description: overBudget(overrun.pattern),
    eventKey: shortHash(batchId, id, 'switched off'),
    dedupKey: `${id} switched off`,
  };
}

type Counted = Place & { batchId: string; ruleset: Ruleset };
/** The correlation that sightings belong to, and their places in its counts. */
type Correlated = { rule: ReadyRule; events: readonly Sighting[]; chained: readonly Sighting[] };

/** Each correlation is counted behind those that it counts. */
async function correlateAll(counted: Counted, sightings: readonly Sighting[]): Promise<void> {
  const { chains } = counted.ruleset;
  const events = Map.groupBy(sightings, ({ rule }) => rule);
  const chained = new Map<ReadyRule, Sighting[]>();
  for (const rule of chains.order) {
    const one = { rule, events: events.get(rule) ?? [], chained: chained.get(rule) ?? [] };
    const outer = chains.countedIn(rule);
    if (one.events.length + one.chained.length === 0 || (rule.effect === 'signal' && outer.length === 0)) continue;
    const met = await correlate(counted, one, outer.length > 0);
    for (const link of outer)
      setIn(chained, link.rule, newList).push(...met.flatMap(({ sighting, slot }) => sightingIn(link, sighting, slot)));
  }
}

const newList = (): Sighting[] => [];

/**
 * Counts one correlation, and raises alerts for the groups with enough events.
 * @returns with `isCounted`, where the correlation came about, for others that count it
 */
async function correlate(
  { batchId, ruleset: { chains }, ...place }: Counted,
  { rule, events, chained }: Correlated,
  isCounted: boolean,
): Promise<{ sighting: Sighting; slot: number }[]> {
  const correlation = chains.conditionOf(rule);
  if (!correlation) return [];
  const version = chains.versionOf(rule);
  const slots = slotsOf(correlation.timespanSeconds);
  const counting: Counting = { table: place.table, rule: { id: rule.id, version }, slots, correlation };
  const idOf = ({ group }: Sighting) => shortHash(rule.id, version, group);
  const cellOf = (one: Sighting) => ({ ...one, group: idOf(one), slot: one.time });
  if (!(await countCells(counting, batchId, events.map(cellOf)))) return [];
  await countNames(counting, chained.map(cellOf));
  const all = [...events, ...chained];
  const byGroup = Map.groupBy(all, idOf);
  const cells = all.map(cellOf);
  if (rule.effect !== 'signal')
    await raiseDue(counting, cells, async (due) => {
      const alerts = due.flatMap((one) => slotAlert(one, byGroup.get(one.group) ?? [], slots.slotMs));
      await raise(place, alerts);
    });
  const places = isCounted ? await placesOfSpans(counting, cells) : [];
  return places.flatMap(({ group, slot }) =>
    (byGroup.get(group) ?? []).slice(0, 1).map((sighting) => ({ sighting, slot })),
  );
}

/** The alert of a slot. Of a slot that other batches filled only its bounds are known. */
function slotAlert({ slot, name, eventCount, settles }: Due, ofGroup: readonly Sighting[], slotMs: number): Raised[] {
  const [any] = ofGroup;
  if (!any) return [];
  const own = ofGroup.find(({ time }) => time === slot);
  const [from, to] = [slot * slotMs, (slot + 1) * slotMs - 1].map((ms) => new Date(ms).toISOString());
  const times = { firstEventAt: own?.firstAt ?? from ?? '', lastEventAt: own?.lastAt ?? to ?? '' };
  return [{ ...alertFields(own ?? any), ...times, eventKey: name, eventCount, settles }];
}

import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Budget, newBudget } from '#shared/soc/detection/budget.ts';
import { sightingIn } from '#shared/soc/detection/chained.ts';
import { type Chains, testsOf } from '#shared/soc/detection/chains.ts';
import { readyDraft } from '#shared/soc/detection/draft.ts';
import type { ReadyPart } from '#shared/soc/detection/ready-rule.ts';
import { looksAt, type Ruleset, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { placeKeys, type Sighting, sight } from '#shared/soc/detection/sightings.ts';
import { overBudget } from '#shared/soc/detection/switch-off.ts';
import { fullSpans, slotsOf } from '#shared/soc/detection/windows.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { SigmaError } from '#shared/soc/sigma/refusal.ts';
import type { DetectionTestResult, TriedEvent } from './routes.ts';

type Tried = { content: string; events: readonly TriedEvent[] };

/**
 * Tries a text on events as the worker would, and writes nothing.
 * @throws validation_failed for a text that takes too many steps on these events
 */
export async function tryRule(table: Table, { content, events }: Tried): Promise<DetectionTestResult> {
  const read = await readOrTell(table, content);
  if (read instanceof SigmaError)
    return { rule: null, errors: [{ path: read.path, message: read.reason }], events: [], alerts: [] };
  const { draft, rules } = read;
  const whole = events.map(wholeEvent);
  const { id, title, severity, type, logsources, attackTechniques, sigmaId } = draft;
  const budget = newBudget(whole);
  const parts = [...rules.values()].flatMap((rule) => (rule.id === id ? testsOf(rule, rules, { deep: true }) : []));
  const outcomes = whole.map((event, index) => ({ index, ...outcome(parts, event, budget) }));
  const ruleset = rulesetOf([...rules.values()]);
  const { sightings, over } = await sight(ruleset, whole, budget);
  for (const { pattern } of over) throw invalid('content', overBudget(pattern));
  return {
    rule: { title, severity, type, logsources, attackTechniques, sigmaId },
    errors: [],
    events: outcomes,
    alerts: alertsOf(sightings, { id, ruleset }),
  };
}

async function readOrTell(table: Table, content: string) {
  try {
    return await readyDraft(table, content);
  } catch (error) {
    if (error instanceof SigmaError) return error;
    throw error;
  }
}

const NOWHERE = { host: null, user: null, action: null, category: null, product: null, service: null } as const;

function wholeEvent(event: TriedEvent): SiemEvent {
  const at = now();
  const base = { ...NOWHERE, at, receivedAt: at, sourceId: newId(), format: 'json', severity: 'info' } as const;
  return { ...base, message: '', fields: {}, raw: '', ...event };
}

function outcome(parts: readonly ReadyPart[], event: SiemEvent, budget: Budget) {
  const looking = parts.filter(({ sigma }) => looksAt(sigma.logsource, event));
  const texts = eventTexts(event);
  return { inLogSource: looking.length > 0, matches: looking.some((part) => budget.fits(part, texts)) };
}

type Of = { id: string; ruleset: Pick<Ruleset, 'chains'> };

/** The alerts of a rule by groups, as if all events came within one window. */
export function alertsOf(seen: readonly Sighting[], { id, ruleset: { chains } }: Of): DetectionTestResult['alerts'] {
  const sightings = [...seen];
  for (const rule of chains.order.filter((one) => one.id !== id))
    for (const ofGroup of groupsOf(sightings, rule.id))
      for (const { last } of spansOf(ofGroup, chains))
        sightings.push(
          ...chains
            .countedIn(rule)
            .flatMap((link) => ofGroup.slice(0, 1).flatMap((one) => sightingIn(link, one, last))),
        );
  return groupsOf(sightings, id).flatMap((ofGroup) => {
    const alerting = new Set(spansOf(ofGroup, chains).flatMap(({ slots }) => slots));
    const raised = ofGroup.filter(({ rule, time }) => !rule.text.correlation || alerting.has(time));
    const [any] = raised;
    if (!any) return [];
    const times = raised.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]).sort();
    const eventCount = raised.reduce((sum, { count }) => sum + count, 0);
    return [{ group: [...any.group], eventCount, firstEventAt: times[0] ?? '', lastEventAt: times.at(-1) ?? '' }];
  });
}

const groupsOf = (sightings: readonly Sighting[], ruleId: string): Sighting[][] => [
  ...Map.groupBy(
    sightings.filter(({ rule }) => rule.id === ruleId),
    ({ group }) => JSON.stringify(group),
  ).values(),
];

/** The spans with enough events of one group. */
function spansOf(ofGroup: readonly Sighting[], chains: Chains) {
  const correlation = ofGroup[0] && chains.conditionOf(ofGroup[0].rule);
  if (!correlation) return [];
  const { timespanSeconds, atLeast, counts } = correlation;
  const slots = [...Map.groupBy(ofGroup, ({ time }) => time)].map(([slot, some]) => ({
    slot,
    count: some.reduce((sum, one) => sum + one.count, 0),
    sum: some.reduce((sum, one) => sum + one.sum, 0),
    values: some.flatMap(({ values }) => [...values]),
  }));
  return fullSpans(slots, { perSpan: slotsOf(timespanSeconds).perSpan, atLeast, counts, keys: placeKeys(atLeast) });
}

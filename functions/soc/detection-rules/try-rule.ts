import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Budget, newBudget } from '#shared/soc/detection/budget.ts';
import { fieldsOfText } from '#shared/soc/detection/rule-fields.ts';
import { looksAt, type ReadyRule, readyRule, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { placeKeys, type Sighting, sight } from '#shared/soc/detection/sightings.ts';
import { overBudget } from '#shared/soc/detection/switch-off.ts';
import { alertingSlots, slotsOf } from '#shared/soc/detection/windows.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { SigmaError } from '#shared/soc/sigma/refusal.ts';
import type { SigmaText } from '#shared/soc/sigma/rule.ts';
import type { DetectionTestResult, TriedEvent } from './routes.ts';

type Tried = { content: string; events: readonly TriedEvent[] };

/**
 * Tries a text on events as the worker would, and writes nothing.
 * @throws validation_failed for a text that takes too many steps on these events
 */
export async function tryRule({ content, events }: Tried): Promise<DetectionTestResult> {
  const text = await readOrTell(content);
  if (text instanceof SigmaError)
    return { rule: null, errors: [{ path: text.path, message: text.reason }], events: [], alerts: [] };
  const fields = fieldsOfText(text);
  const rule = await readyRule({ ...fields, id: newId(), version: 1, text });
  const whole = events.map(wholeEvent);
  const { title, severity, type, logsources, attackTechniques, sigmaId } = fields;
  const budget = newBudget(whole);
  const outcomes = whole.map((event, index) => ({ index, ...outcome(rule, event, budget) }));
  const { sightings, over } = await sight(rulesetOf([rule]), whole, budget);
  for (const { pattern } of over) throw invalid('content', overBudget(pattern));
  return {
    rule: { title, severity, type, logsources, attackTechniques, sigmaId },
    errors: [],
    events: outcomes,
    alerts: alertsOf(rule, sightings),
  };
}

async function readOrTell(content: string): Promise<SigmaText | SigmaError> {
  try {
    return await readSigma(content);
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

function outcome({ parts }: ReadyRule, event: SiemEvent, budget: Budget) {
  const looking = parts.filter(({ logsource }) => looksAt(logsource, event));
  const texts = eventTexts(event);
  return { inLogSource: looking.length > 0, matches: looking.some((part) => budget.fits(part, texts)) };
}

/** The alerts of groups, as if all events came within one window. */
export function alertsOf(
  { text: { correlation } }: ReadyRule,
  sightings: readonly Sighting[],
): DetectionTestResult['alerts'] {
  const groups = Map.groupBy(sightings, ({ group }) => JSON.stringify(group));
  return [...groups.values()].flatMap((ofGroup) => {
    const counted = ofGroup.map(({ time: slot, count, sum, values }) => ({ slot, count, sum, values: [...values] }));
    const alerting = correlation && alertingSlots(counted, wantedBy(correlation));
    const raised = alerting ? ofGroup.filter(({ time }) => alerting.has(time)) : ofGroup;
    const [any] = raised;
    if (!any) return [];
    const times = raised.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]).sort();
    const eventCount = raised.reduce((sum, { count }) => sum + count, 0);
    return [{ group: [...any.group], eventCount, firstEventAt: times[0] ?? '', lastEventAt: times.at(-1) ?? '' }];
  });
}

const wantedBy = ({ timespanSeconds, atLeast, counts }: NonNullable<SigmaText['correlation']>) => ({
  perSpan: slotsOf(timespanSeconds).perSpan,
  atLeast,
  counts,
  keys: placeKeys(atLeast),
});

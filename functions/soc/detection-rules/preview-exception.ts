import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs, inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import type { DetectionException, DetectionRule } from '#shared/soc/detection/detection-rule.ts';
import type { ReadyRule } from '#shared/soc/detection/ready-rule.ts';
import { readyRulesWith, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { sight } from '#shared/soc/detection/sightings.ts';
import { openSearch, readNewest } from '#shared/soc/hunting/read-newest.ts';
import { huntOf } from '#shared/soc/hunting/rule-test.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventIn } from '#shared/soc/siem/segments.ts';
import type { DetectionExceptionPreview } from './routes.ts';
import { alertsOf } from './try-rule.ts';

const DAYS = 30;
const DAY_SECONDS = 86_400;
/** The newest alerts that an answer looks into. */
const MAX_ALERTS = 200;
/** Events of an alert that are read. */
const MAX_EVENTS = 1_000;
const AT_ONCE = 4;
/** No further alerts are looked into after this time. */
const MAX_MS = 10_000;

type Alert = { id: string; dedupKey: string | null; eventCount: number };

/** `isCertain`: all events of the alert were found, or enough to see that the alert stays. */
type Effect = { isCertain: boolean; isSilenced: boolean; events: number; silenced: number };

/**
 * Tries an exception on the events of a rule's alerts of the last 30 days. What is counted is exact: an alert counts as silenced only where all of
 * its events were found and the others make none.
 */
export async function previewException(
  context: Context,
  rule: DetectionRule,
  where: DetectionException['where'],
): Promise<DetectionExceptionPreview> {
  const since = inSeconds(-DAYS * DAY_SECONDS);
  const selection = { where: { rule: rule.id }, between: { created: { from: since.slice(0, 10) } } };
  const page = await context.table.list(alerts, { paginateFrom: 0, paginateSize: MAX_ALERTS, ...selection });
  const added = { where, reason: '', endsAt: null };
  const all = await readyRulesWith(context.table, { ...rule, exceptions: [] });
  const left = await readyRulesWith(context.table, { ...rule, exceptions: [added] });
  const effects: Effect[] = [];
  const end = elapsedMs() + MAX_MS;
  for (const some of chunksOf(page.data, AT_ONCE)) {
    if (elapsedMs() > end) break;
    effects.push(...(await Promise.all(some.map((alert) => effectOn(context, alert, { ruleId: rule.id, all, left })))));
  }
  const known = effects.filter(({ isCertain }) => isCertain);
  return {
    since,
    alerts: page.totalCount,
    looked: known.length,
    silenced: known.filter(({ isSilenced }) => isSilenced).length,
    events: sum(effects.map(({ events }) => events)),
    silencedEvents: sum(effects.map(({ silenced }) => silenced)),
    isComplete: known.length === page.totalCount,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

type Rules = Record<'all' | 'left', ReadonlyMap<string, ReadyRule>> & { ruleId: string };

async function effectOn(context: Context, { id, dedupKey, eventCount }: Alert, rules: Rules): Promise<Effect> {
  const { ruleId, all, left } = rules;
  const hunt = huntOf(all, { ruleId, named: 'id', dedupKey: dedupKey ?? '' });
  const search = await openSearch(context, { alertId: id }, { hunt });
  const { all: found } = await readNewest(context, { ...search, limit: MAX_EVENTS, seen: () => undefined });
  const events = found.map(({ line }) => eventIn(line));
  const [before, after] = [await tried(ruleId, all, events), await tried(ruleId, left, events)];
  const isSilenced = after.alerts === 0;
  const isCertain = !isSilenced || before.events >= eventCount;
  return {
    isCertain,
    isSilenced: isCertain && isSilenced,
    events: before.events,
    silenced: before.events - after.events,
  };
}

async function tried(id: string, rules: Rules['all'], events: readonly SiemEvent[]) {
  const ruleset = rulesetOf([...rules.values()]);
  const { sightings } = await sight(ruleset, events);
  const own = sightings.filter(({ rule }) => rule.id === id);
  return { events: sum(own.map(({ count }) => count)), alerts: alertsOf(sightings, { id, ruleset }).length };
}

import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Alert } from '../alerts/alert.ts';
import { newBudget } from '../detection/budget.ts';
import { testsOf } from '../detection/chains.ts';
import { detectionRules } from '../detection/detection-rule.ts';
import type { ReadyPart, ReadyRule } from '../detection/ready-rule.ts';
import { looksAt, readyRulesWith } from '../detection/ruleset.ts';
import { dedupKeyOf, groupOf } from '../detection/sightings.ts';
import { overBudget } from '../detection/switch-off.ts';
import type { SiemEvent } from '../siem/event.ts';
import { eventTexts } from '../sigma/event.ts';

/** A test for stored events. `mayFit` judges the text of an event in lower case and has no false refusals. */
export type Hunt = {
  mayFit(lower: string): boolean;
  /** The budget is that of a batch of these events. */
  over(events: readonly Pick<SiemEvent, 'raw'>[]): (event: SiemEvent) => boolean;
};

type Hunted = { ruleId?: string | undefined; dedupKey?: string | undefined };

/**
 * The test for events that a stored rule, as it is now, matches; none without a rule. With `dedupKey` only the events that belong to this alert
 * of the rule. @throws validation_failed for an unknown rule; the test, for a rule that takes too many steps on the events
 */
export async function huntFor(table: Table, { ruleId, dedupKey }: Hunted): Promise<Hunt | undefined> {
  if (ruleId === undefined) return undefined;
  const record = await table.find(detectionRules, ruleId);
  if (!record) throw invalid('ruleId', 'there is no such rule: it was deleted, or has another id');
  // an exception hides no event of an alert that is there already
  const rules = await readyRulesWith(table, { ...record, exceptions: null });
  return huntOf(rules, { ruleId, named: 'ruleId', dedupKey });
}

type Named = { ruleId: string; named: string; dedupKey?: string | undefined };

/** The test for events that a rule matches, or that it counts. `named`: the field of the request that names the rule, for its errors. */
export function huntOf(rules: ReadonlyMap<string, ReadyRule>, { ruleId, named, dedupKey }: Named): Hunt {
  const rule = rules.get(ruleId);
  const parts = rule ? testsOf(rule, rules, { deep: true }) : [];
  const sources = parts.map(sourceTexts);
  // the alert of a rule with too many hosts has the events of all further hosts
  const isOfAll = dedupKey === undefined || dedupKey === dedupKeyOf({ id: ruleId }, ['']);
  return {
    mayFit: (lower) => sources.some((needles) => needles.every((needle) => lower.includes(needle))),
    over(events) {
      const budget = newBudget(events);
      return (event) => {
        const texts = eventTexts(event);
        const fitting = parts.filter((part) => looksAt(part.sigma.logsource, event) && budget.fits(part, texts));
        for (const { pattern } of budget.over.values()) throw invalid(named, overBudget(pattern));
        return fitting.some((part) => isOfAll || dedupKeyOf(part.rule, groupOf(part, texts) ?? []) === dedupKey);
      };
    },
  };
}

/** Texts that each event of a log source has. A category may stand for several. */
const sourceTexts = ({ sigma: { logsource } }: ReadyPart): string[] =>
  (['product', 'service'] as const).flatMap((name) => {
    const value = logsource[name];
    return value === null ? [] : [`"${name}":${JSON.stringify(value)}`.toLowerCase()];
  });

/** The search for the events of an alert. @throws validation_failed where no rule of the organization raised it */
export function eventsOfAlert({ source, dedupKey, entities, firstEventAt, lastEventAt }: Alert) {
  const { kind, ruleId } = source;
  if (kind !== 'siem' || !ruleId || !dedupKey)
    throw invalid('alertId', 'no rule of this organization raised the alert: its events are where it came from');
  const group = dedupKey.slice(ruleId.length + 1);
  const named = (type: 'host' | 'user') =>
    entities.find((one) => one.type === type && one.value.toLowerCase() === group)?.value;
  const host = named('host');
  return {
    ruleId,
    dedupKey,
    host,
    user: host === undefined ? named('user') : undefined,
    from: firstEventAt,
    to: new Date(Date.parse(lastEventAt) + 1).toISOString(),
  };
}

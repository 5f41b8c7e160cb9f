import type { Correlation } from '../sigma/rule.ts';
import type { ReadyPart, ReadyRule } from './ruleset.ts';
import type { Sighting } from './sightings.ts';
import { slotOf, slotsOf } from './windows.ts';

type Rules = ReadonlyMap<string, ReadyRule>;
/** A stored rule that a correlation counts. `n`: its number among the `places` of the correlation. */
type Link = { rule: ReadyRule; n: number };

/** The stored rules that a rule counts, in the order of its references. */
const countedBy = ({ counts, text }: ReadyRule, rules: Rules): Link[] =>
  (counts ?? []).flatMap((id, k) => {
    const rule = rules.get(id);
    return rule ? [{ rule, n: text.rules.length + k }] : [];
  });

type Tests = { partsOf?: (rule: ReadyRule) => readonly ReadyPart[]; deep?: boolean };

/** The tests of a rule: its own, and those of the stored rules that it counts. `deep`: also through the correlations that it counts. */
export const testsOf = (rule: ReadyRule, rules: Rules, tests: Tests = {}): ReadyPart[] => {
  const { partsOf = ({ parts }) => parts, deep = false } = tests;
  const counted = countedBy(rule, rules).filter((one) => deep || !one.rule.text.correlation);
  const linked = counted.flatMap((one) => testsOf(one.rule, rules, tests).map((part) => ({ ...part, n: one.n })));
  return [...partsOf(rule), ...linked.map((part) => ({ ...part, rule, fits: rule.leaveOut(part.fits) }))];
};

export type Chains = ReturnType<typeof chainsOf>;

/** Correlations that count each other: a correlation comes behind those that it counts. */
export function chainsOf(rules: Rules) {
  const correlations = [...rules.values()].filter(({ text }) => text.correlation);
  const depthOf = (rule: ReadyRule): number =>
    1 + Math.max(0, ...countedBy(rule, rules).map((counted) => depthOf(counted.rule)));
  const links = correlations.flatMap((rule) => countedBy(rule, rules).map((counted) => ({ ...counted, outer: rule })));
  const counting = Map.groupBy(links, ({ rule }) => rule);
  return {
    /** Correlations, each behind those that it counts. */
    order: correlations
      .map((rule) => ({ rule, depth: depthOf(rule) }))
      .sort((a, b) => a.depth - b.depth)
      .map(({ rule }) => rule),
    /** The correlations that count this one. */
    countedIn: (rule: ReadyRule): Link[] => (counting.get(rule) ?? []).map(({ outer, n }) => ({ rule: outer, n })),
    /** A number that grows with each change of a rule or of those that it counts. */
    versionOf: (rule: ReadyRule): number => versionIn(rule, rules),
    conditionOf: (rule: ReadyRule): Correlation | null => conditionIn(rule, rules),
  };
}

const versionIn = (rule: ReadyRule, rules: Rules): number =>
  countedBy(rule, rules).reduce((sum, counted) => sum + versionIn(counted.rule, rules), rule.version);

/** Each time that a correlation comes about is a value of its own. */
function conditionIn(rule: ReadyRule, rules: Rules): Correlation | null {
  const { correlation } = rule.text;
  const isChain = countedBy(rule, rules).some((counted) => counted.rule.text.correlation);
  return correlation?.counts === 'events' && isChain ? { ...correlation, counts: 'values' } : correlation;
}

/**
 * The sighting of a correlation that counts the one which came about for this group in a span that ends with this slot. It has the fields of the
 * inner one's `group-by`.
 */
export function sightingIn({ rule: outer, n }: Link, { rule, group, subjects }: Sighting, slot: number): Sighting[] {
  const { correlation: inner } = rule.text;
  const { correlation } = outer.text;
  if (!inner || !correlation) return [];
  const { slotMs, perSpan } = slotsOf(inner.timespanSeconds);
  const valueIn = (name: string) => group[inner.groupBy.indexOf(correlation.aliases[n]?.get(name) ?? name)] ?? [];
  const outerGroup = correlation.groupBy.flatMap(valueIn);
  const span = JSON.stringify([rule.id, group, Math.floor(slot / perSpan)]);
  const isTogether = correlation.type === 'temporal' || correlation.type === 'temporal_ordered';
  const value = correlation.fields?.flatMap(valueIn).join('\n') ?? (isTogether ? String(correlation.places[n]) : span);
  const [firstAt, lastAt] = [slot * slotMs, (slot + 1) * slotMs - 1];
  return [
    {
      rule: outer,
      group: outerGroup,
      time: slotOf(slotsOf(correlation.timespanSeconds), firstAt),
      count: 1,
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
      subjects,
      sum: 0,
      values: new Set([value]),
    },
  ];
}

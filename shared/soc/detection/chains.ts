import type { Correlation } from '../sigma/rule.ts';
import type { ReadyPart, ReadyRule } from './ready-rule.ts';

type Rules = ReadonlyMap<string, ReadyRule>;
/** A stored rule that a correlation counts. `n`: its number among the `places` of the correlation. */
export type Link = { rule: ReadyRule; n: number };

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

import { indexAt, textAt } from '../../readers/json.ts';
import type { Rule } from './rule.ts';
import { findRule, type Run } from './run.ts';

/** The level of a result (3.27.10): its own, the one that its invocation gives the rule, or the rule's default. */
export const levelOf = (run: Run, rule: Rule | undefined, result: unknown): string | undefined =>
  textAt(result, 'level') ?? overridden(run, rule, result) ?? rule?.level;

/** A result that names no invocation is of any; most runs have one. */
function overridden(run: Run, rule: Rule | undefined, result: unknown): string | undefined {
  if (run.overrides.length === 0) return undefined;
  const key = rule ?? textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id');
  const levels = key === undefined ? undefined : levelsOf(run).get(key);
  const invocation = indexAt(result, 'provenance', 'invocationIndex');
  return invocation === undefined ? levels?.values().next().value : levels?.get(invocation);
}

/** The levels of a rule by invocation; of a rule that the report does not describe by its id. */
type Levels = Map<Rule | string, Map<number, string>>;
const known = new WeakMap<Run, Levels>();

function levelsOf(run: Run): Levels {
  const found = known.get(run);
  if (found) return found;
  const levels: Levels = new Map();
  for (const { descriptor, invocation, level } of run.overrides) {
    const key = findRule(run, { rule: descriptor }) ?? textAt(descriptor, 'id');
    if (key === undefined) continue;
    const ofRule = levels.get(key) ?? new Map<number, string>();
    levels.set(key, ofRule.set(invocation, level));
  }
  known.set(run, levels);
  return levels;
}

import type { SiemEvent } from '../siem/event.ts';
import type { EventTexts } from '../sigma/event.ts';
import { OverBudget, type Steps } from '../sigma/steps.ts';
import type { ReadyPart, ReadyRule } from './ready-rule.ts';

/**
 * Steps for a batch of events, and more for each character of its lines: the limits of one rule, and of all rules
 * together. A step is about 10 nanoseconds, so that a small batch takes less than half a second.
 */
const RULE = { batch: 10_000_000, character: 50 };
const ALL_RULES = { batch: 25_000_000, character: 100 };
/** A short line counts as this many characters. */
const LEAST_CHARACTERS = 200;

/** The pattern with which a rule was over its budget, and the event on which. */
type Excess = { pattern: string; event: EventTexts };

export type Budget = ReturnType<typeof newBudget>;

/** Counts the steps that rules take on the events of one batch. */
export function newBudget(events: readonly Pick<SiemEvent, 'raw'>[]) {
  const characters = events.reduce((sum, { raw }) => sum + Math.max(raw.length, LEAST_CHARACTERS), 0);
  const most = RULE.batch + RULE.character * characters;
  const taken = new Map<ReadyRule, Steps>();
  const over = new Map<ReadyRule, Excess>();
  let left = ALL_RULES.batch + ALL_RULES.character * characters;
  /** Its steps are free for the other rules again. */
  const exclude = (rule: ReadyRule, excess: Excess): void => {
    over.set(rule, excess);
    left += most - (taken.get(rule)?.left ?? most);
    taken.delete(rule);
  };
  const test = ({ rule, fits }: ReadyPart, event: EventTexts): boolean => {
    const steps = taken.get(rule) ?? { left: most, at: '' };
    taken.set(rule, steps);
    const before = steps.left;
    try {
      return fits(event, steps);
    } catch (error) {
      if (error instanceof OverBudget) return false;
      throw error;
    } finally {
      left -= before - steps.left;
      if (steps.left < 0) exclude(rule, { pattern: steps.at, event });
    }
  };
  return {
    /** Rules over their budgets. */
    over: over as ReadonlyMap<ReadyRule, Excess>,
    /** How many steps all rules together have left. */
    left: (): number => left,
    /** Whether an event matches. If all rules together exceed the budget, the most expensive rule is excluded. */
    fits(part: ReadyPart, event: EventTexts): boolean {
      if (over.has(part.rule)) return false;
      const isFitting = test(part, event);
      while (left < 0 && taken.size > 0) {
        const [rule, { at }] = [...taken].reduce((one, other) => (other[1].left < one[1].left ? other : one));
        exclude(rule, { pattern: at, event });
      }
      return isFitting && !over.has(part.rule);
    },
  };
}

/** The steps that a rule may still take, and the pattern that takes them now. A step is about 10 nanoseconds of a processor. */
export type Steps = { left: number; at: string };

/** A rule needs more steps than it has. */
export class OverBudget extends Error {
  /** The pattern that was tried when the steps ended. */
  readonly pattern: string;

  constructor(pattern: string) {
    super(`${pattern} needs more steps than a rule may take`);
    this.pattern = pattern;
  }
}

/** @throws OverBudget when no steps are left */
export function take(steps: Steps, some: number): void {
  steps.left -= some;
  if (steps.left < 0) throw new OverBudget(steps.at);
}

/** Characters that a native search passes in a step. */
const CHARACTERS_A_STEP = 64;
/** V8 compares a longer text again at each place of the searched text. */
const LONG = 250;

/** The price of reading a text once. */
export const readingSteps = (length: number): number => 1 + length / CHARACTERS_A_STEP;

/** The price of looking for a text in so many characters. */
export const searchSteps = (length: number, wanted: string): number =>
  wanted.length > LONG ? 1 + (length * wanted.length) / CHARACTERS_A_STEP : readingSteps(length);

import { now } from '#shared/platform/runtime/clock.ts';
import { compileRule, type Fits } from '../sigma/compile.ts';
import { readPattern } from '../sigma/pattern.ts';
import type { MakeRegex } from '../sigma/regex.ts';
import type { Search } from '../sigma/rule.ts';
import type { DetectionException } from './detection-rule.ts';

const searchOf = (where: DetectionException['where']): Search => [
  Object.entries(where).map(([field, value]) => ({
    field,
    tests: [{ kind: 'text', parts: readPattern(value), cased: false }],
    fits: 'any',
  })),
];

/** Makes tests leave out the events of a rule's exceptions; each exception ends by itself. */
export function leavingOut(exceptions: readonly DetectionException[], makeRegex: MakeRegex): (fits: Fits) => Fits {
  const covering = exceptions.map(({ where, endsAt }, n) => {
    const name = `exceptions.${n}`;
    const rule = { searches: new Map([[name, searchOf(where)]]), condition: { kind: 'search', name } } as const;
    return { endsAt, covers: compileRule(rule, makeRegex) };
  });
  const isCovered: Fits = (event, steps) =>
    covering.some(({ endsAt, covers }) => (endsAt === null || endsAt > now()) && covers(event, steps));
  return (fits) => (covering.length === 0 ? fits : (event, steps) => fits(event, steps) && !isCovered(event, steps));
}

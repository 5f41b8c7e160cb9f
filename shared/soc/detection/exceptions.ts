import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { compileRule, type Fits } from '../sigma/compile.ts';
import { readPattern } from '../sigma/pattern.ts';
import type { MakeRegex } from '../sigma/regex.ts';
import type { Search } from '../sigma/rule.ts';
import type { DetectionException, DetectionRule } from './detection-rule.ts';

const searchOf = (where: DetectionException['where']): Search => [
  Object.entries(where).map(([field, value]) => ({
    field,
    tests: [{ kind: 'text', parts: readPattern(value), cased: false }],
    fits: 'any',
  })),
];

/**
 * An exception whose end is past would silence nothing, and nobody would see why. Those that the rule has already may stay with the others.
 * @throws validation_failed, which names the exception
 */
export function assertEndsLater(
  exceptions: DetectionRule['exceptions'],
  before: DetectionRule['exceptions'] = [],
): void {
  const known = new Set(before?.map(keyOf));
  for (const [n, exception] of (exceptions ?? []).entries()) {
    const { endsAt } = exception;
    if (endsAt === null || Date.parse(endsAt) > nowMs() || known.has(keyOf(exception))) continue;
    throw invalid(`exceptions.${n}.endsAt`, 'must be in the future, or null for an exception that never ends');
  }
}

const keyOf = ({ where, endsAt }: DetectionException): string =>
  JSON.stringify([Object.entries(where).toSorted(), endsAt]);

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

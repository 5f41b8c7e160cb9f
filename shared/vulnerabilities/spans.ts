import { isOpen } from '../entities/finding-status.ts';
import type { VulnerabilityFacts } from '../entities/vulnerability.ts';

type Span = { from: string; to: string };

/** Later than any time. */
const STILL = '~';

/** The times in which a finding stood: up to its return, if it returned, and since then. */
function spansOf({ firstSeenAt, reopenedAt, fixedAt, status }: VulnerabilityFacts): Span[] {
  const to = status === 'fixed' && fixedAt ? fixedAt : STILL;
  if (!reopenedAt) return [{ from: firstSeenAt, to }];
  return [
    // when it was fixed before is not said: it does not join two other spans
    { from: firstSeenAt, to: firstSeenAt },
    { from: reopenedAt, to },
  ];
}

/**
 * When a vulnerability came back: the time from which one of its findings always stood, if none did before. Undefined where it
 * never was away.
 */
export function returnedAt(facts: readonly VulnerabilityFacts[]): string | undefined {
  const spans = facts.flatMap(spansOf).sort((a, b) => (a.from < b.from ? -1 : 1));
  const [first] = spans;
  if (!first) return undefined;
  let current = { ...first };
  for (const { from, to } of spans) {
    if (from > current.to) current = { from, to };
    else if (to > current.to) current.to = to;
  }
  return current.from > first.from ? current.from : undefined;
}

/** The earliest due date of findings that are open; else of those that are not fixed; else of all. */
export function dueAtOf(facts: readonly VulnerabilityFacts[]): string | undefined {
  const open = facts.filter(({ status }) => isOpen(status));
  const left = facts.filter(({ status }) => status !== 'fixed');
  const counted = open.length > 0 ? open : left.length > 0 ? left : facts;
  return counted.flatMap(({ dueAt }) => dueAt ?? []).sort()[0];
}

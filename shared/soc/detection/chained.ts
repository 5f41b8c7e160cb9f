import type { Link } from './chains.ts';
import type { Sighting } from './sightings.ts';
import { slotOf, slotsOf } from './windows.ts';

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

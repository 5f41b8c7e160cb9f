import { expect, test } from 'vitest';
import { fixture, recordedReports } from '../../../support/recorded.ts';
import { runs } from '../../../support/tier.ts';
import { codeOf, eventsOf } from './reading.ts';

/** `String` of such an object throws, and so does a template with it. */
const OBJECT = { toString: 1, valueOf: 1 };
const HOSTILE = [OBJECT, [OBJECT], null, -0.5, true].slice(0, runs(1, 5));
const MAX_BYTES = 200_000;

type Parent = Record<string, unknown> | unknown[];

/** Every place of a value, and of all values that stand at the same place of other entries. */
function placesIn(value: unknown, path = ''): Map<string, { parent: Parent; key: string }[]> {
  const found = new Map<string, { parent: Parent; key: string }[]>();
  if (value === null || typeof value !== 'object') return found;
  for (const [key, inner] of Object.entries(value)) {
    const place = `${path}/${Array.isArray(value) ? '*' : key}`;
    found.set(place, [...(found.get(place) ?? []), { parent: value as Parent, key }]);
    for (const [below, some] of placesIn(inner, place)) found.set(below, [...(found.get(below) ?? []), ...some]);
  }
  return found;
}

const jsonReports = recordedReports.filter(
  ([, file]) => /\.(json|sarif)$/.test(file) && fixture(file).length <= MAX_BYTES,
);

test.each(jsonReports)('%s: %s with a value of another type is read or refused', async (format, file) => {
  const root = JSON.parse(fixture(file).toString()) as unknown;
  const outcomes: string[] = [];
  for (const places of placesIn(root).values()) {
    const before = places.map(({ parent, key }) => Reflect.get(parent, key) as unknown);
    for (const value of HOSTILE) {
      for (const { parent, key } of places) Reflect.set(parent, key, value);
      outcomes.push(await codeOf(eventsOf(format, JSON.stringify(root))));
    }
    for (const [n, { parent, key }] of places.entries()) Reflect.set(parent, key, before[n]);
  }
  expect(outcomes).not.toEqual([]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { readContent } from '#shared/soc/detection/rule-fields.ts';
import { indexRules } from '#shared/soc/detection/rule-index.ts';
import { readyRule, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { eventOf } from '../../../support/detection/events.ts';
import { runs } from '../../../support/tier.ts';

const letters = fc.string({
  unit: fc.constantFrom('a', 'B', 'b', 'S', 'k', '*', '😀', 'Σ', 'ς', 'ſ', '\u212a', '\\'),
  maxLength: 6,
});
const field = fc.constantFrom('One', 'Two', 'host');
const place = fc.constantFrom(
  '',
  '|contains',
  '|startswith',
  '|endswith',
  '|contains|all',
  '|cased',
  '|neq',
  '|re',
  '|re|i',
);
const line = fc.record({ field, place, values: fc.array(letters, { minLength: 2, maxLength: 3 }) });
const search = fc.oneof(
  fc.array(line, { minLength: 1, maxLength: 2 }).map((lines) => Object.fromEntries(lines.map(linePair))),
  fc.array(letters, { minLength: 1, maxLength: 2 }),
);
const condition = fc.constantFrom('a', 'a and b', 'a or b', 'a and not b', 'not a', '1 of them', 'not (a and not b)');

const linePair = ({ field: name, place: how, values }: { field: string; place: string; values: string[] }) =>
  [
    `${name}${how}`,
    how.startsWith('|re') ? values.map((value) => value.replaceAll('*', '|').replaceAll('\\', '.')) : values,
  ] as const;

async function ready(detection: object) {
  const content = JSON.stringify({ title: 'x', logsource: { product: 'linux' }, detection });
  return readyRule({ ...(await readContent(content)), id: newId(), version: 1, text: await readSigma(content) });
}

test('of many rules an event meets each that it matches', async () => {
  const rules = fc.array(fc.record({ a: search, b: search, condition }), { minLength: 1, maxLength: 6 });
  const events = fc.array(fc.dictionary(field, letters, { maxKeys: 3 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rules, events, async (detections, all) => {
      const made = await Promise.all(detections.map(ready));
      const { partsFor } = rulesetOf(made, indexRules);
      for (const { host = null, ...fields } of all) {
        const texts = eventTexts(eventOf({ fields, host }));
        const matched = (parts: ReturnType<typeof partsFor>) =>
          parts.filter(({ fits }) => fits(texts, { left: Infinity, at: '' })).map(({ rule }) => rule.id);
        const sorted = made.toSorted((one, other) => (one.id < other.id ? -1 : 1));
        expect(matched(partsFor(texts))).toEqual(matched(sorted.flatMap(({ parts }) => parts)));
      }
    }),
    { numRuns: runs(300, 5_000) },
  );
});

test('of thousands of rules an event meets those whose texts it has', async () => {
  const made = await Promise.all(
    Array.from({ length: 3_000 }, (_, n) => ready({ a: { 'Image|endswith': `\\tool${n}.exe` }, condition: 'a' })),
  );
  const { partsFor } = rulesetOf(made, indexRules);
  const met = partsFor(eventTexts(eventOf({ fields: { Image: 'C:\\Tools\\TOOL77.exe' } })));
  expect(met.map(({ rule }) => rule.id)).toEqual([made[77]?.id]);
});

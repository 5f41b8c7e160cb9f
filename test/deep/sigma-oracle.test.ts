import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { readContent } from '#shared/soc/detection/rule-fields.ts';
import { indexRules } from '#shared/soc/detection/rule-index.ts';
import { readyRule, rulesetOf } from '#shared/soc/detection/ruleset.ts';
import { starterRules } from '#shared/soc/detection/starter/list.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { eventOf } from '../support/detection/events.ts';
import { nearEvents } from '../support/detection/near-events.ts';
import { sigmaOracle } from '../support/detection/sigma-oracle.ts';
import { dice } from '../support/faults.ts';

/** Each modifier, and values whose meaning is easily missed. */
const LINES = [
  { A: ['C:\\Windows\\*\\x?.exe', 'a\\*b', '\\\\\\*', '', 'ſtraße'] },
  { 'A|contains': [':\\Users\\', '🔥', 'Σ', 'K'], 'B|neq': ['x', 'y'] },
  { 'A|startswith': 'C:\\', 'A|endswith': ['.exe', '\\'] },
  { 'A|contains|all': ['one', 'Two', '*'], B: null },
  { 'A|cased|contains': ['Mimi', 'ς'], 'B|exists': true },
  { 'A|re': ['^a+(b|c)$', 'x[yz]{2,3}'], 'B|re|i': 's[kK]ip' },
  { 'A|cidr': ['10.0.0.0/9', '192.168.7.0/25'], 'B|cidr': 'fe80::/10' },
  { 'A|gte': 10, 'B|lt': 3.5 },
  { 'A|fieldref': 'B', 'B|fieldref|endswith': 'A' },
  { 'A|windash|contains': [' -all', '--quiet', ' /x -y'] },
  { 'A|base64offset|contains': ['http://', 'whoami'], 'B|wide|base64offset|contains': 'IEX' },
  { 'A|base64': 'ann', 'B|utf16be|base64': 'x' },
  ['word', 'an*other', 429],
  { '|all': ['left', 'right'] },
  [
    { A: 'true', B: 1 },
    { 'A|neq': null, 'B|exists': false },
  ],
];
const CONDITIONS = [
  'one and not filter',
  'one or filter',
  'not (one or not filter)',
  '1 of *',
  'all of them',
  'not 1 of f*',
];

const ownRules = LINES.flatMap((one, n) =>
  CONDITIONS.map((condition) =>
    JSON.stringify({
      title: `own ${n}`,
      logsource: { product: 'linux' },
      detection: { one, filter: LINES[(n * 7 + 3) % LINES.length], condition },
    }),
  ),
);

const EVENTS = 300;
const SEED = 41;

test('a second evaluator, written from the specification, and the engine agree on every rule and event near it', async () => {
  const roll = dice(SEED);
  const starter = Object.values(starterRules()).filter((text) => !text.includes('correlation:'));
  const rules = await Promise.all(
    [...starter, ...ownRules].map(async (content) => {
      const text = await readSigma(content);
      return { content, rule: await readyRule({ ...(await readContent(content)), id: newId(), version: 1, text }) };
    }),
  );
  const { partsFor } = rulesetOf(
    rules.map(({ rule }) => rule),
    indexRules,
  );
  const different: unknown[] = [];
  let [matched, pairs] = [0, 0];
  for (const { content, rule } of rules) {
    const judge = sigmaOracle(content);
    for (const fields of nearEvents(content, roll)(EVENTS)) {
      const raw = JSON.stringify(fields);
      const event = eventTexts(eventOf({ ...rule.parts[0]?.sigma.logsource, host: null, fields, raw, message: raw }));
      const part = partsFor(event).find((one) => one.rule === rule);
      const fits = part?.fits(event, { left: Infinity, at: '' }) ?? false;
      const wanted = judge({ fields, texts: [raw, ...Object.values(fields).flat().map(String)] });
      if (fits !== wanted) different.push({ content, fields, fits, wanted });
      pairs += 1;
      matched += wanted ? 1 : 0;
    }
  }
  expect(different.slice(0, 3)).toEqual([]);
  // neither side is nearly always right by saying no
  expect(matched / pairs).toBeGreaterThan(0.2);
  expect(matched / pairs).toBeLessThan(0.8);
});

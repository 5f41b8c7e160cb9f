import { hostileText, run, sizeOf } from './hostile-texts.ts';
import { type Dice, oneOf } from './values.ts';

type Rule = { kind: 'rule'; content: string; events: object[] };

const REPEATABLE = ['(a|b|ab)', '(a+)', '[a-z]', '.', 'a?', '(?:x|xy)', '\\w', '(a|a)', '(.a)', '\\d'];
const TIMES = ['*', '+', '*?', '{990}', '{1,500}', '{0,9}', '', '?'];

const pattern = (dice: Dice): string =>
  Array.from({ length: 1 + Math.floor(dice() * 12) }, () => oneOf(dice, REPEATABLE) + oneOf(dice, TIMES)).join('');

/** A value of a selection: a text, a pattern of wildcards, or a regular expression. */
function ruleValue(dice: Dice): string {
  const kind = dice();
  const size = Math.min(sizeOf(dice), 20_000);
  if (kind < 0.4) return pattern(dice).repeat(1 + size / 4_000);
  return kind < 0.7 ? oneOf(dice, ['*', '*a', '?*', '*a*b']).repeat(1 + size / 200) : run(dice, Math.min(size, 3_000));
}

const MODIFIERS = [
  '',
  '|re',
  '|re|i',
  '|contains',
  '|contains|all',
  '|base64offset|contains',
  '|windash',
  '|cidr',
  '|wide|base64',
  '|fieldref',
];

export function hostileRule(dice: Dice): Rule {
  const selections = Array.from({ length: 1 + Math.floor(dice() * 4) }, (_, n) => {
    const values = Array.from({ length: 1 + Math.floor(dice() ** 3 * 200) }, () => JSON.stringify(ruleValue(dice)));
    return `  s${n}:\n    message${oneOf(dice, MODIFIERS)}:\n${values.map((value) => `      - ${value}\n`).join('')}`;
  });
  const parts = selections.map((_, n) => `${oneOf(dice, ['', 'not '])}s${n}`);
  const nested = Math.floor(dice() ** 4 * 3_000);
  const condition = oneOf(dice, [
    parts.join(oneOf(dice, [' and ', ' or '])),
    `${'('.repeat(nested)}s0${')'.repeat(nested)}`,
    `${'not '.repeat(nested)}s0`,
    '1 of s*',
    `all of them${' or s0'.repeat(nested)}`,
  ]);
  const content = `title: x\nlogsource:\n  product: linux\ndetection:\n${selections.join('')}  condition: ${condition}\n`;
  const message = dice() < 0.5 ? run(dice, Math.min(sizeOf(dice), 8_000)) : 'ab'.repeat(dice() * 4_000);
  const event = { product: 'linux', message: message.toWellFormed(), fields: {} };
  return { kind: 'rule', content: dice() < 0.2 ? hostileText(dice, content) : content, events: [event] };
}

const FIELDS = ['type', 'hostname', 'ip', 'tag', 'cloudTag', 'cloudAccount', 'repository', 'branch', 'zone', 'os'];

export function hostileCondition(dice: Dice, depth = 0): object {
  const kind = dice();
  const inner = () => hostileCondition(dice, depth + 1);
  if (kind < 0.4 && depth < 7) return { [oneOf(dice, ['all', 'any'])]: Array.from({ length: 1 + dice() * 8 }, inner) };
  if (kind < 0.5 && depth < 7) return { not: inner() };
  const text = () => run(dice, Math.min(sizeOf(dice), dice() < 0.9 ? 290 : 5_000));
  const operator = oneOf(dice, ['equals', 'in', 'matches', 'cidr', 'exists']);
  const wild = () => oneOf(dice, ['*', '*a', '?*', 'a*']).repeat(1 + dice() * 140);
  const value =
    operator === 'in' ? Array.from({ length: 1 + dice() * 100 }, text) : operator === 'matches' ? wild() : text();
  const network = oneOf(dice, ['10.0.0.0/8', '::/0', '0.0.0.0/0', '2001:db8::/32', text()]);
  const field = oneOf(dice, FIELDS);
  return { field, operator, ...(operator !== 'exists' && { value: operator === 'cidr' ? network : value }) };
}

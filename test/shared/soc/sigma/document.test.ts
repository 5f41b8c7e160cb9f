import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { starterRules } from '#shared/soc/detection/starter/list.ts';
import { MODIFIERS, REFUSED_MODIFIERS } from '#shared/soc/sigma/modifiers.ts';
import { CORRELATION_TYPES } from '#shared/soc/sigma/rule.ts';

const page = readFileSync(new URL('../../../../docs/detection.md', import.meta.url), 'utf8');
const inOrder = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

test('docs/detection.md lists what is supported and what is refused, as it is', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
  expect(listed.filter(([name = '']) => name in MODIFIERS)).toEqual(Object.entries(MODIFIERS));
  expect(page).toContain(`Refused modifiers: ${inOrder(Object.keys(REFUSED_MODIFIERS))}.`);
  expect(CORRELATION_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  expect(page).toContain(`${Object.keys(starterRules()).length} of which come with the service`);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { beginnings, declaredMachines, stateDocument } from '#infra/state-document.ts';

test('docs/states.md draws the steps that the service allows (npm run docs renews it)', async () => {
  const written = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8');
  expect(written).toBe(await stateDocument());
});

/** States in which a record may be made, besides the first. */
const BORN: Record<string, string[]> = { 'Run of an Apex campaign': ['skipped'] };

test('no record gets stuck: every state is reached and leads only to declared states', async () => {
  for (const [name, machine] of await declaredMachines()) {
    const [first = '', ...others] = Object.keys(machine);
    const known = new Set([first, ...others]);
    expect(Object.values(machine).flatMap((verbs) => Object.values(verbs).filter((to) => !known.has(to)))).toEqual([]);
    expect(beginnings(machine), name).toEqual([first, ...(BORN[name] ?? [])]);
  }
});

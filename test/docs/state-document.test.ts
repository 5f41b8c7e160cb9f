import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declaredMachines, stateDocument } from '#infra/state-document.ts';

test('docs/states.md draws the machines as they are, so that a reader is not misled (npm run docs renews it)', async () => {
  const written = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8');
  expect(written).toBe(await stateDocument());
});

test('every state is reached and leads only to states that there are', async () => {
  for (const [name, machine] of await declaredMachines()) {
    const [first = '', ...others] = Object.keys(machine);
    const reached = new Set([first, ...Object.values(machine).flatMap((verbs) => Object.values(verbs))]);
    expect([...reached].toSorted(), name).toEqual([first, ...others].toSorted());
  }
});

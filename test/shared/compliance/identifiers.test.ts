import { expect, test } from 'vitest';
import { frameworks } from '#shared/compliance/frameworks.ts';
import { PUBLISHED } from './published.ts';

const named = Object.entries(PUBLISHED).map(([id, controls]) => ({ id, controls }));

test.each(named)('an auditor finds each control of $id in what its publisher lists', ({ id, controls }) => {
  const framework = frameworks().find((one) => one.id === id);
  const ours = framework?.controls.map(({ control }) => control) ?? [];
  expect(ours.length).toBeGreaterThan(0);
  expect(new Set(ours).size).toBe(ours.length);
  expect(ours.filter((control) => !controls.includes(control))).toEqual([]);
});

test('of a benchmark and of the Top 10 no control is left out', () => {
  for (const id of ['cis-aws-3.0.0', 'owasp-top-10-2021'])
    expect(frameworks().find((one) => one.id === id)?.controls).toHaveLength(PUBLISHED[id]?.length ?? 0);
});

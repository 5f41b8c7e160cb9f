import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationsDocument } from '#infra/operations-document.ts';

test('a role shows the operations that the contract opens for it: npm run docs brings its file up to date', () => {
  const file = new URL('../../functions/people/roles/operations.json', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(operationsDocument());
});

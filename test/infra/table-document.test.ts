import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tableDocument } from '#infra/table-document.ts';

test('docs/table.md says what the entities declare, so that a reader is not misled (npm run docs renews it)', async () => {
  const written = readFileSync(new URL('../../docs/table.md', import.meta.url), 'utf8');
  expect(written).toBe(await tableDocument());
});

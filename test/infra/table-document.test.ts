import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isEntity, isRowKind, modulesThatCall, tableDocument } from '#infra/table-document.ts';

test('docs/table.md shows the keys and rows that the code declares, so that a reader is not misled', async () => {
  const written = readFileSync(new URL('../../docs/table.md', import.meta.url), 'utf8');
  expect(written, 'npm run docs renews the page').toBe(await tableDocument());
});

test.each([
  ['defineRow', isRowKind],
  ['defineEntity', isEntity],
] as const)('docs/table.md lacks nothing that %s declares: the module exports each of them', async (define, isOne) => {
  const modules = await modulesThatCall(define);
  expect(modules.length).toBeGreaterThan(15);
  const hidden = modules.filter(({ calls, exported }) => exported.filter(isOne).length < calls);
  expect(hidden.map(({ file }) => file)).toEqual([]);
});

test('every key of docs/table.md is a pattern: no placeholder of a field is left', async () => {
  expect((await tableDocument()).match(/\| `[^`]*(NaN|undefined|\d{6,}|[0-9a-f]{8}-)[^`]*`/g)).toBeNull();
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reportDocument } from '#infra/report-document.ts';

test('the list of report formats is the one of the registry: run npm run docs after a change', async () => {
  const written = readFileSync(new URL('../../docs/report-formats.md', import.meta.url), 'utf8');
  expect(written).toBe(await reportDocument());
});

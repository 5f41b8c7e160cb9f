import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exposureDocument } from '#infra/exposure-document.ts';
import { figuresDocument } from '#infra/figures-document.ts';
import { reportDocument } from '#infra/report-document.ts';

test('the list of report formats is the one of the registry: run npm run docs after a change', async () => {
  const written = readFileSync(new URL('../../docs/report-formats.md', import.meta.url), 'utf8');
  expect(written).toBe(await reportDocument());
});

test('the page of rated ports is made from their ratings: run npm run docs after a change', () => {
  expect(readFileSync(new URL('../../docs/exposed-services.md', import.meta.url), 'utf8')).toBe(exposureDocument());
});

test('the page of figures is made from the last measurements: run npm run docs after a bench', () => {
  expect(readFileSync(new URL('../../docs/figures.md', import.meta.url), 'utf8')).toBe(figuresDocument());
});

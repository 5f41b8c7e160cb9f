import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { months } from '#infra/bill/document.ts';
import { listPrices } from '#infra/bill/month.ts';
import { jobNames } from '#shared/platform/jobs/jobs.ts';

const page = readFileSync('docs/costs.md', 'utf8');

/** A row of the page's table, as numbers. */
const rowOf = (name: string): number[] => {
  const line = page.split('\n').find((one) => one.startsWith(`| ${name} |`)) ?? '';
  return [...line.matchAll(/\|\s*\**([\d.]+)\**\s*(?=\|)/g)].map(([, number]) => Number(number));
};

test('the bills of docs/costs.md are those of the measured units, within a tenth: run npm run docs after a bench', () => {
  const all = months();
  expect(all.map(({ name }) => name)).toEqual(['small', 'medium', 'large']);
  const told = rowOf('**all**');
  for (const [n, { total }] of all.entries()) expect(Math.abs((told[n] ?? 0) - total) / total).toBeLessThan(0.1);
});

test('a reader can compare each price of the bill with a page', () => {
  const { dollars, compared } = listPrices();
  expect(Object.keys(compared)).toEqual(Object.keys(dollars));
});

test('the page says of each of the three dearest operations of a large tenant what was done about it', () => {
  const large = months().find(({ name }) => name === 'large');
  const [, done = ''] = page.split('## The dearest operations');
  for (const { operation } of large?.lines.slice(0, 3) ?? []) expect(done).toContain(`**${operation}**`);
});

test('a stack without work costs the same for all, and more queues cost more', () => {
  const idle = months().map(({ lines }) => lines.find(({ operation }) => operation.startsWith('the stack'))?.dollars);
  expect(new Set(idle).size).toBe(1);
  expect(idle[0]).toBeGreaterThan(jobNames.length * 0.1);
});

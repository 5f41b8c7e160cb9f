import { expect, test } from 'vitest';
import { sarif } from '../functions/workers/imports/reports.ts';
import { startSystem } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';

const system = startSystem();

const repository = 'https://git.example.com/acme/shop';
const ACCEPTED = 'CVE-2021-44228';

/** A report of a tool that names an advisory at a place. */
const naming = (tool: string, file: string, rule = ACCEPTED) => ({
  query: { waitSeconds: 20 },
  body: { format: 'sarif', content: sarif([{ rule, file }], { tool }), repository, gate: { failOn: 'high' as const } },
});

test('a vulnerability whose risk is accepted does not fail the gate of a new finding that names it, at once', async () => {
  const { admin, table } = await system.newOrganization();
  const first = await admin.ok('importFindings', naming('one', 'pom.xml'));
  expect(first.gate).toMatchObject({ passed: false, new: { high: 1 } });
  await follow({ connections: system.connections, table });
  const { data } = await admin.ok('listVulnerabilities');
  const body = { status: 'risk_accepted' as const, reason: 'not reachable' };
  await admin.ok('updateVulnerability', { params: { id: data[0]?.id ?? '' }, body });
  const again = await admin.ok('importFindings', naming('two', 'pom.xml'));
  expect(again.gate).toMatchObject({ passed: true, reasons: [], new: { high: 0 }, findings: [] });
  const other = await admin.ok('importFindings', naming('three', 'pom.xml', 'CVE-2020-0001'));
  expect(other.gate).toMatchObject({ passed: false, new: { high: 1 } });
});

test('one that somebody works on is still open, and fails the gate', async () => {
  const { admin, table } = await system.newOrganization();
  await admin.ok('importFindings', naming('one', 'pom.xml'));
  await follow({ connections: system.connections, table });
  const { data } = await admin.ok('listVulnerabilities');
  await admin.ok('updateVulnerability', { params: { id: data[0]?.id ?? '' }, body: { status: 'in_progress' } });
  const { gate } = await admin.ok('importFindings', naming('two', 'pom.xml'));
  expect(gate).toMatchObject({ passed: false, new: { high: 1 } });
});

import { expect, test } from 'vitest';
import { contentHashOf, fingerprintOf } from '#functions/workers/imports/fingerprint.ts';
import type { KeyedFinding } from '#shared/findings/finding/reported.ts';

const asset = { type: 'host', value: '10.0.0.7', zone: null } as const;
const problem = { tool: 'nmap', asset, identity: ['open-port', 'tcp', '80'] };

test('the fingerprint of version 1 stays what it is: a change would double every finding', () => {
  expect(fingerprintOf(problem)).toMatchInlineSnapshot(`"UNB6emNZQX0pddS5tTMZUg"`);
});

test.each([
  ['another zone', { ...problem, asset: { ...asset, zone: 'lab' } }],
  ['another branch', { ...problem, ref: 'feature' }],
  ['another tool', { ...problem, tool: 'masscan' }],
  ['another place', { ...problem, identity: ['open-port', 'tcp', '81'] }],
])('%s is another problem', (_name, other) => {
  expect(fingerprintOf(other)).not.toBe(fingerprintOf(problem));
});

const finding: KeyedFinding = {
  title: 'SQL injection',
  severity: 'high',
  ruleId: 'sqli',
  cves: [],
  cwes: ['CWE-89'],
  asset: null,
  location: { path: 'src/a.ts', line: 7, commit: 'abc' },
  evidence: [{ kind: 'http', content: 'Date: today' }],
  references: [],
  tags: [],
  identity: ['sqli', 'src/a.ts'],
};

test('evidence and commits that differ from scan to scan do not rewrite every finding', () => {
  const later = { ...finding, evidence: [], location: { line: 7, path: 'src/a.ts', commit: 'def' } };
  expect(contentHashOf(later)).toBe(contentHashOf(finding));
  expect(contentHashOf({ ...finding, severity: 'low' })).not.toBe(contentHashOf(finding));
});

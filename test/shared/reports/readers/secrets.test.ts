import { describe, expect, test } from 'vitest';
import { maskedSecret } from '#shared/reports/readers/masked.ts';
import type { ReportFinding } from '#shared/reports/report/report.ts';
import { fixture, recordedReports } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf, withoutTexts } from './reading.ts';

const findings = async (name: string) => findingsOf(await eventsOf('auto', fixture(name)));
const remediation =
  'Revoke the secret and put a new one where only its users can read it. It stays readable in the history.';

const ofSecretScanners = recordedReports.filter(([format]) => /^(gitleaks|trufflehog3?)$/.test(format));

test.each(ofSecretScanners)(
  '%s: no field of a finding of %s but the one for its hash shows a secret',
  async (_, name) => {
    const found = await findings(name);
    expect(found.length).toBeGreaterThan(0);
    expect(withoutTexts(found)).not.toContain('EXAMPLE');
  },
);

test('a secret of Gitleaks 8 keeps rule, place, commit and author, once for all of its lines and commits', async () => {
  const [first, again, ...others] = await findings('gitleaks/v8.json');
  expect(others).toEqual([]);
  expect(again?.identity).toEqual(first?.identity);
  expect(first).toEqual({
    title: 'Secret (generic-api-key) in deploy/env.sh',
    description: 'Detected a Generic API Key, potentially exposing access to various services.',
    severity: 'high',
    ruleId: 'generic-api-key',
    cves: [],
    cwes: ['CWE-798'],
    asset: null,
    location: {
      path: 'deploy/env.sh',
      line: 7,
      commit: '1f2e3d4c5b6a79880011223344556677889900aa',
      snippet: 'k3****77',
    },
    evidence: [{ kind: 'text', content: 'Committed by Ada on 2026-01-15T08:00:00Z' }],
    references: ['https://git.example.test/shop/blob/1f2e3d4c/deploy/env.sh#L7'],
    remediation,
    secret: {
      text: 'k3y-EXAMPLE-0011223344556677',
      kind: 'api_key',
      masked: 'k3****77',
      verified: null,
      account: null,
    },
    tags: ['key'],
    identity: ['generic-api-key', 'deploy/env.sh', expect.stringMatching(/^sha256:[\da-f]{64}$/)],
  });
});

test('a secret is masked in the path and the tags, a short one where it is a word or, without digits, the whole name', async () => {
  const leak = (Secret: string, File: string, Tags: string[]) => ({ RuleID: 'r', Secret, File, Tags, Entropy: 3 });
  const report = [
    leak('hunter2', 'users/hunter2/hunter2.env', ['hunter2', 'hunter2 of Ada', 'hunter22']),
    leak('admin', 'admin/admin.env', ['admin', 'of admin']),
    leak('correct-horse', 'users/correct-horse.env', ['a correct-horse', 'key']),
  ];
  const [short, name, long] = await findingsOf(await eventsOf('gitleaks', JSON.stringify(report)));
  expect(short).toMatchObject({
    title: 'Secret (r) in users/****/****.env',
    location: { path: 'users/****/****.env' },
    tags: ['****', '**** of Ada', 'hunter22'],
  });
  expect(name).toMatchObject({ location: { path: '****/admin.env' }, tags: ['****', 'of admin'] });
  expect(long).toMatchObject({ location: { path: 'users/****.env' }, tags: ['a ****', 'key'] });
});

test('a secret of Gitleaks 7 is on its repository, in the list and in the lines', async () => {
  const [inList] = await findings('gitleaks/v7.json');
  const [inLines, other] = await findings('gitleaks/lines.jsonl');
  expect(inLines).toEqual(inList);
  expect(other?.identity).not.toEqual(inLines?.identity);
  expect(inList).toMatchObject({
    title: 'Secret (Password in a file) in app.cfg',
    asset: { type: 'repository', value: 'https://git.example.test/shop.git' },
    location: { path: 'app.cfg', line: 3 },
    tags: ['password', 'generic'],
  });
});

test('a secret that TruffleHog used with success is critical, and says whose account it opens', async () => {
  const [live, unverified] = await findings('trufflehog/v3.jsonl');
  expect(live).toEqual({
    title: 'Verified secret (AWS) in deploy/keys',
    description: 'AWS keys open cloud accounts.',
    severity: 'critical',
    toolSeverity: 'verified',
    ruleId: 'AWS',
    cves: [],
    cwes: ['CWE-798'],
    asset: { type: 'repository', value: 'https://git.example.test/shop.git' },
    location: {
      path: 'deploy/keys',
      line: 4,
      commit: '1f2e3d4c5b6a79880011223344556677889900aa',
      snippet: 'AK****01',
    },
    secret: {
      text: 'AKIAEXAMPLE000000001',
      kind: 'api_key',
      masked: 'AK****01',
      verified: true,
      account: '000000000001',
    },
    evidence: [{ kind: 'text', content: 'account: 000000000001\nresource_type: Access key' }],
    references: [],
    remediation,
    tags: ['verified', 'PLAIN', 'trufflehog - git'],
    identity: ['AWS', 'deploy/keys', expect.stringMatching(/^sha256:/)],
  } satisfies ReportFinding);
  expect(unverified).toMatchObject({
    title: 'Secret (URI) in /app/.env',
    severity: 'medium',
    asset: { type: 'container_image', value: 'registry.example.test/shop:1.4' },
  });
});

test('each string of a commit of TruffleHog 2 is a secret of its own', async () => {
  const found = await findings('trufflehog/v2.jsonl');
  expect(found.map(({ title, location }) => [title, location.snippet])).toEqual([
    ['Secret (Generic Secret) in app.cfg', "se****c'"],
    ['Secret (Generic Secret) in app.cfg', "se****0'"],
  ]);
  expect(new Set(found.map(({ identity }) => identity.join())).size).toBe(2);
});

test('a string that a commit adds and a later one removes is one secret of the early trufflehog3', async () => {
  const entry = JSON.parse(fixture('trufflehog3/v2.json').toString())[0];
  const sent = [
    { ...entry, stringsFound: ['+key = "0123456789abcdef"'] },
    { ...entry, stringsFound: ['-key = "0123456789abcdef"'] },
  ];
  const [added, removed] = findingsOf(await eventsOf('trufflehog3', JSON.stringify(sent)));
  expect(removed?.identity).toEqual(added?.identity);
});

test('trufflehog3 rates what it finds itself', async () => {
  expect((await findings('trufflehog3/report.json'))[0]).toMatchObject({
    title: 'Secret (high-entropy) in docker/Dockerfile',
    severity: 'high',
    toolSeverity: 'HIGH',
    location: { path: 'docker/Dockerfile', line: 3, commit: '1f2e3d4c5b6a79880011223344556677889900aa' },
    tags: ['main'],
  });
});

describe('a tool that is configured to omit secrets', () => {
  const [leak] = JSON.parse(fixture('gitleaks/v8.json').toString());

  test.each(['REDACTED', 'k3y...', '***'])('two places of %s stay two findings', async (Secret) => {
    const sent = [
      { ...leak, Secret, StartLine: 7 },
      { ...leak, Secret, StartLine: 9 },
    ];
    const found = findingsOf(await eventsOf('gitleaks', JSON.stringify(sent)));
    expect(new Set(found.map(({ identity }) => identity.join())).size).toBe(2);
    expect(found[0]?.location.snippet).toBeUndefined();
  });
});

test.each(['gitleaks', 'trufflehog', 'trufflehog3'])('an empty list is a clean scan of %s', async (format) => {
  expect(await eventsOf(format, '[]')).toEqual([{ kind: 'tool', name: format }]);
});

test('Gitleaks versions that write null for nothing found are understood if the format is named', async () => {
  expect(await eventsOf('gitleaks', 'null\n')).toEqual([{ kind: 'tool', name: 'gitleaks' }]);
  expect(await codeOf(eventsOf('auto', 'null\n'))).toBe('unsupported_format');
});

test.each([
  ['short', '****'],
  ['\u{1F600}\u{1F601} in the middle \u{1F602}\u{1F603}', '\u{1F600}\u{1F601}****\u{1F602}\u{1F603}'],
  [`-----BEGIN KEY-----\n${'x'.repeat(100_000)}\n-----END KEY-----`, '--****--'],
])('a mask shows the ends at most, whole characters alone', (secret, mask) => {
  expect(maskedSecret(secret)).toBe(mask);
});

test('the list of Gitleaks inside of an object is read', async () => {
  const leaks = JSON.parse(fixture('gitleaks/v8.json').toString());
  const wrapped = { tool: 'wrapper', summary: { total: leaks.length }, findings: leaks };
  const [alone, inObject] = await Promise.all([leaks, wrapped].map((sent) => eventsOf('auto', JSON.stringify(sent))));
  expect(withoutTexts(findingsOf(inObject ?? []))).toBe(withoutTexts(findingsOf(alone ?? [])));
  expect(findingsOf(alone ?? []).length).toBeGreaterThan(0);
});

import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const match = (parts: object) => ({
  'template-id': 't',
  info: { name: 'n', severity: 'low' },
  'matched-at': 'h.test:22',
  ...parts,
});

describe('JSON lines', () => {
  test('a match becomes a finding with its classification, its place and its evidence', async () => {
    const events = await eventsOf('nuclei', fixture('nuclei/lines.jsonl'));
    expect(events.map((event) => event.kind)).toEqual(['tool', 'finding', 'finding', 'finding']);
    expect(findingsOf(events)[0]).toEqual({
      title: 'Apache 2.4.49 - Path Traversal and Remote Code Execution: LFI',
      description: 'A flaw was found in a change made to path normalization in Apache HTTP Server 2.4.49.',
      severity: 'high',
      toolSeverity: 'high',
      ruleId: 'CVE-2021-41773',
      cves: ['CVE-2021-41773'],
      cwes: ['CWE-22'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cvssScore: 7.5,
      asset: { type: 'url', value: 'https://www.example.test:8443' },
      location: {
        host: 'www.example.test',
        port: 8443,
        protocol: 'tcp',
        url: 'https://www.example.test:8443/icons/.%2e/etc/passwd',
      },
      evidence: [
        { kind: 'http', content: 'GET /icons/.%2e/etc/passwd HTTP/1.1\r\nHost: www.example.test:8443\r\n\r\n' },
        { kind: 'http', content: 'HTTP/1.1 200 OK\r\n\r\nroot:x:0:0' },
        { kind: 'command', content: "curl -X 'GET' 'https://www.example.test:8443/icons/.%2e/etc/passwd'" },
      ],
      references: ['https://nvd.nist.gov/vuln/detail/CVE-2021-41773'],
      remediation: 'Update to Apache HTTP Server 2.4.51 or later.',
      tags: ['cve', 'cve2021', 'lfi', 'rce', 'apache'],
      identity: ['CVE-2021-41773', 'LFI', 'https://www.example.test:8443/icons/.%2e/etc/passwd'],
    });
  });

  test('a severity that Nuclei does not know is information, and its word is kept', async () => {
    const [, , unknown] = findingsOf(await eventsOf('nuclei', fixture('nuclei/lines.jsonl')));
    expect(unknown).toMatchObject({ severity: 'info', toolSeverity: 'unknown' });
  });

  test('a line that is not JSON or lacks its template is rejected with its number, the others are kept', async () => {
    const lines = [
      JSON.stringify(match({})),
      '[INF] Templates loaded',
      '{"info":{}}',
      '7',
      JSON.stringify(match({})),
      '',
    ];
    const events = await eventsOf('nuclei', lines.join('\n'));
    expect(findingsOf(events)).toHaveLength(2);
    expect(events.flatMap((event) => (event.kind === 'rejected' ? [event.where] : []))).toEqual([
      'line 2',
      'line 3',
      'line 4',
    ]);
  });

  test('a last line that breaks off means that the report is not whole', async () => {
    const text = `${JSON.stringify(match({}))}\n${JSON.stringify(match({})).slice(0, 40)}`;
    expect(await codeOf(eventsOf('nuclei', text))).toBe('truncated_report');
  });

  test('a last line without its newline counts, and so do lines with Windows ends', async () => {
    const text = `${JSON.stringify(match({}))}\r\n\r\n${JSON.stringify(match({}))}`;
    expect(findingsOf(await eventsOf('nuclei', text))).toHaveLength(2);
  });
});

describe('the JSON array', () => {
  test('gives the same findings as the lines', async () => {
    const lines = findingsOf(await eventsOf('nuclei', fixture('nuclei/lines.jsonl')));
    expect(findingsOf(await eventsOf('nuclei', fixture('nuclei/export.json')))).toEqual(lines.slice(0, 2));
  });

  test('an empty one is a clean scan', async () => {
    expect(await eventsOf('nuclei', '[]\n')).toEqual([{ kind: 'tool', name: 'nuclei' }]);
  });
});

describe('places', () => {
  test.each([
    [
      { 'matched-at': 'db.test:5432', type: 'tcp' },
      { type: 'host', value: 'db.test' },
      { host: 'db.test', port: 5432, protocol: 'tcp' },
    ],
    [
      { 'matched-at': '[2001:db8::1]:22', type: 'network' },
      { type: 'host', value: '2001:db8::1' },
      { host: '2001:db8::1', port: 22, protocol: 'tcp' },
    ],
    [
      { 'matched-at': 'example.test', type: 'dns' },
      { type: 'domain', value: 'example.test' },
      { host: 'example.test', protocol: 'udp' },
    ],
    [
      { 'matched-at': 'HTTP://Shop.Test/a', type: 'http' },
      { type: 'url', value: 'http://shop.test' },
      { host: 'shop.test', port: 80, protocol: 'tcp', url: 'HTTP://Shop.Test/a' },
    ],
    [
      { 'matched-at': 'x.test', port: '99999', type: 'ssl' },
      { type: 'host', value: 'x.test' },
      { host: 'x.test', protocol: 'tcp' },
    ],
  ])('%o is found where an analyst looks for it', async (parts, asset, location) => {
    const [finding] = findingsOf(await eventsOf('nuclei', JSON.stringify(match(parts))));
    expect(finding).toMatchObject({ asset, location });
    expect(finding?.location).toEqual(location);
  });
});

describe('identity', () => {
  const identity = async (matchedAt: string) =>
    findingsOf(await eventsOf('nuclei', JSON.stringify(match({ 'matched-at': matchedAt }))))[0]?.identity;

  test('the random parts of a request do not make a new finding in each scan', async () => {
    expect(await identity('https://a.test/?u=http://c58bduhe008dovpvhvugcfemp9yyyyyyn.oast.fun')).toEqual(
      await identity('https://a.test/?u=http://d91bduhe008dovpvhvugcfemp1yyyyyyn.oast.pro'),
    );
    expect(await identity('https://a.test/2Fy8vZq0AbCdEfGhIjKlMnOpQrS.php')).toEqual(
      await identity('https://a.test/3Gz9wAr1BcDeFgHiJkLmNoPqRsT.php'),
    );
  });

  test('two places stay two findings', async () => {
    expect(await identity('https://a.test/one')).not.toEqual(await identity('https://a.test/two'));
  });
});

test('what a template extracts at one place, match by match, is evidence of one problem', async () => {
  const lines = ['tls10', 'tls11', 'tls10'].map((text) => JSON.stringify(match({ 'extracted-results': [text] })));
  const elsewhere = JSON.stringify(match({ 'matched-at': 'h.test:443', 'extracted-results': ['tls12'] }));
  const found = findingsOf(await eventsOf('nuclei', [...lines, elsewhere, ''].join('\n')));
  const both = { evidence: [{ kind: 'text', content: 'tls10\ntls11' }] };
  expect(found).toMatchObject([both, both, both, { evidence: [{ kind: 'text', content: 'tls12' }] }]);
  expect(new Set(found.map(({ identity }) => String(identity))).size).toBe(2);
});

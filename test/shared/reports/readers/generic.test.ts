import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const csv = (text: string) => eventsOf('generic', text);

test('a host that the URL parser refuses for its length names no page', async () => {
  const url = `https://shop.exampl${'A='.repeat(20_000)}`;
  const [finding] = findingsOf(await csv(`title,severity,url\nDebug endpoint,low,${url}`));
  expect(finding).toMatchObject({ title: 'Debug endpoint', asset: null });
});

test('every field of the documented JSON arrives', async () => {
  const [tool, finding] = await eventsOf('generic', fixture('generic/findings.json'));
  expect(tool).toEqual({ kind: 'tool', name: 'our-audit', version: '3.1' });
  expect(finding).toEqual({
    kind: 'finding',
    finding: {
      title: 'Debug endpoint is public',
      description: 'It answers without a session.',
      severity: 'high',
      toolSeverity: 'high',
      ruleId: 'debug-endpoint',
      cves: ['CVE-2026-1000'],
      cwes: ['CWE-489'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cvssScore: 7.5,
      asset: { type: 'url', value: 'https://shop.example.test' },
      location: { url: 'https://shop.example.test/debug' },
      otherLocations: [{ url: 'https://shop.example.test/debug/vars' }],
      component: { name: 'debug-toolbar', version: '1.2', purl: 'pkg:npm/debug-toolbar@1.2', fixedVersions: ['1.3'] },
      evidence: [{ kind: 'http', content: 'HTTP/1.1 200 OK' }],
      references: ['https://example.test/debug'],
      remediation: 'Remove it.',
      tags: ['web'],
      identity: ['debug-endpoint', 'https://shop.example.test/debug', '', 'debug-toolbar'],
    },
  });
});

test('an entry that is done opens nothing, and flat fields of a place are read too', async () => {
  const [, host, ...more] = findingsOf(await eventsOf('generic', fixture('generic/findings.json')));
  expect(host).toMatchObject({ severity: 'info', asset: { type: 'host', value: '10.0.0.7' }, location: { port: 443 } });
  expect(more).toEqual([]);
});

test('the columns of the CSV may be in any order and letter case, with commas, semicolons or tabs', async () => {
  const [finding] = findingsOf(await eventsOf('generic', fixture('generic/findings.csv')));
  expect(finding).toMatchObject({
    title: 'Debug endpoint is public',
    severity: 'high',
    description: 'It answers, without a session.',
    cves: ['CVE-2026-1000'],
    cwes: ['CWE-489'],
    asset: { type: 'url', value: 'https://shop.example.test' },
    remediation: 'Remove it.',
    tags: ['web', 'debug'],
  });
  for (const delimiter of [',', ';', '\t']) {
    const rows = `${['SEVERITY', 'file_path', 'title'].join(delimiter)}\n${['low', 'src/a.ts', 'T'].join(delimiter)}\n`;
    expect(findingsOf(await csv(rows))).toMatchObject([{ title: 'T', location: { path: 'src/a.ts' } }]);
  }
});

test('an entry without title or with an unknown severity is rejected with its line, the others are kept', async () => {
  const events = await csv('title,severity\nA,high\nB,awful\n,low\nC,low,more\nD,low\n');
  expect(findingsOf(events).map(({ title }) => title)).toEqual(['A', 'D']);
  expect(events.flatMap((event) => (event.kind === 'rejected' ? [event.where] : []))).toEqual([
    'line 3',
    'line 4',
    'line 5',
  ]);
});

test('a file that was cut inside of a row is not taken for a shorter one', async () => {
  expect(await codeOf(csv('title,severity,tags\nA,high,x\nB,hi'))).toBe('truncated_report');
  expect(await codeOf(csv('title,severity\n"A,high\n'))).toBe('truncated_report');
});

test('nothing found is a clean report in both encodings', async () => {
  for (const report of ['{"findings": []}', 'title,severity\n'])
    expect((await csv(report)).map(({ kind }) => kind)).toEqual(['tool']);
});

test('control characters of a tool reach no field, where a terminal would obey them', async () => {
  const entry = {
    title: 'A\u0000B',
    severity: 'low',
    description: '\u001b[31mred\u0007\nline\ttab\u009b',
    tags: ['x\u007f'],
  };
  const [finding] = findingsOf(await csv(JSON.stringify({ findings: [entry] })));
  expect(finding).toMatchObject({ title: 'AB', description: '[31mred\nline\ttab', tags: ['x'] });
});

test('the endpoints of another product are the places of the finding', async () => {
  const endpoints = [
    'https://shop.example.test/a',
    'db.example.test',
    { protocol: 'https', host: 'h.test', path: 'b' },
  ];
  const report = { findings: [{ title: 't', severity: 'low', endpoints }] };
  expect(findingsOf(await eventsOf('generic', JSON.stringify(report)))[0]).toMatchObject({
    asset: { type: 'url', value: 'https://shop.example.test' },
    location: { url: 'https://shop.example.test/a' },
    otherLocations: [{ host: 'db.example.test' }, { url: 'https://h.test/b' }],
  });
});

test('a row of the CSV names its asset, so that one file may list several', async () => {
  const rows = 'title,severity,assetType,asset,file\na,low,repository,https://git.example.test/o/r,src/a.py\n';
  expect(findingsOf(await eventsOf('auto', rows))[0]).toMatchObject({
    asset: { type: 'repository', value: 'https://git.example.test/o/r' },
    location: { path: 'src/a.py' },
  });
});

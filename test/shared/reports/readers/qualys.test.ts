import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const rc4 = {
  title: 'SSL/TLS Use of Weak RC4 Cipher',
  description: 'RC4 is broken.\nIt must not be used.\n\nTraffic may be read.',
  severity: 'medium',
  toolSeverity: '3',
  ruleId: '38628',
  cves: ['CVE-2013-2566', 'CVE-2015-2808'],
  cwes: [],
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvssScore: 5.9,
  asset: { type: 'host', value: '10.30.0.5' },
  location: { host: '10.30.0.5', port: 443, protocol: 'tcp' },
  evidence: [{ kind: 'text', content: 'TLSv1 RC4-SHA' }],
  references: [],
  remediation: 'Disable RC4.',
  tags: ['General remote services', 'PCI'],
  identity: ['38628', '443/tcp'],
};

test.each(['scan.xml', 'assets.xml', 'scan.csv'])('%s gives the same finding with all its fields', async (file) => {
  expect(findingsOf(await eventsOf('auto', fixture(`qualys/${file}`)))).toContainEqual(rc4);
});

test('detections of the API have the same identity, and no titles; ignored ones are none', async () => {
  const [found, ...others] = findingsOf(await eventsOf('auto', fixture('qualys/detections.xml')));
  expect(found).toMatchObject({ title: 'QID 38628', identity: rc4.identity, severity: 'medium', asset: rc4.asset });
  expect(others).toEqual([]);
});

test('what was only gathered is information, however Qualys rates it; what is fixed is no finding', async () => {
  const [gathered] = findingsOf(await eventsOf('qualys', fixture('qualys/scan.xml')));
  expect(gathered).toMatchObject({
    ruleId: '45004',
    severity: 'info',
    toolSeverity: '2',
    location: { host: '10.30.0.5' },
  });
  expect(findingsOf(await eventsOf('qualys', fixture('qualys/assets.xml')))).toHaveLength(1);
});

describe('closing', () => {
  test.each(['scan.xml', 'assets.xml', 'scan.csv'])(
    '%s names the hosts that were scanned, also without a finding',
    async (file) => {
      const covered = (await eventsOf('qualys', fixture(`qualys/${file}`))).flatMap((event) =>
        event.kind === 'covered' ? [event] : [],
      );
      expect(covered.map(({ target, outcome }) => [target.value, outcome])).toEqual([
        ['10.30.0.5', 'reached'],
        ['10.30.0.6', 'reached'],
      ]);
      expect(covered[0]?.aliases).toEqual(['app.example.test']);
    },
  );

  test.each([
    ['scan.xml', '>FINISHED<', '>CANCELED<'],
    ['scan.xml', '</SCAN>', '<ERROR number="3503">x</ERROR></SCAN>'],
    ['detections.xml', '</RESPONSE>', '<WARNING><CODE>1980</CODE></WARNING></RESPONSE>'],
  ])('%s with %s turned into %s says that it is not whole', async (file, from, to) => {
    const text = fixture(`qualys/${file}`).toString().replace(from, to);
    expect((await eventsOf('qualys', text)).map(({ kind }) => kind)).toContain('incomplete');
  });
});

test('ratings 1 to 5 are info to critical; a row without an address is rejected', async () => {
  const row = (rating: number | string, address = '10.0.0.1') =>
    `${address},host,${rating},t,Vuln,${rating},${rating},tcp`;
  const csv = [
    'IP,DNS,QID,Title,Type,Severity,Port,Protocol',
    ...[1, 2, 3, 4, 5].map((n) => row(n)),
    row(6, 'unknown'),
    '',
  ];
  const events = await eventsOf('auto', csv.join('\n'));
  expect(findingsOf(events).map(({ severity }) => severity)).toEqual(['info', 'low', 'medium', 'high', 'critical']);
  expect(events.map(({ kind }) => kind)).toContain('rejected');
});

describe('web applications', () => {
  const detection = (parts: string) => `<VULNERABILITY><QID>150001</QID>${parts}</VULNERABILITY>`;
  const scan = (detections: string, gathered = '') =>
    `<WAS_SCAN_REPORT><RESULTS><VULNERABILITY_LIST>${detections}</VULNERABILITY_LIST><INFORMATION_GATHERED_LIST>${gathered}</INFORMATION_GATHERED_LIST></RESULTS></WAS_SCAN_REPORT>`;

  test('a detection becomes a finding of its page and parameter, with the texts of the glossary behind it', async () => {
    const [found, gathered] = findingsOf(await eventsOf('auto', fixture('qualys/web-application.xml')));
    expect(found).toEqual({
      title: 'Reflected XSS',
      description: 'XSS is\n\nAttackers',
      severity: 'critical',
      toolSeverity: '5',
      ruleId: '150001',
      cves: [],
      cwes: ['CWE-79'],
      cvssScore: 6.1,
      asset: { type: 'url', value: 'https://shop.example.test' },
      location: {
        host: 'shop.example.test',
        port: 443,
        protocol: 'tcp',
        url: 'https://shop.example.test/q?x=1',
        snippet: 'parameter x',
      },
      evidence: [
        {
          kind: 'http',
          content: 'Payload: x=%3Cscript%3E\nGET https://shop.example.test/q?x=%3Cscript%3E\nHost: shop.example.test',
        },
        { kind: 'text', content: '<html>' },
      ],
      references: [],
      remediation: 'Encode',
      tags: ['Confirmed Vulnerability', 'XSS', 'A7', 'WASC-8'],
      identity: ['150001', '/q', 'x'],
    });
    expect(gathered).toMatchObject({ title: 'External Links', severity: 'info', asset: found?.asset });
  });

  test('the report of a scan names its site by its pages; what is fixed or ignored is no finding', async () => {
    const url = '<URL>https://h.test/a</URL>';
    const events = await eventsOf(
      'auto',
      scan(
        detection(url) + detection(`${url}<STATUS>FIXED</STATUS>`) + detection(`${url}<IGNORED>true</IGNORED>`),
        '<INFORMATION_GATHERED><QID>6</QID></INFORMATION_GATHERED>',
      ),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'finding', 'finding']);
    expect(findingsOf(events).map(({ asset }) => asset?.value)).toEqual(['https://h.test', 'https://h.test']);
  });

  test('a detection on no web page is rejected', async () => {
    const events = await eventsOf('qualys', scan(detection('<URL>not an address</URL>')));
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected']);
  });
});

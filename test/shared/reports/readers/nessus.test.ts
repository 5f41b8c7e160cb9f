import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const item = (attributes: string, content = '') =>
  `<ReportItem port="22" svc_name="ssh" protocol="tcp" pluginID="1" pluginName="n" ${attributes}>${content}</ReportItem>`;
const nessus = (items: string, host = '10.20.0.7', end = '<tag name="HOST_END">x</tag>') =>
  `<NessusClientData_v2><Report name="r"><ReportHost name="${host}"><HostProperties>${end}</HostProperties>${items}</ReportHost></Report></NessusClientData_v2>`;
const CSV = 'Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Plugin Output';

describe('a .nessus file', () => {
  test('an item becomes a finding on its host and port, with its CVEs, its newest score and what the plugin saw', async () => {
    const [weak] = findingsOf(await eventsOf('nessus', fixture('nessus/scan.nessus')));
    expect(weak).toEqual({
      title: 'SSL Certificate Signed Using Weak Hashing Algorithm',
      description:
        'A certificate has been signed using a weak hash.\n\nThe service uses a chain signed with a weak hash.',
      severity: 'high',
      toolSeverity: '3',
      ruleId: '35291',
      cves: ['CVE-2004-2761', 'CVE-2005-4900'],
      cwes: ['CWE-310'],
      cvssVector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N',
      cvssScore: 7.5,
      asset: { type: 'host', value: '10.20.0.7' },
      location: { host: '10.20.0.7', port: 443, protocol: 'tcp' },
      evidence: [{ kind: 'text', content: '|-Subject : CN=files.example.test\n|-Signature Algorithm : SHA-1' }],
      references: ['https://tools.example.test/html/rfc3279', 'https://sha1.example.test/'],
      remediation: 'Have the certificate reissued.',
      tags: ['exploit available', 'General', 'service:www', 'CERT:836068'],
      identity: ['35291', '443/tcp'],
    });
  });

  test('compliance checks of one plugin stay apart, and those that hold are no findings', async () => {
    const [, failed, ...others] = findingsOf(await eventsOf('nessus', fixture('nessus/scan.nessus')));
    expect(failed).toMatchObject({
      title: 'Unix Compliance Checks: 1.1.1 Ensure cramfs is disabled',
      severity: 'high',
      toolSeverity: 'FAILED',
      identity: ['21157', '0/tcp', '1.1.1 Ensure cramfs is disabled'],
    });
    expect(others).toEqual([]);
  });

  test('a compliance check keeps its reasons, its solution and the controls that it belongs to', async () => {
    const parts = {
      'check-name': '1.1 Ensure x',
      result: 'FAILED',
      info: 'Why it matters.',
      'policy-value': 'expect: off',
      solution: 'Turn it off.',
      'see-also': 'https://bench.example.test/1',
      reference: '800-53|CM-7,CSCv7|9.2',
    };
    const fields = Object.entries(parts).map(
      ([name, text]) => `<cm:compliance-${name}>${text}</cm:compliance-${name}>`,
    );
    expect(findingsOf(await eventsOf('nessus', nessus(item('severity="3"', fields.join('')))))[0]).toMatchObject({
      description: 'Why it matters.\n\nexpect: off',
      remediation: 'Turn it off.',
      references: ['https://bench.example.test/1'],
      tags: ['service:ssh', '800-53|CM-7', 'CSCv7|9.2'],
    });
  });

  test('a host with a compliance check that ended with an error keeps its findings, in a CSV too', async () => {
    const check = (result: string) =>
      `<cm:compliance-check-name>1.1 x</cm:compliance-check-name><cm:compliance-result>${result}</cm:compliance-result>`;
    const coveredOf = async (text: string) =>
      (await eventsOf('nessus', text)).flatMap((event) => (event.kind === 'covered' ? [event] : []));
    const failed = { outcome: 'failed', reason: 'a compliance check ended with an error: 1.1 x' };
    expect(await coveredOf(nessus(item('severity="0"', check('ERROR'))))).toMatchObject([failed]);
    for (const result of ['PASSED', 'SKIPPED'])
      expect(await coveredOf(nessus(item('severity="0"', check(result))))).toMatchObject([{ outcome: 'reached' }]);
    const row = (result: string) => `1,,,None,h.test,tcp,0,n,"""1.1 x"" : [${result}]"`;
    const header = CSV.replace('Plugin Output', 'Description');
    expect(await coveredOf([header, row('ERROR'), row('PASSED'), ''].join('\n'))).toMatchObject([failed]);
    expect(await coveredOf([header, row('PASSED'), ''].join('\n'))).toMatchObject([{ outcome: 'reached' }]);
  });

  test('a host whose scan ended is reached, also without items; one whose scan was stopped proves nothing', async () => {
    const covered = (await eventsOf('nessus', fixture('nessus/scan.nessus'))).filter(({ kind }) => kind === 'covered');
    expect(covered).toEqual([
      {
        kind: 'covered',
        target: { type: 'host', value: '10.20.0.7' },
        aliases: ['files.example.test'],
        outcome: 'reached',
      },
      {
        kind: 'covered',
        target: { type: 'host', value: '10.20.0.8' },
        aliases: [],
        outcome: 'failed',
        reason: 'the scan of the host did not end',
      },
    ]);
  });

  test('the numbers of Nessus are its severities', async () => {
    const items = [0, 1, 2, 3, 4].map((level) =>
      item(`severity="${level}"`).replace('port="22"', `port="${level + 1}"`),
    );
    const findings = findingsOf(await eventsOf('nessus', nessus(items.join(''))));
    expect(findings.map(({ severity }) => severity)).toEqual(['info', 'low', 'medium', 'high', 'critical']);
  });

  test('a scan of a web application is on its site', async () => {
    const text = nessus(item('severity="2"'), 'https://shop.example.test:8443/');
    expect(findingsOf(await eventsOf('auto', text))[0]).toMatchObject({
      asset: { type: 'url', value: 'https://shop.example.test:8443' },
      location: { host: 'shop.example.test', port: 8443, url: 'https://shop.example.test:8443/' },
    });
  });

  test('an item without a plugin is rejected, the next one is kept', async () => {
    const events = await eventsOf('nessus', nessus(`<ReportItem port="1"/>${item('severity="1"')}`));
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'finding', 'covered', 'inventory']);
  });
});

describe('CSV', () => {
  test('the same problem is the same finding in every file that Tenable writes', async () => {
    const files = ['scan.nessus', 'scan.csv', 'security-center.csv', 'findings.csv'];
    const all = await Promise.all(files.map((file) => eventsOf('nessus', fixture(`nessus/${file}`))));
    for (const events of all) {
      expect(findingsOf(events)[0]).toMatchObject({
        identity: ['35291', '443/tcp'],
        asset: { type: 'host', value: '10.20.0.7' },
        severity: 'high',
        cvssScore: 7.5,
        remediation: 'Have the certificate reissued.',
      });
    }
  });

  test('rows for several CVEs and outputs of one plugin on a port are one finding with all of them', async () => {
    const row = (cve: string, output: string) => `1,${cve},5,Low,h.test,tcp,22,n,${output}`;
    const rows = [
      row('CVE-2024-0001', 'a'),
      row('CVE-2024-0002', 'a'),
      row('CVE-2024-0002', 'b'),
      '2,,,Low,h.test,tcp,22,n,',
    ];
    const findings = findingsOf(await eventsOf('nessus', [CSV, ...rows, ''].join('\n')));
    expect(findings).toHaveLength(2);
    expect(findings[0]?.cves).toEqual(['CVE-2024-0001', 'CVE-2024-0002']);
    expect(findings[0]?.evidence.map(({ content }) => content)).toEqual(['a', 'b']);
  });

  test('a compliance check names itself in its description; what is fixed is no finding', async () => {
    const csv = findingsOf(await eventsOf('nessus', fixture('nessus/scan.csv')));
    expect(csv[1]?.identity).toEqual(['21157', '0/tcp', '1.1.1 Ensure cramfs is disabled']);
    expect(findingsOf(await eventsOf('nessus', fixture('nessus/findings.csv')))).toHaveLength(1);
  });

  test('without the number of the plugin its name is the rule', async () => {
    const csv = 'Risk,Host,Protocol,Port,Name,Plugin Output\nLow,h.test,tcp,22,Weak ciphers,arcfour\n';
    expect(findingsOf(await eventsOf('auto', csv))[0]).toMatchObject({
      ruleId: 'Weak ciphers',
      identity: ['Weak ciphers', '22/tcp'],
    });
  });

  test('a row with too many cells, or without a host, is rejected', async () => {
    const events = await eventsOf(
      'nessus',
      `${CSV}\n1,,,Low,,tcp,1,n,\n1,,,Low,h.test,tcp,1,n,o,more\n1,,,Low,h.test,tcp,1,n,o,\n`,
    );
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'rejected', 'finding', 'covered', 'inventory']);
  });

  test('a file that ends in the middle of a row or of quotes is refused, so that it closes nothing', async () => {
    for (const end of ['1,,,Low,h.test,tcp', '1,,,Low,h.test,tcp,1,"n']) {
      expect(await codeOf(eventsOf('nessus', `${CSV}\n${end}`))).toBe('truncated_report');
    }
  });
});

test('a row of millions of cells is refused before it is in memory', async () => {
  const before = process.memoryUsage.rss();
  expect(await codeOf(eventsOf('nessus', `Plugin ID,Host\n${','.repeat(15_000_000)}`))).toBe('too_large');
  expect(process.memoryUsage.rss() - before).toBeLessThan(400_000_000);
});

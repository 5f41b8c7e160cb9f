import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const report = (hosts: string, end = '<runstats><finished exit="success"/></runstats></nmaprun>') =>
  `<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" version="7.93">${hosts}${end}`;
const host = (inside: string, attributes = '') =>
  `<host ${attributes}><status state="up" reason="echo-reply"/><address addr="192.0.2.9" addrtype="ipv4"/>${inside}</host>`;

describe('a recorded scan of a web server', () => {
  test('the open port is a finding with product, CPE and what the scripts saw', async () => {
    const events = await eventsOf('nmap', fixture('nmap/http.xml'));
    expect(events.slice(0, 3)).toEqual([
      { kind: 'tool', name: 'nmap', version: '7.93' },
      { kind: 'looked', scripts: true },
      { kind: 'looked', ports: [{ protocol: 'tcp', from: 18080, to: 18081 }] },
    ]);
    expect(events.at(-1)).toEqual({
      kind: 'covered',
      target: { type: 'host', value: '127.0.0.1' },
      aliases: ['localhost'],
      outcome: 'reached',
    });
    expect(findingsOf(events)[0]).toEqual({
      title: 'Open port 18080/tcp: nginx 1.14.0',
      description: 'Service: http\nProduct: nginx 1.14.0\ncpe:/a:igor_sysoev:nginx:1.14.0',
      severity: 'info',
      ruleId: 'open-port',
      cves: [],
      cwes: [],
      asset: { type: 'host', value: '127.0.0.1' },
      location: { host: '127.0.0.1', port: 18080, protocol: 'tcp' },
      evidence: [
        { kind: 'text', content: 'http-title: Status page' },
        { kind: 'text', content: 'http-server-header: nginx/1.14.0' },
      ],
      references: [],
      tags: ['service:http', 'cpe:/a:igor_sysoev:nginx:1.14.0'],
      identity: ['open-port', '18080/tcp'],
    });
  });

  test('each vulnerability that a script proves is a finding of its own on that port', async () => {
    const proved = findingsOf(await eventsOf('nmap', fixture('nmap/http.xml'))).slice(1);
    expect(
      proved.map(({ ruleId, cves, severity, location }) => ({ ruleId, cves, severity, port: location.port })),
    ).toEqual([
      { ruleId: 'http-vuln-cve2011-3192', cves: ['CVE-2011-3192'], severity: 'high', port: 18080 },
      { ruleId: 'http-vuln-cve2017-5638', cves: ['CVE-2017-5638'], severity: 'high', port: 18080 },
    ]);
  });

  test.each([
    ['nmap -sVC -oX -', true],
    ['nmap -A 192.0.2.1', true],
    ['nmap --script=vuln 192.0.2.1', true],
    ['nmap -sV --script-timeout 5m -oX scan-A.xml', false],
    ['nmap -sS 192.0.2.1', false],
  ])('%s: whether scripts ran is read from the command line', async (args, runs) => {
    const events = await eventsOf('nmap', report('').replace('<nmaprun', `<nmaprun args="${args}"`));
    expect(events.some((event) => event.kind === 'looked' && event.scripts)).toBe(runs);
  });

  test('a host asked for by name keeps that name as its asset, whatever address it has today', async () => {
    const [finding] = findingsOf(await eventsOf('nmap', fixture('nmap/localhost.xml')));
    expect(finding?.asset).toEqual({ type: 'host', value: 'localhost' });
  });
});

describe('vulners and host scripts', () => {
  test('known vulnerabilities of a version come once each, exploits without a CVE do not count', async () => {
    const findings = findingsOf(await eventsOf('nmap', fixture('nmap/vulners.xml')));
    expect(
      findings.map(({ ruleId, severity, cvssScore, identity }) => [ruleId, severity, cvssScore, identity.at(-1)]),
    ).toEqual([
      ['open-port', 'info', undefined, '22/tcp'],
      ['CVE-2023-38408', 'critical', 9.8, '22/tcp'],
      ['CVE-2018-15473', 'medium', 5.3, '22/tcp'],
      ['smb-vuln-ms17-010', 'high', undefined, 'host'],
      ['rdp-vuln-ms12-020', 'medium', 4.3, 'host'],
    ]);
  });

  test('the text that vulners wrote before it had tables is read too', async () => {
    const output = '&#xa;  cpe:/a:x:y:1:&#xa;    CVE-2018-15919  5.0  https://vulners.com/cve/CVE-2018-15919';
    const port = `<port protocol="tcp" portid="22"><state state="open"/><script id="vulners" output="${output}"/></port>`;
    const findings = findingsOf(await eventsOf('nmap', report(host(`<ports>${port}</ports>`))));
    expect(findings.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([
      ['open-port', 'info'],
      ['CVE-2018-15919', 'medium'],
    ]);
  });
});

describe('what the scan proves of each host', () => {
  test('only hosts that answered count as reached; unusable entries are named and the rest is kept', async () => {
    const events = await eventsOf('nmap', fixture('nmap/vulners.xml'));
    const covered = events.flatMap((event) => (event.kind === 'covered' ? [[event.target.value, event.outcome]] : []));
    expect(covered).toEqual([
      ['192.0.2.1', 'reached'],
      ['192.0.2.2', 'down'],
      ['192.0.2.3', 'failed'],
      ['192.0.2.4', 'failed'],
    ]);
    expect(events.filter((event) => event.kind === 'rejected')).toEqual([
      { kind: 'rejected', reason: 'the port has no number or no protocol', where: 'host 1' },
      { kind: 'rejected', reason: 'the host has neither an address nor a name', where: 'host 5' },
    ]);
  });

  test('with -Pn a closed port still proves that the host was reached', async () => {
    expect((await eventsOf('nmap', fixture('nmap/closed.xml'))).at(-1)).toMatchObject({
      kind: 'covered',
      outcome: 'reached',
    });
  });
});

describe('a scan that did not end well', () => {
  test.each([
    ['was stopped', report(host(''), '</nmaprun>')],
    ['ended with an error', report(host(''), '<runstats><finished exit="error" errormsg="no"/></runstats></nmaprun>')],
    ['was cut off', report(host(''), '')],
  ])('%s is refused, so that it closes nothing', async (_name, xml) => {
    expect(await codeOf(eventsOf('nmap', xml))).toBe('truncated_report');
  });
});

test('the services of a scan that does not name its ports are reported, as Masscan writes them', async () => {
  const open = '<ports><port protocol="tcp" portid="22"><state state="open"/><service name="ssh"/></port></ports>';
  const tried = '<scaninfo type="syn" protocol="tcp"/>';
  const inventories = async (inside: string) =>
    (await eventsOf('nmap', report(tried + host(inside)))).filter(({ kind }) => kind === 'inventory');
  expect(await inventories(open)).toMatchObject([{ inventory: { services: [{ port: 22, service: 'ssh' }] } }]);
  expect(await inventories('')).toMatchObject([{ inventory: { asset: { value: '192.0.2.9' } } }]);
});

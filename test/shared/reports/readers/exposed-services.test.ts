import { describe, expect, test } from 'vitest';
import { exposedServices } from '#shared/reports/formats/nmap/exposed-services.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { eventsOf, findingsOf } from './reading.ts';

const scanned = async (ports: string) =>
  findingsOf(
    await eventsOf(
      'nmap',
      `<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" version="7.94"><host><status state="up" reason="echo-reply"/>` +
        `<address addr="192.0.2.9" addrtype="ipv4"/><ports>${ports}</ports></host>` +
        '<runstats><finished exit="success"/></runstats></nmaprun>',
    ),
  );

const port = (id: string, service: string, script = '') => {
  const [number, protocol] = id.split('/');
  return `<port protocol="${protocol}" portid="${number}"><state state="open"/><service ${service}/>${script}</port>`;
};

const script = (id: string, output: string) => `<script id="${id}" output="${output}"/>`;

describe('an open port is rated by the service that listens there', () => {
  test.each<[string, string, Severity]>([
    ['telnet', port('23/tcp', 'name="telnet" product="Linux telnetd" method="probed"'), 'high'],
    ['telnet on another port', port('4000/tcp', 'name="telnet" method="probed"'), 'high'],
    ['telnet within TLS', port('992/tcp', 'name="telnet" tunnel="ssl" method="probed"'), 'info'],
    ['FTP with passwords', port('21/tcp', 'name="ftp" product="vsftpd" method="probed"'), 'medium'],
    [
      'FTP for anyone',
      port(
        '21/tcp',
        'name="ftp" method="probed"',
        script('ftp-anon', 'Anonymous FTP login allowed (FTP code 230)&#xa;drwxr-xr-x'),
      ),
      'high',
    ],
    ['MySQL', port('3306/tcp', 'name="mysql" product="MySQL" method="probed"'), 'high'],
    ['Elasticsearch', port('9200/tcp', 'name="http" product="Elasticsearch REST API" method="probed"'), 'high'],
    [
      'a web server on the port of Elasticsearch',
      port('9200/tcp', 'name="http" product="nginx" method="probed"'),
      'info',
    ],
    [
      'Redis without a password',
      port(
        '6379/tcp',
        'name="redis" method="probed"',
        script('redis-info', '&#xa; Version  6.0&#xa; Architecture 64 bits'),
      ),
      'critical',
    ],
    [
      'Redis that asks for a password',
      port('6379/tcp', 'name="redis" method="probed"', script('redis-info', 'ERROR: NOAUTH, architecture unknown')),
      'high',
    ],
    [
      'VNC without a password',
      port('5900/tcp', 'name="vnc"', script('vnc-info', 'Security types: None (1)')),
      'critical',
    ],
    ['Docker', port('2375/tcp', 'name="docker" method="table"'), 'critical'],
    ['Jenkins', port('8080/tcp', 'name="http" method="probed"', script('http-title', 'Dashboard [Jenkins]')), 'medium'],
    ['SSH', port('22/tcp', 'name="ssh" product="OpenSSH" method="probed"'), 'info'],
    ['a web server', port('443/tcp', 'name="http" tunnel="ssl" product="nginx" method="probed"'), 'info'],
  ])('%s', async (_name, ports, severity) => {
    expect((await scanned(ports)).map((finding) => finding.severity)).toEqual([severity]);
  });

  test('title, description and remediation say why, and the port stays the same finding', async () => {
    const [rated] = await scanned(port('23/tcp', 'name="telnet" product="Linux telnetd" method="probed"'));
    expect(rated).toMatchObject({
      title: 'Open port 23/tcp: Linux telnetd (exposed: remote login without encryption)',
      description:
        'Rated high (remote login without encryption): Passwords and commands cross the network in clear text, and a ' +
        'listener can log in with them.\nService: telnet\nProduct: Linux telnetd',
      remediation: 'Use SSH instead, and close the port.',
      ruleId: 'open-port',
      identity: ['open-port', '23/tcp'],
    });
  });

  test('a service that Nmap only guessed from the number says so', async () => {
    const [guessed] = await scanned(port('3306/tcp', 'name="mysql" method="table" conf="3"'));
    expect(guessed?.description).toContain('Nmap took the service from the number of the port: scan with -sV');
  });
});

test('of several matching ratings the most severe counts, because it is first', () => {
  const ranks = exposedServices.map(({ severity }) => Severity.options.indexOf(severity));
  expect(ranks).not.toContain(-1);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
});

test('a sign in capitals would never be found: signs are compared in lower case', () => {
  const signs = exposedServices.flatMap(({ services, products, ports, scripts, says }) => [
    services,
    products,
    ports,
    scripts,
    says,
  ]);
  expect(signs.filter((list) => list !== list?.toLowerCase())).toEqual([]);
});

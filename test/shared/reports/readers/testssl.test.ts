import { expect, test } from 'vitest';
import { testssl } from '#shared/reports/formats/testssl/format.ts';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const breach = {
  title: 'BREACH: potentially VULNERABLE, gzip HTTP compression detected',
  severity: 'medium',
  toolSeverity: 'MEDIUM',
  ruleId: 'BREACH',
  cves: ['CVE-2013-3587'],
  cwes: ['CWE-310'],
  asset: { type: 'host', value: 'www.example.test' },
  location: { host: 'www.example.test', port: 443, protocol: 'tcp' },
  evidence: [{ kind: 'text', content: 'potentially VULNERABLE, gzip HTTP compression detected' }],
  references: [],
  tags: ['tls'],
  identity: ['BREACH', '443'],
};

test.each(['report.csv', 'flat.json', 'pretty.json'])(
  '%s: problems of a host are findings, once for all of its addresses; OK and INFO are none',
  async (file) => {
    const events = await eventsOf('auto', fixture(`testssl/${file}`));
    expect(findingsOf(events).map(({ ruleId, severity }) => [ruleId, severity])).toEqual([
      ['TLS1', 'low'],
      ['BREACH', 'medium'],
    ]);
    expect(findingsOf(events)[1]).toEqual(breach);
    expect(events).toContainEqual({ kind: 'looked', ports: [{ protocol: 'tcp', from: 443, to: 443 }] });
    expect(events.at(-1)).toMatchObject({ kind: 'covered', target: breach.asset, outcome: 'reached' });
  },
);

const HEADER = '"id","fqdn/ip","port","severity","finding","cve","cwe"\n';

test('a test that could not be made proves nothing for its host; a scan that was stopped proves nothing at all', async () => {
  const failed = await eventsOf('testssl', `${HEADER}"BREACH","h.test/1.2.3.4","443","WARN","test failed","",""\n`);
  expect(failed.at(-1)).toMatchObject({ kind: 'covered', outcome: 'failed', reason: 'BREACH: test failed' });
  const dead = await eventsOf(
    'testssl',
    `${HEADER}"scanProblem","h.test/1.2.3.4","443","FATAL","cannot connect","",""\n`,
  );
  expect(dead.at(-1)).toMatchObject({ kind: 'covered', outcome: 'failed' });
  const stopped = await eventsOf('testssl', `${HEADER}"scanTime","h.test/","443","WARN","Scan interrupted","",""\n`);
  expect(stopped.map(({ kind }) => kind)).toContain('incomplete');
});

test('a finding on a port that was not tested stays open', () => {
  const extent = { ports: [{ protocol: 'tcp', from: 443, to: 443 }] };
  const missing = (port: number) => ({ location: `h.test:${port}/tcp`, ruleId: 'BREACH' });
  expect(testssl.wasLookedFor?.(extent, missing(443))).toBe(true);
  expect(testssl.wasLookedFor?.(extent, missing(8443))).toBe(false);
});

test('a problem without a host is rejected', async () => {
  const events = await eventsOf(
    'testssl',
    `${HEADER}"BREACH","","443","HIGH","x","",""\n"TLS1","h.test/","443","LOW","y","",""\n`,
  );
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'finding', 'looked', 'covered']);
});

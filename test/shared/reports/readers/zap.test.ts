import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const site = { host: 'shop.example.test', port: 443, protocol: 'tcp' };
const xml = () => eventsOf('zap', fixture('zap/report.xml'));
const json = () => eventsOf('zap', fixture('zap/report.json'));

test('an alert is one finding of its site with all its addresses, however many pages it was raised on', async () => {
  expect(findingsOf(await xml())).toEqual([
    {
      title: 'SQL Injection',
      description: 'SQL injection may be possible.',
      severity: 'high',
      toolSeverity: 'High (Medium)',
      ruleId: '40018-1',
      cves: [],
      cwes: ['CWE-89'],
      asset: { type: 'url', value: 'https://shop.example.test' },
      location: { ...site, url: 'https://shop.example.test/cart?id=1', snippet: 'GET, parameter id' },
      otherLocations: [{ ...site, url: 'https://shop.example.test/order?id=1', snippet: 'POST, parameter id' }],
      evidence: [
        { kind: 'text', content: 'Attack: 1 AND 1=1\nsyntax error' },
        { kind: 'http', content: 'GET /cart?id=1 HTTP/1.1' },
        { kind: 'http', content: 'HTTP/1.1 500' },
      ],
      references: ['https://owasp.example.test/sqli', 'https://wasc.example.test/19'],
      remediation: 'Do not trust input.\nUse parameters.',
      tags: [],
      identity: ['40018-1', 'SQL Injection'],
    },
  ]);
});

test('XML and JSON of one scan give the same findings, and what a person marked as false is none', async () => {
  expect(await json()).toEqual(await xml());
});

test('a site without alerts was looked at too, so that its findings are closed', async () => {
  const covered = (await json()).flatMap((event) => (event.kind === 'covered' ? [event.target.value] : []));
  expect(covered).toEqual(['https://shop.example.test', 'http://shop.example.test']);
});

test('an early report, with an alert for each address, gives one finding with all of them; a single site needs no list', async () => {
  const alert = (uri: string) =>
    `<alertitem><pluginid>40012</pluginid><alert>XSS</alert><riskcode>3</riskcode><uri>${uri}</uri></alertitem>`;
  const old = `<OWASPZAPReport version="2.4.3"><site name="http://h.test"><alerts>${alert('http://h.test/a')}${alert('http://h.test/b')}</alerts></site></OWASPZAPReport>`;
  expect(findingsOf(await eventsOf('auto', old))).toMatchObject([
    { severity: 'high', location: { url: 'http://h.test/a' }, otherLocations: [{ url: 'http://h.test/b' }] },
  ]);
  const single = { '@version': '2.7.0', site: { '@name': 'http://h.test', alerts: [{ pluginid: '1', name: 'n' }] } };
  expect((await eventsOf('auto', JSON.stringify(single))).map(({ kind }) => kind)).toEqual([
    'tool',
    'covered',
    'finding',
  ]);
});

test('the alerts of its API are the findings of their sites, and close nothing', async () => {
  const alert = {
    pluginId: '10038',
    alertRef: '10038-1',
    name: 'CSP not set',
    risk: 'Medium',
    confidence: 'High',
    url: 'https://shop.example.test/a',
    description: 'No policy.',
    tags: { 'CWE-693': 'https://cwe.example.test' },
  };
  const again = { ...alert, url: 'https://shop.example.test/b' };
  const alerts = [alert, again, { ...alert, alertRef: '9', confidence: 'False Positive' }];
  const events = await eventsOf('auto', JSON.stringify({ alerts }));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'finding']);
  expect(findingsOf(events)[0]).toMatchObject({
    asset: { type: 'url', value: 'https://shop.example.test' },
    severity: 'medium',
    toolSeverity: 'Medium',
    description: 'No policy.',
    tags: ['CWE-693'],
    otherLocations: [{ url: 'https://shop.example.test/b' }],
  });
});

test('a scan without network or login closes nothing', async () => {
  const report = JSON.parse(fixture('zap/report.json').toString());
  const reasonsOf = async (insight: object) =>
    (await eventsOf('zap', JSON.stringify({ insights: [insight], ...report }))).flatMap((event) =>
      event.kind === 'incomplete' ? [event.first] : [],
    );
  const failures = {
    reason: 'Exceeded High',
    site: '',
    description: 'Percentage of network failures',
    statistic: '63',
  };
  const network = { key: 'insight.network.failure', ...failures };
  expect(await reasonsOf({ ...network, level: 'Medium' })).toEqual(['Percentage of network failures: 63']);
  expect(await reasonsOf({ ...network, level: 'Low' })).toEqual([]);
  expect(await reasonsOf({ ...network, key: 'insight.auth.failure', level: 'Medium' })).toHaveLength(1);
  expect(await reasonsOf({ ...network, key: 'insight.memory.usage', level: 'Medium' })).toEqual([]);
});

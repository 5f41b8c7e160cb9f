import { expect, test } from 'vitest';
import { fixture } from '#test/support/recorded.ts';
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

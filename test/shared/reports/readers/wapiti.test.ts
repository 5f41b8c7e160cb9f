import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const injection = {
  title: 'SQL Injection via injection in the parameter id',
  description: 'SQL Injection via injection in the parameter id\n\nData reach a query.',
  severity: 'critical',
  toolSeverity: '4',
  ruleId: 'SQL Injection',
  cves: [],
  cwes: ['CWE-89'],
  asset: { type: 'url', value: 'https://shop.example.test' },
  location: {
    host: 'shop.example.test',
    port: 443,
    protocol: 'tcp',
    url: 'https://shop.example.test/item.php',
    snippet: 'GET id',
  },
  evidence: [
    { kind: 'http', content: 'GET /item.php?id=1 HTTP/1.1\nhost: shop.example.test' },
    { kind: 'command', content: 'curl "https://shop.example.test/item.php?id=1"' },
  ],
  references: ['https://cwe.example.test/89.html'],
  remediation: 'Use parameters.',
  identity: [
    'SQL Injection',
    'https://shop.example.test/item.php',
    'id',
    'SQL Injection via injection in the parameter id',
  ],
};

test('an entry is the same finding in JSON and in XML, with what its category says', async () => {
  const [json, xml] = await Promise.all(
    ['report.json', 'report.xml'].map(async (file) => findingsOf(await eventsOf('auto', fixture(`wapiti/${file}`)))),
  );
  expect(json?.[0]).toEqual({ ...injection, tags: ['sql'] });
  expect(xml?.[0]).toEqual({ ...injection, tags: [] });
  expect(json?.map(({ severity }) => severity)).toEqual(['critical', 'low', 'low']);
  expect(xml?.[1]).toMatchObject({ ruleId: 'Internal Server Error', identity: json?.[2]?.identity });
});

test('the site is named, also when nothing was found there', async () => {
  const empty = {
    vulnerabilities: {},
    anomalies: {},
    additionals: {},
    infos: { target: 'https://shop.example.test/', crawled_pages_nbr: 1 },
  };
  expect(await eventsOf('auto', JSON.stringify(empty))).toEqual([
    { kind: 'tool', name: 'Wapiti' },
    { kind: 'covered', target: injection.asset, aliases: [], outcome: 'reached' },
  ]);
});

test('the pages of a detailed report may be of any size', async () => {
  const crawled_pages = Array.from({ length: 90 }, () => ({ response: { body: 'x'.repeat(100_000) } }));
  const entry = { method: 'GET', path: '/', info: 'CSP is not set', level: 1 };
  const report = { vulnerabilities: { CSP: [entry] }, infos: { target: 'https://shop.example.test/', crawled_pages } };
  const events = await eventsOf('wapiti', JSON.stringify(report));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'finding', 'covered']);
});

test('the same entry again is one finding; one without a page is rejected; another XML report is refused', async () => {
  const entry = { method: 'GET', path: '/', info: 'CSP is not set', level: 1 };
  const report = (target: string) => JSON.stringify({ vulnerabilities: { CSP: [entry, entry] }, infos: { target } });
  expect(findingsOf(await eventsOf('wapiti', report('http://h.test/')))).toHaveLength(1);
  expect((await eventsOf('wapiti', report('nowhere'))).map(({ kind }) => kind)).toEqual([
    'tool',
    'rejected',
    'rejected',
  ]);
  expect(await codeOf(eventsOf('wapiti', '<report><page/></report>'))).toBe('unsupported_format');
});

import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const issues = (...all: string[]) => `<issues burpVersion="2024.1" exportTime="x">${all.join('')}</issues>`;
const issue = (severity: string, rest = '') =>
  `<issue><type>7</type><name>n</name><host>http://h.test</host><path>/a</path><location>/a${rest}</location><severity>${severity}</severity></issue>`;

test('an issue becomes a finding with its request, its response and the CWE of its classification', async () => {
  const [injection, frameable] = findingsOf(await eventsOf('burp', fixture('burp/issues.xml')));
  expect(injection).toEqual({
    title: 'SQL injection [q parameter]',
    description: 'The q parameter appears to be vulnerable.\n\nSQL injection arises when data reach a query.',
    severity: 'high',
    toolSeverity: 'High',
    ruleId: '1049088',
    cves: [],
    cwes: ['CWE-89'],
    asset: { type: 'url', value: 'https://shop.example.test' },
    location: { host: 'shop.example.test', port: 443, protocol: 'tcp', url: 'https://shop.example.test/search' },
    evidence: [
      { kind: 'http', content: "GET /search?q=' HTTP/1.1\r\n" },
      { kind: 'http', content: 'HTTP/1.1 500 Error' },
    ],
    references: ['https://academy.example.test/sql', 'https://cwe.example.test/89.html'],
    remediation: 'Use parameterized queries.',
    tags: ['confidence:firm'],
    identity: ['1049088', '/search', '[q parameter]'],
  });
  expect(frameable).toMatchObject({ title: 'Frameable response', severity: 'info', description: '/\n/cart' });
});

test('another parameter of the same page is another finding; a false positive is none', async () => {
  const text = issues(issue('High', ' [a parameter]'), issue('Medium', ' [b parameter]'), issue('False positive'));
  const findings = findingsOf(await eventsOf('auto', text));
  expect(findings.map(({ severity }) => severity)).toEqual(['high', 'medium']);
  expect(findings.map(({ identity }) => identity.at(-1))).toEqual(['[a parameter]', '[b parameter]']);
});

test('an issue without a host is rejected; a report without issues is clean', async () => {
  const events = await eventsOf('burp', issues('<issue><type>7</type><name>n</name></issue>', issue('Low')));
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'finding']);
  expect(await eventsOf('auto', issues())).toEqual([{ kind: 'tool', name: 'Burp Suite' }]);
});

test('entities among its declarations are refused, with any other declarations', async () => {
  const text = fixture('burp/issues.xml').toString();
  const entity = '<!ENTITY x SYSTEM "file:///etc/passwd">\n<!ATTLIST issues';
  expect(await codeOf(eventsOf('burp', text.replace('<!ATTLIST issues', entity)))).toBe('unsafe_xml');
});

test('the calls that the server made to Collaborator are shown, because they prove the problem', async () => {
  const event =
    '<collaboratorEvent><interactionType>DNS</interactionType><originIp>192.0.2.9</originIp></collaboratorEvent>';
  const [found] = findingsOf(await eventsOf('burp', issues(issue('High').replace('</issue>', `${event}</issue>`))));
  expect(found?.evidence).toEqual([{ kind: 'text', content: 'interactionType: DNS\noriginIp: 192.0.2.9' }]);
});

test('characters that XML forbids are dropped, and the report is read', async () => {
  const raw = `<request><![CDATA[GET /?q=\u0016\u0000a\ufffeb HTTP/1.1]]></request><requestEncoded>&#1;&#x1F;&amp;</requestEncoded>`;
  const text = issues(issue('High').replace('</issue>', `<requestresponse>${raw}</requestresponse></issue>`));
  const [found] = findingsOf(await eventsOf('auto', text, 7));
  expect(found?.evidence).toEqual([{ kind: 'http', content: 'GET /?q=ab HTTP/1.1' }]);
});

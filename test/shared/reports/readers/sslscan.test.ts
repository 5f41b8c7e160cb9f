import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const document = (content: string) => `<document title="SSLScan Results" version="1.9">${content}</document>`;

test('what a server offers becomes problems; what it rejects does not', async () => {
  const events = await eventsOf('auto', fixture('sslscan/report.xml'));
  expect(findingsOf(events).map(({ title, severity, identity }) => [title, severity, identity])).toEqual([
    ['TLSv1.0 is offered', 'low', ['protocol', 'TLSv1.0', '443']],
    ['Heartbleed', 'high', ['heartbleed', '', '443']],
    ['Ciphers of strength weak are accepted', 'medium', ['cipher', 'weak', '443']],
    ['Certificate expired on Mar 13 11:59:45 2023 GMT', 'medium', ['certificate-expired', '', '443']],
    ['Certificate has a key of 1024 bits', 'medium', ['certificate-key', '', '443']],
  ]);
  expect(findingsOf(events)[2]).toEqual({
    title: 'Ciphers of strength weak are accepted',
    severity: 'medium',
    ruleId: 'cipher',
    cves: [],
    cwes: ['CWE-326'],
    asset: { type: 'host', value: 'www.example.test' },
    location: { host: 'www.example.test', port: 443, protocol: 'tcp' },
    evidence: [{ kind: 'text', content: 'TLSv1.0 RC4-SHA 128 bits\nTLSv1.0 RC4-MD5 128 bits' }],
    references: [],
    remediation: 'Disable the ciphers of strength weak.',
    tags: ['tls'],
    identity: ['cipher', 'weak', '443'],
  });
  expect(events.slice(-2)).toEqual([
    { kind: 'looked', ports: [{ protocol: 'tcp', from: 443, to: 443 }] },
    { kind: 'covered', target: { type: 'host', value: 'www.example.test' }, aliases: [], outcome: 'reached' },
  ]);
});

test('old versions name no strengths and no protocols: the ciphers show them', async () => {
  const cipher = (name: string, bits: number) =>
    `<cipher status="accepted" sslversion="SSLv3" bits="${bits}" cipher="${name}"/>`;
  const ciphers = [
    cipher('RC4-SHA', 128),
    cipher('ADH-AES256-SHA', 256),
    cipher('NULL-SHA', 0),
    cipher('AES256-SHA', 256),
  ];
  const old = document(
    `<ssltest host="h.test" port="443"><renegotiation supported="1" secure="0"/><compression supported="1"/><fallback supported="0"/>${ciphers.join('')}</ssltest>`,
  );
  expect(findingsOf(await eventsOf('auto', old)).map(({ ruleId, identity }) => identity[1] || ruleId)).toEqual([
    'SSLv3',
    'renegotiation',
    'compression',
    'fallback',
    'null',
    'anonymous',
    'weak',
  ]);
});

test('a server that could not be tested leaves the report incomplete; a test without a port is rejected', async () => {
  const events = await eventsOf(
    'sslscan',
    document('<ssltest host="h.test"/><ssltest host="h.test" port="25"/><error>refused</error>'),
  );
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected', 'incomplete', 'looked', 'covered']);
  expect(await codeOf(eventsOf('sslscan', document('')))).toBe('unsupported_format');
});

import { describe, expect, test } from 'vitest';
import { completeFinding } from '#shared/reports/readers/finding.ts';
import { withoutQuotedSecret } from '#shared/reports/readers/quoted-secret.ts';
import { bandit, codeScan, semgrep } from '../../../support/secret-reports.ts';
import { eventsOf, findingsOf } from './reading.ts';

const SECRET = 'pw-EXAMPLE-0011223344556677';
const reports = { bandit, semgrep, codeScan };

test.each(Object.entries(reports))(
  'a line of code that %s quotes shows no password that stands in it',
  async (_, make) => {
    const [found, ...others] = findingsOf(await eventsOf('auto', make(SECRET)));
    expect(others).toEqual([]);
    const { identity, ...kept } = found ?? { identity: [] };
    expect(JSON.stringify(kept)).not.toContain('EXAMPLE');
    expect(kept).toMatchObject({ location: { snippet: expect.stringContaining('pw****77') } });
    // two passwords on one line of a file are two problems, so that the identity tells them apart; the import hashes it under a key
    const [another] = findingsOf(await eventsOf('auto', make('pw-EXAMPLE-8899aabbccddeeff')));
    expect(another?.identity).not.toEqual(identity);
  },
);

const finding = (snippet: string, more: object = {}) => ({
  title: 'Hard-coded password',
  ruleId: 'r',
  cwes: ['CWE-798'],
  location: { path: 'a.txt', snippet },
  ...more,
});
const shown = (snippet: string) => withoutQuotedSecret(finding(snippet)).location.snippet;

test.each([
  ['PASSWORD=hunter2-and-more', 'PASSWORD= hu****re'],
  ['password: short', 'password: ****'],
  ["connect('db', `hunter2-and-more`)", "connect('****', `hu****re`)"],
  ['<password>hunter2-and-more</password>', '<password>hu****re</password>'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK', '-----BEGIN **** '],
  ['no value here', 'no value here'],
])('of %j only the place and a masked form are kept', (code, kept) => {
  expect(shown(code)).toBe(kept);
});

test('code that is quoted for another reason is kept as it is', () => {
  const code = "db.execute('select * from users where name=' + name)";
  const sql = { title: 'SQL injection', ruleId: 'python.tainted-sql', cwes: ['CWE-89'] };
  expect(withoutQuotedSecret(finding(code, sql)).location.snippet).toBe(code);
});

test.each([
  ['"password" detected here', '"password" detected here'],
  ["Possible hardcoded password: 'hunter2'", "Possible hardcoded password: '****'"],
])('of the message %j the name of a variable is kept, and a value is not', (title, kept) => {
  expect(withoutQuotedSecret(finding('', { title })).title).toBe(kept);
});

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7EXAMPLE\n'.repeat(20)}-----END RSA PRIVATE KEY-----`;

describe('a private key of several lines stays out of', () => {
  test.each(Object.entries(reports))('every field of a finding of %s', async (_, make) => {
    for (const key of [KEY, KEY.replaceAll('\n', ' '), KEY.replace('-----END RSA PRIVATE KEY-----', '')]) {
      const [{ identity: _identity, ...kept } = { identity: [] }] = findingsOf(await eventsOf('auto', make(key)));
      expect(JSON.stringify(kept)).not.toContain('EXAMPLE');
    }
  });

  test('a finding of any other kind', async () => {
    const texts = { title: `Found ${KEY}`, description: `${KEY} and ${KEY}`, remediation: KEY, references: [KEY] };
    const evidence = [{ kind: 'http' as const, content: `HTTP/1.1 200 OK\n\n${KEY}` }];
    const draft = { ruleId: 'r', asset: null, identity: ['r'], otherLocations: [{ path: 'b.txt', snippet: KEY }] };
    const location = { path: 'a.txt', snippet: KEY };
    const kept = await completeFinding({ ...draft, ...texts, evidence, location });
    expect(JSON.stringify(kept)).not.toContain('EXAMPLE');
    expect(kept.title).toMatch(/^Found -----BEGIN [A-Z ]*\*{4}/);
  });
});

test.each([
  ['KEY = """MIIEowIBAAKCAQEA7\nabcd.efgh\n"""', 'abcd'],
  ['KEY="MIIEowIBAAKCAQEA7EXAMPLE\nIBAAKCAQEA7EXAMPLEabcd=="', 'AKCA'],
  ['const key = `hunter2\nand more`;', 'and more'],
  ['MIIEowIBAAKCAQEA7EXAMPLE', 'AKCA'],
])('of a literal of several lines in %j no line stays', (code, line) => {
  expect(shown(code)).not.toContain(line);
});

test('a secret stays out of the title and of other places', async () => {
  const secret = { kind: 'password', text: 'pw-EXAMPLE-00\n112233' } as never;
  const texts = {
    title: 'It is pw-EXAMPLE-00 112233',
    otherLocations: [{ path: 'b', snippet: 'pw-EXAMPLE-00\n112233' }],
  };
  const kept = await completeFinding({
    ruleId: 'r',
    asset: null,
    identity: ['r'],
    location: { path: 'a' },
    secret,
    ...texts,
  });
  expect(JSON.stringify([kept.title, kept.otherLocations])).not.toContain('EXAMPLE');
});

test('many literals in the code cost no more than many words', () => {
  const snippet = Array.from({ length: 50_000 }, (_, n) => `'value-${n}'`).join(' ');
  const began = process.cpuUsage().user;
  withoutQuotedSecret(finding(snippet, { description: 'x '.repeat(500_000) }));
  expect(process.cpuUsage().user - began).toBeLessThan(2_000_000);
});

import { expect, test } from 'vitest';
import { withoutQuotedSecret } from '#shared/reports/quoted-secret.ts';
import { bandit, codeScan, semgrep } from '#test/support/secret-reports.ts';
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
  ...{ title: 'Hard-coded password', ruleId: 'r', cwes: ['CWE-798'] },
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

import { expect, test } from 'vitest';
import { annotationsOf, summaryOf } from '../../../cli/output/github.ts';
import { BASE_URL, failed, findings } from './findings.ts';

test('an annotation stays one line and one command, whatever a report says', () => {
  expect(annotationsOf(findings).split('\n')).toEqual([
    '::error file=src/app files/a.ts,line=12,title=critical%3A sql-injection::SQL injection',
    '::warning title=medium%3A a%2Cb%3Ac::evil%0A::error::pwned 100%25 | [x](http://evil.example) <img src=x> `a` \u0001 (10.0.0.7:443/tcp)',
    '::notice file=conf/app.env,title=low%3A secret::Password in file',
    '',
  ]);
});

test('a summary shows texts of reports as they are: no links, pictures, HTML or further rows', () => {
  const text = summaryOf({ findings, verdict: failed, baseUrl: BASE_URL }, 100_000);
  expect(text.split('\n')).toEqual([
    '### Exposure gate did not pass, compared with main',
    '',
    '- 1 new critical',
    '- 1 new low',
    '',
    '| severity | finding | rule | place |',
    '|---|---|---|---|',
    `| critical | [SQL injection](${BASE_URL}/findings/${findings[0]?.id}) | sql\\-injection | src\\/app files\\/a\\.ts\\:12 |`,
    expect.stringContaining(
      'evil \\:\\:error\\:\\:pwned 100\\% \\| \\[x\\]\\(http\\:\\/\\/evil\\.example\\) \\<img src\\=x\\> \\`a\\`',
    ),
    expect.stringMatching(/^\| low \(new\) \| /),
    '',
  ]);
});

test('a summary stays within its room, and counts what it leaves out', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ ...findings[0], id: String(index) })) as typeof findings;
  const text = summaryOf({ findings: many, verdict: failed, baseUrl: BASE_URL }, 2_000);
  const shown = text.match(/^\| critical/gm)?.length ?? 0;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(shown).toBeGreaterThan(5);
  expect(text).toContain(`\n${50 - shown} more findings are in the service.\n`);
  expect(summaryOf({ findings: many, verdict: failed, baseUrl: BASE_URL }, 10)).toBe('');
});

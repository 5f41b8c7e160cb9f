import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOf, startCli } from '../support/cli.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();

test('a report is made, listed and fetched; a part that it does not have is refused in words', async () => {
  const organization = await system.newOrganization();
  const env = await keyOf(system, organization, ['reports:read', 'reports:write', 'findings:read']);
  const made = await cli.run(['report', 'create', 'accepted_risks', '--language', 'de', '--output', 'board.pdf'], {
    env,
  });
  expect(made).toMatchObject({ code: 0 });
  expect(readFileSync(join(cli.home, 'board.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  const listed = await cli.run(['report', 'list', '--json'], { env });
  const [report] = JSON.parse(listed.stdout);
  expect(report).toMatchObject({ kind: 'accepted_risks', language: 'de', status: 'made' });
  const csv = await cli.run(['report', 'get', report.id, '--format', 'csv', '--table', 'accepted_risks'], { env });
  expect(csv).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^title,vulnerability,severity,reason,approver,treatment,/),
  });
  const refused = await cli.run(['report', 'get', report.id, '--format', 'csv', '--table', 'nothing'], { env });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('accepted_risks');
});

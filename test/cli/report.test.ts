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
  const printed = await cli.run(['report', 'create', 'accepted_risks', '--json'], { env });
  expect(JSON.parse(printed.stdout)).toEqual({ id: expect.any(String), kind: 'accepted_risks' });
});

test('templates and schedules are listed and shown, and a report of a template is made and fetched', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const env = await keyOf(system, organization, ['reports:read', 'reports:write', 'findings:read']);
  const { id } = await admin.ok('createReportTemplate', { body: { name: 'Board', kind: 'accepted_risks' } });
  const times = { startAt: '2099-01-01T07:00:00Z', recurrence: 'FREQ=MONTHLY' };
  await admin.ok('createReportSchedule', { body: { name: 'Monthly', templateId: id, ...times } });
  const json = async (...args: string[]) => JSON.parse((await cli.run([...args, '--json'], { env })).stdout);
  expect(await json('report', 'templates', 'list')).toMatchObject([{ id, name: 'Board' }]);
  const [schedule] = await json('report', 'schedules', 'list');
  expect(schedule).toMatchObject({ name: 'Monthly', nextAt: '2099-01-01T07:00:00.000Z' });
  expect(await json('report', 'schedules', 'show', schedule.id)).toMatchObject({ templateId: id });
  const made = await cli.run(['report', 'templates', 'make', id, '--output', 'of-template.pdf'], { env });
  expect(made).toMatchObject({ code: 0 });
  expect(readFileSync(join(cli.home, 'of-template.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
});

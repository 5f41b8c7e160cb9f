import { expect, test } from 'vitest';
import { dropOn, violations } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { testSystem } from '../support/system.ts';
import { zipped } from '../support/zipped.ts';

const world = consoleWorld();

const rule = (name: string, condition = 'selection') => `title: Packed ${name}
id: packed-${name}
name: ${name}
logsource: { product: linux }
detection:
  selection: { f: ${name} }
  condition: ${condition}
`;
const counting = `title: Packed correlation
id: packed-correlation
correlation:
  type: event_count
  rules: [one]
  group-by: [host]
  timespan: 5m
  condition: { gte: 3 }
`;
const learning = `${rule('two')}new_terms: { fields: [user], history_window: 7d }\n`;

test('a person imports a pack of rules, and sees which are refused, what a correlation counts, and until when a rule learns', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  await page.goto(`${new URL(page.url()).origin}/detections`);
  await page.getByRole('button', { name: 'Import a pack' }).click();
  const files = {
    'one.yml': rule('one'),
    'two.yml': learning,
    'c.yml': counting,
    'wrong.yml': rule('three', 'nothing'),
  };
  const pack = { name: 'pack.zip', mimeType: 'application/zip', buffer: zipped(files) };
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(pack);
  await page.getByRole('dialog').getByLabel('Switch new rules on').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Import a pack' }).click();
  await page.getByText('3 rules created, 0 changed, 0 unchanged.').waitFor();
  await page.getByText('1 rule is refused').click();
  await page.getByText('wrong.yml', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByText('Packed correlation', { exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Rules that it counts' }).waitFor();
  await dialog.getByRole('link', { name: 'Packed one' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Packed two', { exact: true }).click();
  await dialog.getByText('Learns until').waitFor();
  expect(problems).toEqual([]);
});

test('rules that a person drops on a page are no report: one click imports them as rules', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  await dropOn(page, 'dropped.yml', rule('dropped'));
  await page.getByRole('button', { name: 'Import it as a pack of detection rules' }).click();
  await page.getByText('1 rule created, 0 changed, 0 unchanged.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.close();
  expect(problems).toEqual([]);
});

test('a person sees what the rules that are off would have matched, and turns one on', async () => {
  const { ownerPage, problems, system, organizationId } = world.current();
  const there = testSystem(system.baseUrl, system.connections);
  const logs = await logCollector({ ...there, newOrganization: () => there.enter(organizationId) });
  const content =
    'title: Packed and off\nlogsource: { product: linux }\ndetection: { s: { message|contains: odd }, condition: s }';
  const { id } = await logs.admin.ok('createDetectionRule', { body: { content, enabled: false } });
  await logs.send('1', [ssh(ago(90), 'an odd message', 'web-01'), ssh(ago(80), 'another odd message', 'web-01')]);
  await logs.done('1');
  const page = await ownerPage();
  await page.goto(`${system.baseUrl}/detections`);
  await page.getByText('See what the rules that are off would have matched').click();
  await page.getByRole('button', { name: 'Hunt' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'Packed and off' });
  await line.getByText('2 events').waitFor();
  expect(await violations(page)).toEqual([]);
  await line.getByRole('button', { name: 'Switch on' }).click();
  await line.getByText('On', { exact: true }).waitFor();
  expect(await logs.admin.ok('getDetectionRule', { params: { id } })).toMatchObject({ enabled: true });
  await page.close();
  expect(problems).toEqual([]);
});

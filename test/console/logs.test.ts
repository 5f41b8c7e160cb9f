import { expect, test } from 'vitest';
import { inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { ago, logCollector, ssh } from '../support/log-collector.ts';
import { testSystem } from '../support/system.ts';

const world = consoleWorld();

const RULE = `title: A password is tried
logsource: { product: linux, service: sshd }
detection: { selection: { message|contains: Failed password }, condition: selection }
`;

const failed = (seconds: number, host: string, user: string) =>
  ssh(ago(seconds), `Failed password for ${user} from 203.0.113.9 port 22 ssh2`, host);

test('an analyst searches the logs, hunts with a rule, and adds an exception from an alert that says what it would silence', async () => {
  const { system, organizationId, ownerPage, problems } = world.current();
  const there = testSystem(system.baseUrl, system.connections);
  const logs = await logCollector({ ...there, newOrganization: () => there.enter(organizationId) });
  const { id } = await logs.admin.ok('createDetectionRule', { body: { content: RULE } });
  await logs.send('1', [
    failed(90, 'web-01', 'bob'),
    failed(80, 'web-01', 'eve'),
    failed(70, 'web-02', 'bob'),
    ssh(ago(60), 'Accepted publickey for bob from 10.0.3.7 port 22 ssh2', 'web-02'),
  ]);
  await logs.done('1');
  const page = await ownerPage();
  const main = page.getByRole('main');

  await page.goto(`${system.baseUrl}/logs?search=${encodeURIComponent('host:web-01 -user:eve')}`);
  await main.getByText('Failed password for bob').waitFor();
  expect(await main.getByText('Failed password for eve').count()).toBe(0);
  expect(await inBothThemes(page)).toEqual([]);
  await main.getByRole('img', { name: /^1 event from / }).waitFor();
  await main
    .locator('.plot-place')
    .filter({ hasText: /^1 event from / })
    .click();
  await page.waitForURL(/[?&]from=.*&to=/);
  await main.getByText('Failed password for bob').waitFor();

  await page.goto(`${system.baseUrl}/logs/none`);
  await page.getByText('This page does not exist').waitFor();

  await page.goto(`${system.baseUrl}/detections/${id}`);
  await page.getByRole('button', { name: 'Estimate' }).click();
  await page.getByText(/events?, about \d/).waitFor();
  await page.getByRole('button', { name: 'Hunt' }).click();
  await page.getByText(/^3 events match of/).waitFor();
  expect(await inBothThemes(page)).toEqual([]);

  const { data } = await logs.admin.ok('listAlerts', { query: { ruleId: id } });
  const alert = data.find(({ entities }) => entities.some(({ value }) => value === 'web-01'));
  await page.goto(`${system.baseUrl}/alerts/${alert?.id}`);
  await page.getByText('Nobody was notified in the last 30 days.').waitFor();
  await page.getByText('Failed password for eve').first().waitFor();
  await page.getByRole('button', { name: 'Add an exception' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field').fill('user');
  await dialog.getByLabel('Value').fill('bob');
  await dialog.getByText('It would have left out 1 of 2 alerts of the last 30 days, and 2 events.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('A test.');
  await dialog.getByRole('button', { name: 'Add an exception' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await logs.admin.ok('getDetectionRule', { params: { id } })).exceptions).toEqual([
    { where: { user: 'bob' }, reason: 'A test.', endsAt: null },
  ]);
  expect(problems).toEqual([]);
  await page.close();
});

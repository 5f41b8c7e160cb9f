import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dropOn } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { hostReport, ssh } from '../support/host-report.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/** A smoke of the console for each change: ten jobs of a first week, in one page. Each test goes on where the one before ended. */
const world = consoleWorld();
let page: Page;
let organization: TestOrganization;

const report = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'semgrep' } },
      results: ['sql', 'path', 'xss'].map((ruleId) => ({
        ruleId,
        level: 'warning',
        message: { text: `A text of ${ruleId}` },
        locations: [{ physicalLocation: { artifactLocation: { uri: `src/${ruleId}.ts` }, region: { startLine: 3 } } }],
      })),
    },
  ],
};

const dialog = () => page.locator('dialog');
const openScreen = (name: string) =>
  page.getByRole('navigation', { name: 'Screens', exact: true }).getByRole('link', { name, exact: true }).click();

/** The page asks every few seconds: for the page, these have passed. */
const seen = (text: string, { exact = false } = {}) =>
  expect
    .poll(
      async () => {
        await page.clock.fastForward(10_000);
        return page.getByText(text, { exact }).count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);

beforeAll(async () => {
  const { system, organizationId } = world.current();
  organization = await testSystem(system.baseUrl, system.connections).enter(organizationId);
});

test('signs in', async () => {
  page = await world.current().newPage();
  await page.clock.install();
  await world.current().signIn(page);
  await page.getByRole('heading', { name: 'Bring in the first results' }).waitFor();
});

test('drops a report', async () => {
  await dropOn(page, 'semgrep.sarif', JSON.stringify(report));
  await page.getByText('Recognised as sarif').waitFor();
  await page.getByRole('link', { name: 'Show 3 findings' }).click();
  await page.locator('#row-2').waitFor();
});

test('triages in bulk, and undoes it', async () => {
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Choose all 3' }).click();
  await page.getByRole('button', { name: 'False positive' }).click();
  await page.getByText('3 findings of 3 would change.').waitFor();
  await page.getByRole('button', { name: 'Change 3 findings' }).click();
  await page.locator('#row-0').getByText('False positive').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('3 findings restored.').waitFor();
  await page.locator('#row-0').getByText('Open', { exact: true }).waitFor();
});

test('accepts a risk until a day, with a reason', async () => {
  const inYears = `${new Date().getUTCFullYear() + 1}-03-01`;
  await openScreen('Findings');
  await page.locator('#row-2').click();
  await dialog()
    .getByRole('button', { name: /^Accept the risk …/ })
    .click();
  await dialog().getByLabel('Reason').fill('reachable only from the build network');
  await dialog().getByLabel('Until').fill(inYears);
  await dialog().getByRole('button', { name: 'Accept the risk', exact: true }).click();
  await page.locator('#row-2').getByText('Risk accepted').waitFor();
  await page.keyboard.press('Escape');
});

test('makes a rule of an application after a preview', async () => {
  await organization.admin.ok('createApplication', { body: { name: 'Web shop', criticality: 'high' } });
  await openScreen('Applications');
  await page.getByRole('gridcell', { name: 'Web shop' }).click();
  await dialog().getByRole('button', { name: 'Make a rule' }).click();
  await page.getByLabel('Name of the rule').fill('Hosts');
  await page.getByLabel('Assets that fit this filter').fill('type:host');
  await page.getByText('would be linked').waitFor();
  await page.locator('form').getByRole('button', { name: 'Make a rule' }).click();
  await dialog().getByText('Hosts', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
});

test('approves the engagement that somebody asked for', async () => {
  const asking = await organization.person('viewer');
  const targets = [{ type: 'host' as const, value: '192.0.2.9' }];
  const body = {
    title: 'Test of the shop',
    kind: 'vulnerability_scan' as const,
    taskTypes: ['network' as const],
    targets,
  };
  await asking.ok('createEngagement', { body });
  await openScreen('Engagements');
  await page.getByRole('gridcell', { name: 'Test of the shop' }).click();
  await dialog().getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The engagement is approved.').waitFor();
  await page.keyboard.press('Escape');
});

test('follows its scan while a scanner runs it, without doing anything', async () => {
  const { client } = await organization.scanner();
  await openScreen('Scanner tasks');
  await page.getByRole('gridcell', { name: '192.0.2.9' }).click();
  const { tasks } = await client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  await seen('Running', { exact: true });
  const results = [{ taskId: tasks[0]?.id ?? '', outcome: 'completed' as const, reports: [hostReport(ssh)] }];
  await client.ok('completeScannerTasks', { body: { results } });
  await seen('Completed', { exact: true });
  await page.keyboard.press('Escape');
});

test('works an alert: takes it on, writes what it is, and resolves it', async () => {
  const entities = [{ type: 'host' as const, value: 'web-01' }];
  await organization.admin.ok('createAlert', { body: { title: 'Encoded PowerShell', severity: 'high', entities } });
  await openScreen('Alerts');
  await page.locator('#row-0').click();
  await dialog().getByRole('button', { name: 'Start work' }).click();
  await dialog().getByLabel('Assigned to').selectOption('Local Owner');
  await dialog().getByLabel('Write a comment').fill('A script of our own backup.');
  await dialog().getByRole('button', { name: 'Add the comment' }).click();
  await dialog().getByText('A script of our own backup.').first().waitFor();
  await dialog().getByRole('button', { name: 'Resolve' }).click();
  await page.locator('#row-0').getByText('Resolved').waitFor();
  await page.keyboard.press('Escape');
});

test('makes a report, and takes its file along', async () => {
  await openScreen('Reports');
  await page.getByRole('button', { name: 'Make a report' }).click();
  await dialog().getByLabel('Title').fill('State of the shop');
  await dialog().getByRole('button', { name: 'Make a report' }).click();
  const row = page.locator('#row-0');
  await row.getByText('State of the shop').waitFor();
  await seen('Made', { exact: true });
  await row.click();
  const file = page.waitForEvent('download');
  await dialog().getByRole('button', { name: 'PDF', exact: true }).click();
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/);
  await page.keyboard.press('Escape');
});

test('invites a person', async () => {
  await openScreen('Administration');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await page.getByLabel('Name').fill('Ada Example');
  await page.locator('form').getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('cell', { name: 'Ada Example' }).waitFor();
});

test('nothing failed unseen', () => {
  expect(world.current().problems).toEqual([]);
});

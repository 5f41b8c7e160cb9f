import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { DAY_MS, now } from '#shared/platform/runtime/clock.ts';
import { inBothThemes } from '../support/console-page.ts';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { findingDraft } from '../support/findings.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/** A person plans and decides in forms: each shows first what it would do, and loses nothing that it does not show. */
const world = consoleWorld();
let organization: TestOrganization;
let page: Page;

beforeAll(async () => {
  const { system, organizationId, ownerPage } = world.current();
  organization = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  page = await ownerPage();
});

const dialog = () => page.locator('dialog:modal');

test('a zone is added, changed and deleted', async () => {
  await walk(page).go('/zones');
  await page.getByRole('button', { name: 'Add a zone' }).click();
  await dialog().getByLabel('Name').fill('office');
  await dialog().getByLabel('Subnets').fill('10.20.0.0/16, 10.21.0.0/16');
  await dialog().getByRole('button', { name: 'Add a zone' }).click();
  await page.getByRole('gridcell', { name: 'office' }).click();
  await page.getByText('10.21.0.0/16', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog().getByLabel('Subnets').fill('10.20.0.0/99');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await dialog().getByRole('alert').waitFor();
  await dialog().getByLabel('Subnets').fill('10.30.0.0/16');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await page.getByText('10.30.0.0/16', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete: press again' }).click();
  await page.getByText('No zones yet').waitFor();
});

test('an engagement is planned with a preview of its targets, keeps what a change does not touch, and is in the calendar', async () => {
  await walk(page).go('/engagements');
  await page.getByRole('button', { name: 'Plan an engagement' }).click();
  await dialog().getByLabel('Title').fill('Scan of the shop');
  await dialog().getByLabel('Targets').fill('shop.example.com\n10.0.0.0/24 office');
  await dialog().getByText('cidr, office').waitFor();
  await dialog().getByLabel('Web', { exact: true }).check();
  await dialog().getByLabel('Starts').fill('2030-05-06T08:00');
  await dialog().getByLabel('Repeats').selectOption('Every week');
  expect(await inBothThemes(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Plan an engagement' }).click();
  await page.getByRole('gridcell', { name: 'Scan of the shop' }).click();
  const read = async () => (await organization.admin.ok('listEngagements')).data[0];
  const { id = '' } = (await read()) ?? {};
  const at = { params: { id } };
  const schedule = {
    startAt: '2030-05-06T08:00:30.000Z',
    recurrence: 'FREQ=WEEKLY;BYDAY=MO',
    timeZone: 'Europe/Berlin',
  };
  await organization.admin.ok('updateEngagement', { ...at, body: { schedule } });
  await page.reload();
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog().getByLabel('Title').fill('Weekly scan of the shop');
  await dialog().getByRole('button', { name: 'Change' }).click();
  await page.getByText('The engagement is changed.').waitFor();
  expect(await organization.admin.ok('getEngagement', at)).toMatchObject({
    title: 'Weekly scan of the shop',
    schedule,
    targets: [
      { type: 'domain', value: 'shop.example.com', zone: null },
      { type: 'cidr', value: '10.0.0.0/24', zone: 'office' },
    ],
  });
  await walk(page).go('/calendar?month=2030-05');
  expect(await page.locator('.calendar-event').count()).toBe(4);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'The month after' }).click();
  await page.getByRole('heading', { name: 'June 2030' }).waitFor();
});

test('two assets that look the same are merged after a preview, and parted again', async () => {
  const items = [{ value: '10.0.0.7' }, { value: 'web-01', identifiers: { ips: ['10.0.0.7'] } }];
  await organization.admin.ok('importFindings', {
    query: { waitSeconds: 20 },
    body: { format: 'inventory', content: JSON.stringify({ assets: items.map((one) => ({ type: 'host', ...one })) }) },
  });
  const { go } = walk(page);
  await expect.poll(async () => (await organization.admin.ok('listMergeSuggestions')).totalCount).toBe(1);
  await go('/merges');
  await page.locator('#row-0').click();
  await page.getByText('No finding would change.').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Merge them' }).click();
  await page.getByRole('button', { name: 'Undo the merge' }).click();
  await page.getByText('The merge is being undone.').waitFor();
});

test('a rule of tickets and a saved filter show while a person types what they fit', async () => {
  const { go } = walk(page);
  await go('/ticket-rules');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await dialog().getByLabel('Records that fit', { exact: true }).fill('severity:critical');
  await dialog().getByText('0 records fit, 0 of them without a ticket.').waitFor();
  await page.keyboard.press('Escape');
  const body = { name: 'Worst', entity: 'finding', filter: 'severity:critical', visibility: 'shared' } as const;
  await organization.admin.ok('createSavedFilter', { body });
  await go('/settings/filters');
  await page.getByRole('row', { name: 'Worst' }).getByRole('button', { name: 'Change' }).click();
  await dialog().getByLabel('Filter', { exact: true }).fill('severity:critical,high');
  await dialog().getByText('0 records begin to fit, 0 cease.').waitFor();
  await dialog().getByRole('button', { name: 'Change' }).click();
  await page.getByText('The filter is saved.').waitFor();
});

test('no page had an error that nobody saw', () => {
  expect(world.current().problems).toEqual([]);
});

test('a report and a template of reports take a saved filter instead of a typed one', async () => {
  const filter = { name: 'Payments', entity: 'finding', filter: 'asset.tag:payments' } as const;
  const { id } = await organization.admin.ok('createSavedFilter', { body: { ...filter, visibility: 'shared' } });
  await walk(page).go('/report-schedules');
  await page.getByRole('button', { name: 'Add a template' }).click();
  await dialog().getByLabel('Name').fill('Of payments');
  await dialog().getByLabel('Saved filter of findings').selectOption('Payments');
  expect(await inBothThemes(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Add a template' }).click();
  await page.getByText('Of payments').waitFor();
  const { data } = await organization.admin.ok('listReportTemplates');
  expect(data).toMatchObject([{ filterId: id, filter: null }]);
  await walk(page).go('/reports');
  await page.getByRole('button', { name: 'Make a report', exact: true }).click();
  await dialog().getByLabel('Saved filter of findings').selectOption('Payments');
  await dialog().getByRole('button', { name: 'Make a report', exact: true }).click();
  await page.getByText('The report is being made.').waitFor();
  // the worker reads the saved filter when it makes the report
  const reports = async () => (await organization.admin.ok('listReports')).data;
  await expect.poll(reports, { timeout: 10_000 }).toMatchObject([{ filterId: id, filter: filter.filter }]);
});

test('the acceptances that end within 30 days are a list, one press from the first page', async () => {
  const accepted = async (title: string, days: number) => {
    const acceptedUntil = new Date(Date.now() + days * DAY_MS).toISOString();
    const decision = { status: 'risk_accepted', statusReason: 'isolated', acceptedUntil } as const;
    await organization.table.create(findings, findingDraft(now(), { title, ...decision }));
  };
  await accepted('It ends soon', 10);
  await accepted('It ends later', 60);
  await walk(page).go('/');
  await page.getByRole('link', { name: 'Acceptances that end within thirty days' }).click();
  await page.getByText('It ends soon').waitFor();
  expect(await page.getByText('It ends later').count()).toBe(0);
});

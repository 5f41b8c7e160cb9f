import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { create, read } from '../support/engagements.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/** A person of New York travels with a device that is set to Tokyo: times are those of New York. */
const world = consoleWorld();
let organization: TestOrganization;
let page: Page;

const dialog = () => page.locator('dialog');
const year = new Date().getUTCFullYear() + 1;

beforeAll(async () => {
  const { system, organizationId, newPage, signIn } = world.current();
  organization = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  page = await newPage({ timezoneId: 'Asia/Tokyo' });
  await signIn(page);
  await walk(page).go('/administration');
  await page.getByText('This device is in Asia/Tokyo.').waitFor();
  await page.getByLabel('Time zone').selectOption('America/New_York');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('saved').first().waitFor();
});

test('an acceptance ends as the chosen day begins in the zone of the person, in summer and in winter', async () => {
  const { id } = await organization.admin.ok('createFinding', {
    body: { title: 'Old TLS', severity: 'low', asset: { type: 'host', value: 'web-01' }, dueAt: `${year}-05-01` },
  });
  await walk(page).go(`/findings/${id}`);
  // due days are days of UTC: at their beginning, New York still has the day before
  await page.getByText(`due May 1, ${year}`).first().waitFor();
  for (const [day, shown, until] of [
    [`${year}-07-01`, `Jul 1, ${year}, 12:00 AM EDT`, `${year}-07-01T04:00:00.000Z`],
    [`${year}-12-01`, `Dec 1, ${year}, 12:00 AM EST`, `${year}-12-01T05:00:00.000Z`],
  ] as const) {
    await page.getByRole('button', { name: /^Accept the risk …/ }).click();
    await page.getByLabel('Reason').fill('only the build network reaches it');
    await page.getByLabel('Until').fill(day);
    await page.getByRole('button', { name: 'Accept the risk', exact: true }).click();
    await page.getByText(`The risk is accepted until ${shown.slice(0, shown.indexOf(`${year}`) + 4)}.`).waitFor();
    await page.getByText(shown).waitFor();
    expect(await organization.admin.ok('getFinding', { params: { id } })).toMatchObject({ acceptedUntil: until });
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('button', { name: /^Accept the risk …/ }).waitFor();
  }
});

test('a start in the night when clocks change is the moment that the person meant, on the day of the person', async () => {
  const { id } = await create(await organization.person('viewer'), { title: 'Night scan' });
  await walk(page).go(`/engagements/${id}`);
  for (const [typed, startAt, shown] of [
    // the hour that is there twice: the first time
    ['2030-11-03T01:30', '2030-11-03T05:30:00.000Z', 'Nov 3, 2030, 1:30 AM EDT'],
    // the hour that is left out
    ['2030-03-10T02:30', '2030-03-10T07:30:00.000Z', 'Mar 10, 2030, 3:30 AM EDT'],
    ['2030-03-31T23:30', '2030-04-01T03:30:00.000Z', 'Mar 31, 2030, 11:30 PM EDT'],
  ] as const) {
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog().getByText('In the time of America/New_York.').first().waitFor();
    await dialog().getByLabel('Starts').fill(typed);
    await dialog().getByRole('button', { name: 'Change' }).click();
    await page.getByText(shown).waitFor();
    expect(await read(organization, id)).toMatchObject({ schedule: { startAt, timeZone: 'America/New_York' } });
  }
  await walk(page).go('/calendar?month=2030-03');
  const day = page.getByRole('listitem').filter({ has: page.locator('time[datetime="2030-03-31"]') });
  await day.getByRole('link', { name: 'Night scan' }).waitFor();
});

test('the times of a search in logs are those of the person', async () => {
  await walk(page).go('/logs?from=2030-07-01T03:30:00.000Z&to=2030-07-01T04:30:00.000Z');
  expect(await page.getByLabel('From').inputValue()).toBe('2030-06-30T23:30');
  await page.getByLabel('To', { exact: true }).fill('2030-07-01T01:00');
  await page.getByLabel('To', { exact: true }).blur();
  await page.waitForURL(/to=2030-07-01T05%3A00/);
});

test('somebody who types a day into a filter reads that days of filters are days of UTC', async () => {
  await walk(page).go('/findings');
  const filter = page.getByRole('combobox', { name: 'Filter' });
  const note = page.getByText('Filters count days of UTC, while this page shows times of America/New_York.');
  for (const text of ['firstSeen:', 'kev:true due<7d']) {
    await filter.fill(text);
    await note.waitFor();
    await filter.fill('severity:');
    await note.waitFor({ state: 'hidden' });
  }
});

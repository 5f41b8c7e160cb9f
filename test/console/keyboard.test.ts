import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dropOn } from '../support/console-page.ts';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { create } from '../support/engagements.ts';
import { hostReport, ssh } from '../support/host-report.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/** The jobs of `ten-jobs.test.ts` by the keyboard alone: a person without a pointer reaches everything, and sees where they are. */
const world = consoleWorld();
let page: Page;
let organization: TestOrganization;
const unseen = new Set<string>();

const MOST_TABS = 60;

/** The name of the element with the focus. A focus that no outline shows is kept for the last test. */
const focused = (): Promise<string> =>
  page.evaluate(`(() => {
    const one = document.activeElement;
    // behind the last element is the frame of the browser
    if (one === document.body) return '';
    const named = one.getAttribute('aria-label') ?? [...(one.labels ?? [])].map((label) => label.textContent).join(' ');
    return [getComputedStyle(one).outlineStyle === 'none' ? '!' : '', named || one.textContent].join('');
  })()`);

const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

/** Goes on by Tab until the focus is on what has this name. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let n = 0; n < MOST_TABS; n++) {
    await press('Tab');
    const found = await focused();
    if (found.startsWith('!')) unseen.add(found);
    if (typeof name === 'string' ? found.startsWith(name) : name.test(found)) return;
  }
  throw new Error(`${MOST_TABS} tabs do not lead to ${name}`);
}

const type = async (field: string, text: string) => {
  await tabTo(field);
  await page.keyboard.type(text);
};

/** Ctrl K opens a screen or a record. */
async function find(words: string, option = words): Promise<void> {
  await press('Control+k');
  await page.keyboard.type(words);
  await page.getByRole('option', { name: option }).first().waitFor();
  const active = page.locator('[role=option][aria-selected=true]');
  for (let n = 0; n < MOST_TABS && !(await active.innerText()).includes(option); n++) await press('ArrowDown');
  await press('Enter');
}

const isIn = (place: string): Promise<boolean> => page.evaluate(`document.activeElement.closest('${place}') !== null`);

beforeAll(async () => {
  const { system, organizationId, ownerPage } = world.current();
  organization = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  const { admin } = organization;
  await admin.ok('createApplication', { body: { name: 'Web shop', criticality: 'high' } });
  await create(await organization.person('viewer'), { title: 'Test of the shop' });
  await admin.ok('createAlert', {
    body: { title: 'Encoded PowerShell', severity: 'high', entities: [{ type: 'host', value: 'web-01' }] },
  });
  page = await ownerPage();
});

test('findings are triaged in bulk, and put back', async () => {
  // the browser chooses no file by keys: its own dialog does
  await dropOn(page, 'nmap.xml', hostReport(ssh).content);
  await page.getByRole('link', { name: /^Show \d+ finding/ }).waitFor();
  await press('Escape');
  await find('Findings');
  await page.locator('#row-0').waitFor();
  await press('x', 'e');
  await expect.poll(focused).toContain('Start work');
  await press('Enter');
  await page.getByText('1 finding of 1 would change.').waitFor();
  await tabTo('Change 1 finding');
  await press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await expect.poll(() => isIn('main:not(:has(dialog))')).toBe(true);
  await press('z');
  await page.getByText('1 finding restored.').waitFor();
});

test('a risk is accepted until a day', async () => {
  await press('Enter');
  await page.getByText('What is wrong').waitFor();
  expect(await isIn('dialog')).toBe(true);
  await tabTo('Accept the risk …');
  await press('Enter');
  await page.keyboard.type('reachable only from the build network');
  await tabTo('Until');
  await page.keyboard.type(`0301${new Date().getUTCFullYear() + 1}`);
  await press('Enter');
  await page.getByText('The risk is accepted until Mar 1').waitFor();
  // the form is gone, and the person still is in the record
  await expect.poll(() => isIn('dialog')).toBe(true);
  await press('Escape');
  await expect.poll(() => isIn('main:not(:has(dialog))')).toBe(true);
});

test('an application gets a rule after a preview', async () => {
  await find('Web shop');
  await tabTo('Make a rule');
  await press('Enter');
  await page.keyboard.type('Hosts');
  await type('Assets that fit this filter', 'type:host');
  await page.getByText('would be linked').waitFor();
  await tabTo('Make a rule');
  await press('Enter');
  await page.locator('dialog').getByText('Hosts', { exact: true }).waitFor();
  await press('Escape');
});

test('an engagement is approved, and its scan followed', async () => {
  await find('Test of the shop');
  await tabTo('Approve');
  await press('Enter');
  await page.getByText('The engagement is approved.').waitFor();
  await press('Escape');
  await find('Scanner tasks');
  await page.locator('#row-0').waitFor();
  await press('j', 'Enter');
  await page.locator('dialog.drawer').waitFor();
  await press('Escape');
});

test('an alert is taken on, assigned, written about and resolved', async () => {
  await find('Encoded PowerShell');
  await page.getByRole('button', { name: 'Start work' }).waitFor();
  await press('e');
  await expect.poll(focused).toContain('Acknowledge');
  await tabTo('Start work');
  await press('Enter');
  await page.locator('#row-0').getByText('In progress').waitFor();
  await press('a');
  await expect.poll(focused).toContain('Assigned to');
  await page.keyboard.type('Local');
  await expect.poll(() => page.getByLabel('Assigned to').locator('option:checked').innerText()).toBe('Local Owner');
  await type('Write a comment', 'A script of our own backup.');
  await tabTo('Add the comment');
  await press('Enter');
  await page.getByText('A script of our own backup.').first().waitFor();
  await press('e');
  await tabTo('Resolve');
  await press('Enter');
  await page.locator('#row-0').getByText('Resolved').waitFor();
  await press('Escape');
});

test('a report is made', async () => {
  await find('Reports');
  await walk(page).settled();
  await tabTo('Make a report');
  await press('Enter');
  await type('Title', 'State of the shop');
  await press('Enter');
  await page.locator('#row-0').getByText('State of the shop').waitFor();
});

test('a person is invited, and a fault leads back to its field', async () => {
  await find('Administration');
  await tabTo('People');
  await press('Enter');
  await page.getByRole('button', { name: 'Invite a person' }).waitFor();
  await tabTo('Invite a person');
  await press('Enter');
  await page.keyboard.type('ada@example');
  await type('Name', 'Ada Example');
  await press('Enter');
  await page.getByRole('alert').waitFor();
  await expect.poll(focused).toContain('E-mail address');
  await press('Control+a');
  await page.keyboard.type('ada@example.org');
  await press('Enter');
  await page.getByRole('cell', { name: 'Ada Example' }).waitFor();
  // the dialog gave the focus back
  await expect.poll(focused).toContain('Invite a person');
});

test('a menu closes by Escape, and by leaving it', async () => {
  await find('Findings');
  await page.locator('#row-0').waitFor();
  await tabTo('Columns');
  for (const leave of ['Escape', 'Shift+Tab']) {
    await press('Enter');
    await expect.poll(() => page.locator('details.menu[open]').count()).toBe(1);
    await press(leave);
    await expect.poll(() => page.locator('details.menu[open]').count()).toBe(0);
    if (leave === 'Escape') expect(await focused()).toContain('Columns');
  }
});

test('the focus was always visible, and nothing failed', () => {
  expect([...unseen]).toEqual([]);
  expect(world.current().problems).toEqual([]);
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

/** Staff look after one client: its limits, its copies, and its deletion, which two persons decide. */
const world = consoleWorld();
const CLIENT = 'First organization';

/** The page of the client, as a platform owner of an organization of its own sees it. */
async function staffPage(name: string): Promise<Page> {
  const { system, newPage } = world.current();
  const { clientId, clientSecret } = await createOrganization(system.connections, name, { role: 'platform_owner' });
  const page = await newPage();
  await page.goto(`${system.baseUrl}/staff`);
  await page.getByLabel('Client ID').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('gridcell', { name: CLIENT }).click();
  await page.getByRole('heading', { name: 'Limits' }).waitFor();
  return page;
}

/** Opens a form, types and sends it. */
async function send(page: Page, button: string, values: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const form = page.locator('dialog:modal form').last();
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: button, exact: true }).click();
}

test('a platform owner changes a limit, and an empty field restores the default', async () => {
  const page = await staffPage('Provider, limits');
  const tokens = page.locator('.fact-list div', { hasText: 'Link tokens' }).locator('dd');
  await send(page, 'Change the limits', { 'Link tokens': '7' });
  await expect.poll(() => tokens.innerText()).toBe('7');
  expect(await inBothThemes(page)).toEqual([]);
  await send(page, 'Change the limits', { 'Link tokens': '' });
  await expect.poll(() => tokens.innerText()).toBe('500');
});

test('a copy is taken and its restoration requested, and the service refuses the approval of the same person', async () => {
  const page = await staffPage('Provider, copies');
  await page.getByRole('button', { name: 'Take a copy' }).click();
  await page.getByText('complete', { exact: true }).waitFor();
  await send(page, 'Restore from a copy', { 'Name of the client': CLIENT });
  await page.getByText('A second platform owner has to approve within a day').last().waitFor();
  await send(page, 'Approve a restoration', { 'Name of the client': CLIENT });
  await page.getByRole('alert').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
});

test('one platform owner requests the deletion, another one approves it, and it is taken back', async () => {
  const first = await staffPage('Provider, first');
  await send(first, 'Delete the client', { 'Name of the client': CLIENT });
  await first.getByText('Another person has to approve.').waitFor();
  const other = await staffPage('Provider, second');
  await other.getByText('Another person has to approve.').waitFor();
  await send(other, 'Approve the deletion', { 'Name of the client': CLIENT });
  await other.getByText('approved the deletion. It begins on').waitFor();
  expect(await inBothThemes(other)).toEqual([]);
  await other.getByRole('button', { name: 'Take the deletion back' }).click();
  await other.getByText('Nobody wants to delete the client.').waitFor();
  expect(world.current().problems).toEqual([]);
});

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openBrowser } from '#local/browser.ts';
import { consolePages } from '#local/console.ts';
import { ownerLink } from '#local/owner.ts';
import { type LocalSystem, startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { settingRows } from '#shared/credentials/organization-settings.ts';
import { openTable } from '#shared/platform/table/table.ts';

let system: LocalSystem;
let browser: Browser;

beforeAll(async () => {
  [system, browser] = await Promise.all([startLocalSystem({ port: 0, pages: consolePages() }), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

test('a person sets up a passkey at the first sign-in, signs in with it alone, and signs a program in', async () => {
  const { organizationId } = await bootstrap(system.connections);
  const table = openTable(system.connections.dynamo, organizationId);
  await table.rows(settingRows).put({ secondStepRequired: true }, 'absent');
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await devices.send('WebAuthn.addVirtualAuthenticator', { options });
  const link = await ownerLink(system, organizationId);
  await page.goto(link.replace('127.0.0.1', 'localhost'));
  await page.getByRole('button', { name: 'Set up a passkey instead' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('navigation').waitFor();
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('navigation').waitFor();
  await page.reload();
  await page.getByRole('navigation').waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  await page.goto(new URL('/administration/account', page.url()).href);
  const passkeys = page.getByRole('table', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Laptop');
  await page.locator('dialog').getByRole('button', { name: 'Rename' }).click();
  await passkeys.getByRole('cell', { name: 'Laptop' }).waitFor();
  const asked = await fetch(`${system.baseUrl}/api/v1/sign-in/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'exposure-cli' }),
  });
  const { verification_uri_complete: address, device_code } = z
    .record(z.string(), z.unknown())
    .parse(await asked.json());
  await page.goto(String(address).replace('127.0.0.1', 'localhost'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('exposure-cli').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The program is signed in.').waitFor();
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const body = new URLSearchParams({ grant_type, client_id: 'exposure-cli', device_code: String(device_code) });
  const tokens = await fetch(`${system.baseUrl}/api/v1/oauth/token`, { method: 'POST', body });
  expect(await tokens.json()).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
});

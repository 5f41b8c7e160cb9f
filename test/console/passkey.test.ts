import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openBrowser } from '#local/browser.ts';
import { consolePages } from '#local/console.ts';
import { ownerLink } from '#local/owner.ts';
import { type LocalSystem, startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { settingRows } from '#shared/credentials/organization-settings.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { newAddress } from '../support/sign-in.ts';
import { until } from '../support/wait.ts';

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
  const program = await begin();
  await look(page, program.address.replace('127.0.0.1', 'localhost'));
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The program is signed in.').waitFor();
  await expectSignedIn(program);
});

test('a person without a second step signs a program in with the code of a letter, and sets an app up with another', async () => {
  const { dynamo } = system.connections;
  const table = openTable(dynamo, (await bootstrap(system.connections)).organizationId);
  const address = { email: newAddress(), name: 'Ana Lima', timeZone: 'UTC', locale: 'en' };
  const { person } = await joinOrganization(table, { ...address, roles: [{ roleId: 'analyst' }], managedBy: 'local' });
  const token = await issueTicket(dynamo, { purpose: 'sign_in', seconds: 60, data: { personId: person.id } });
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${system.baseUrl}/sign-in#token=${token}`);
  await page.getByRole('navigation').waitFor();
  const program = await begin();
  await look(page, program.address);
  const code = page.getByLabel('Code of the letter');
  await code.fill('00000000');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The code of the letter is wrong').waitFor();
  await code.fill(await newestCode());
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The program is signed in.').waitFor();
  await expectSignedIn(program);

  await page.goto(`${system.baseUrl}/administration/account`);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const secret = await page.locator('code').first().innerText();
  await page.getByRole('button', { name: 'Confirm with a code' }).click();
  await page.getByLabel('Code of the app').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await code.fill(await newestCode());
  await page.locator('dialog').getByRole('button', { name: 'Confirm with a code' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
});

/** The code of the newest letter that has one, once it is there. */
async function newestCode(): Promise<string> {
  const known = codes.length;
  const letters = await until(codesSent, (found) => found.length > known);
  codes = letters;
  return letters.at(-1) ?? '';
}
let codes: string[] = [];

async function codesSent(): Promise<string[]> {
  const directory = system.connections.settings.MAIL_DIR ?? '';
  const names = (await readdir(directory).catch(() => [])).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.flatMap((text) => /^Code: (\d{8})/m.exec(text)?.[1] ?? []);
}

const client_id = 'exposure-cli';
const send = async (path: string, body: Record<string, string>) => {
  const answer = await fetch(`${system.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(body) });
  return z.record(z.string(), z.unknown()).parse(await answer.json());
};

async function begin() {
  const { verification_uri_complete, device_code } = await send('/api/v1/sign-in/device', { client_id });
  return { address: String(verification_uri_complete), deviceCode: String(device_code) };
}

async function look(page: Page, address: string) {
  await page.goto(address);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(client_id).waitFor();
}

async function expectSignedIn({ deviceCode: device_code }: { deviceCode: string }) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const tokens = await send('/api/v1/oauth/token', { grant_type, client_id, device_code });
  expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
}

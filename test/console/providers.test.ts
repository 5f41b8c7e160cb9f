import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '#shared/platform/table/table.ts';
import { inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { accountAt, prove } from '../support/identity-providers.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { samlConnection } from '../support/saml-world.ts';
import { testSystem } from '../support/system.ts';

const world = consoleWorld();
const redirectUris: string[] = [];
let oidc: OidcProvider;
beforeAll(async () => {
  oidc = await startOidcProvider(() => redirectUris);
});
afterAll(() => oidc?.stop());

test('an owner sets a provider up in steps, and a person signs in with it; a refused sign-in shows its reason', async () => {
  const { system, organizationId, newPage, ownerPage, problems } = world.current();
  const page = await ownerPage();
  await page.getByRole('navigation').getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('link', { name: 'Sign-in', exact: true }).click();
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByLabel('Name').fill('Example login');
  await page.locator('form').getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('heading', { name: 'Enter these values at the provider' }).waitFor();
  redirectUris.push(await page.locator('.secret code').first().innerText());
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByLabel('Issuer').fill(oidc.issuer);
  await page.getByLabel('Client ID').fill(oidc.clientId);
  await page.getByLabel('Client secret').fill(oidc.clientSecret);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved.').waitFor();
  oidc.expect(accountAt('elsewhere.example', 'test', { groups: ['soc'] }));
  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByText('would be refused').waitFor();
  expect(page.url()).toContain('/administration/providers?open=');
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByLabel('Domain', { exact: true }).fill('acme.example');
  await page.getByRole('button', { name: 'Add the domain' }).click();
  await page.getByText('_exposure-challenge.acme.example').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  const id = new URL(page.url()).searchParams.get('open') ?? '';
  await prove({ table: openTable(system.connections.dynamo, organizationId), organizationId }, id, 'acme.example');
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('People sign in with the provider from now on.').waitFor();
  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.getByLabel('Claim').fill('groups');
  await page.getByLabel('Value').fill('soc');
  await page.getByLabel('Role', { exact: true }).selectOption('analyst');
  await page.locator('form').getByRole('button', { name: 'Add a row' }).click();
  await page.getByRole('cell', { name: 'soc' }).waitFor();

  const person = await newPage();
  const signIn = async (account: ReturnType<typeof accountAt>) => {
    oidc.expect(account);
    await person.context().clearCookies();
    await person.goto(system.baseUrl);
    await person.getByLabel('E-mail address').fill(String(account.email));
    await person.getByRole('button', { name: 'Continue' }).click();
    await person.getByRole('button', { name: 'Sign in with Example login' }).click();
  };
  await signIn(accountAt('acme.example', 'eve', { email_verified: false }));
  await person
    .getByRole('alert')
    .getByText(/verified/)
    .waitFor();
  expect(await inBothThemes(person)).toEqual([]);
  await signIn(accountAt('acme.example', 'ana', { groups: ['soc'] }));
  await person.getByRole('navigation').first().waitFor();
  await page.reload();
  await page.getByRole('cell', { name: 'eve@acme.example', exact: true }).waitFor();
  await page.getByText('unverified email').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('cell', { name: 'ana of the provider' }).waitFor();
  expect(problems).toEqual([]);
});

test('a person signs in with SAML, whose provider posts its answer from another site', async () => {
  const { system, newPage, problems } = world.current();
  const all = testSystem(system.baseUrl, system.connections);
  const saml = await samlConnection(all, await all.newOrganization());
  await saml.activate();
  const person = await newPage();
  await person.route('https://saml.example/**', async (route) => {
    const fields = Object.entries(await saml.answer(route.request().url())).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    const form = `<form method="post" action="${saml.setup.acsUrl}">${fields.join('')}</form>`;
    await route.fulfill({ contentType: 'text/html', body: `${form}<script>document.forms[0].submit()</script>` });
  });
  await person.goto(system.baseUrl);
  await person.getByLabel('E-mail address').fill(saml.email);
  await person.getByRole('button', { name: 'Continue' }).click();
  await person.getByRole('button', { name: 'Sign in with Example SAML' }).click();
  await person.getByRole('navigation').first().waitFor();
  await person.reload();
  await person.getByRole('navigation').first().waitFor();
  expect(problems).toEqual([]);
});

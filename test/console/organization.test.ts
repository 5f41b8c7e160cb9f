import { expect, test } from 'vitest';
import * as z from 'zod';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { dropOn, inBothThemes } from '../support/console-page.ts';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { testSystem } from '../support/system.ts';

const world = consoleWorld();

const report = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'semgrep' } },
      results: ['one', 'two'].map((ruleId) => ({
        ruleId,
        level: 'error',
        message: { text: `Rule ${ruleId}` },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 3 } } }],
      })),
    },
  ],
});

test('the keys lead through findings: a assigns, e goes to the changes, ? lists them all', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  await dropOn(page, 'semgrep.sarif', report);
  await page.getByRole('link', { name: 'Show 2 findings' }).click();
  await page.locator('#row-1').waitFor();
  await page.keyboard.press('?');
  await page.getByText('assigns the record').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByText('Assigned to Local Owner').waitFor();
  await page.keyboard.press('e');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Mark as fixed');
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.keyboard.press('e');
  await expect.poll(() => page.evaluate("document.activeElement.closest('.bulk') !== null")).toBe(true);
  await page.getByRole('button', { name: 'Start work' }).click();
  await page.getByText('1 finding of 1 would change.').waitFor();
  await page.keyboard.press('Escape');
  expect(problems).toEqual([]);
  await page.close();
});

test('a team shows its figures with their lists, and hands over what it has; a person gets a role for a part', async () => {
  const { system, organizationId, ownerPage, problems } = world.current();
  const { admin } = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  for (const name of ['dmz', 'office']) await admin.ok('createZone', { body: { name } });
  const page = await ownerPage();
  const navigation = page.getByRole('navigation', { name: 'Screens', exact: true });
  await navigation.getByRole('link', { name: 'Teams' }).click();
  await page.getByText('No teams yet').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add a team' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Payments');
  await dialog.getByLabel('Local Owner').check();
  await dialog.getByRole('button', { name: 'Add a team' }).click();
  await page.getByRole('gridcell', { name: 'Payments' }).click();
  await page.getByText('What it has to do').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  const figure = page.locator('.count-list div').filter({ hasText: 'Open findings: High' }).getByRole('link');
  expect(await figure.innerText()).toBe('1');
  await figure.click();
  await page.locator('#row-0').waitFor();
  expect(await page.locator('.total').innerText()).toBe('1 finding');
  await navigation.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByLabel('E-mail address').fill('part@example.org');
  await page.getByLabel('Name').fill('Part Person');
  await page.locator('form').getByRole('button', { name: 'Invite a person' }).click();
  const row = page.getByRole('row', { name: 'Part Person' });
  await row.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption('analyst');
  await page.getByLabel('Zones').fill('dmz, office');
  expect(await inBothThemes(page)).toEqual([]);
  await page.locator('form').getByRole('button', { name: 'Change' }).click();
  await row.getByText('for 2 zones and applications').waitFor();
  const owner = page.getByRole('row', { name: 'Local Owner' });
  await owner.getByRole('button', { name: 'Hand over' }).click();
  await page.getByLabel('Hand everything over to').selectOption({ label: 'Payments' });
  expect(await inBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await page.getByText('1 record is on the way').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

test('staff of the provider compare clients, and act inside one by its grant', async () => {
  const { system, ownerPage, newPage, problems } = world.current();
  const { clientId, clientSecret } = await createOrganization(system.connections, 'Provider', {
    role: 'platform_owner',
  });
  const page = await newPage();
  await page.goto(`${system.baseUrl}/staff`);
  await page.getByLabel('Client ID').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('gridcell', { name: 'First organization' }).click();
  await page.getByRole('button', { name: 'Act inside the client' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Act inside the client' }).click();
  await page.getByText(/grant/).last().waitFor();
  const owner = await ownerPage();
  await owner.getByRole('link', { name: 'Administration' }).click();
  await owner.getByRole('link', { name: 'Support' }).click();
  await owner.getByRole('button', { name: 'Let staff act here' }).click();
  await owner.getByLabel('Reason').fill('A broken import');
  await owner.locator('form').getByRole('button', { name: 'Let staff act here' }).click();
  await owner.getByRole('cell', { name: 'A broken import' }).waitFor();
  expect(await inBothThemes(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Act inside the client' }).click();
  await page.getByText('You act inside First organization as viewer').waitFor();
  await page.getByRole('heading', { name: 'Fix first' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Leave the client' }).click();
  await page.getByRole('gridcell', { name: 'First organization' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(problems).toEqual([]);
});

test('assets are linked to an application and unlinked, and those of a rule are excluded with a reason', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  const dialog = page.getByRole('dialog');
  const { go } = walk(page);
  const make = await maker();
  await make('/api/v1/assets', { type: 'host', value: 'shop-01.example.com' });
  await make('/api/v1/assets', { type: 'host', value: 'pay-01.example.com', tags: ['pay'] });
  const id = await make('/api/v1/software/applications', { name: 'Web shop', criticality: 'high' });
  await go(`/applications/${id}`);
  await page.getByRole('button', { name: 'Link assets' }).click();
  await dialog.getByLabel('Values').fill('shop-*.example.com');
  await dialog.getByRole('button', { name: 'Link assets' }).click();
  await page.getByText('1 asset is linked now.').waitFor();
  const linked = page.getByRole('listitem').filter({ hasText: 'shop-01.example.com' });
  await linked.getByText('by a person').waitFor();
  await linked.getByRole('button', { name: 'Unlink' }).click();
  await linked.getByRole('button', { name: 'Unlink: press again' }).click();
  await page.getByText('The asset is no longer linked.').waitFor();
  await linked.waitFor({ state: 'detached' });

  await make(`/api/v1/software/applications/${id}/asset-rules`, { name: 'Pay', condition: 'tag:pay' });
  await expect
    .poll(async () => {
      await go('/applications');
      await go(`/applications/${id}`);
      return page.getByText('by a rule').count();
    })
    .toBe(1);
  await page.getByRole('button', { name: 'Exclude', exact: true }).click();
  await dialog.getByLabel('Reason').fill('a shared payment host');
  await dialog.getByRole('button', { name: 'Exclude' }).click();
  await page.getByText('The asset is excluded.').waitFor();
  await page.getByText('a shared payment host').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

test('the CI jobs of a repository are trusted, changed, and trusted no longer', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  const dialog = page.getByRole('dialog');
  await walk(page).go('/administration/keys');
  await page.getByRole('button', { name: 'Trust a repository' }).click();
  await dialog.getByLabel('Repository', { exact: true }).fill('not a path');
  await dialog.getByRole('button', { name: 'Trust a repository' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Repository', { exact: true }).fill('acme/shop');
  await dialog.getByRole('button', { name: 'Trust a repository' }).click();
  const row = page.getByRole('row', { name: /acme\/shop/ });
  await row.getByText('active').waitFor();
  await row.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Branches', { exact: true }).fill('main, release/*');
  await dialog.getByRole('button', { name: 'Change' }).click();
  await row.getByText('main, release/*').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await row.getByRole('button', { name: 'Revoke: press again' }).click();
  await page.getByText('Jobs of the repository are trusted no longer').waitFor();
  await row.getByText('revoked').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

test('an organization with more assets than can be compared by risk is led to parts of them', async () => {
  const { ownerPage, problems } = world.current();
  const make = await maker();
  const asset = { type: 'host', value: 'web-01.example.com' };
  await make('/api/v1/findings', { title: 'Weak cipher', severity: 'high', asset });
  const page = await ownerPage();
  await page.route(/\/api\/v1\/assets\?.*sort=riskScore/, (route) =>
    /filter=/.test(route.request().url())
      ? route.continue()
      : route.fulfill({ status: 400, json: { code: 'unsupported_filter', message: 'These are too many assets.' } }),
  );
  await page.reload();
  await page.getByText('There are too many assets to compare all of them by risk').waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Critical assets by risk' }).click();
  await page.waitForURL(/\/assets\?filter=criticality/);
  await page.getByText('0 assets').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

/** Records that the organization makes without a browser. */
async function maker() {
  const { system, clientId, clientSecret } = world.current();
  const post = async (path: string, body: object, authorization = '') => {
    const headers = { authorization, 'content-type': 'application/json' };
    return (await fetch(system.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const token = z.object({ access_token: z.string() }).parse(await post('/api/v1/oauth/token', credentials));
  return async (path: string, body: object): Promise<string> =>
    z.object({ id: z.string() }).parse(await post(path, body, `Bearer ${token.access_token}`)).id;
}

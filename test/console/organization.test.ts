import { expect, test } from 'vitest';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { dropOn, inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

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
  const { ownerPage, problems } = world.current();
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

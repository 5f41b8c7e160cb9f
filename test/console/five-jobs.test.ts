import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleWorld } from '../support/console-world.ts';

const world = consoleWorld();

const CVE = 'CVE-2021-44228';
/** Counts the clicks of a person; a field that is filled is one step. */
function counted() {
  let steps = 0;
  return {
    steps: () => steps,
    async click(target: Locator) {
      steps += 1;
      await target.click();
    },
    async fill(target: Locator, text: string) {
      steps += 1;
      await target.fill(text);
    },
  };
}

test('the five first questions of a newcomer, who has loaded the example, take few steps and no documents', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  const dialog = page.getByRole('dialog');
  const screen = (name: string) =>
    page.getByRole('navigation', { name: 'Screens', exact: true }).getByRole('link', { name, exact: true });
  const card = (name: string) => page.locator('.card', { hasText: name });

  await page.getByRole('button', { name: 'Load the example' }).click();
  await dialog.getByRole('button', { name: 'Load the example' }).click();
  await page.locator('.upload-done').nth(6).waitFor();
  await page.keyboard.press('Escape');
  // vulnerabilities and risks follow the findings
  await card('Upgrades that close the most').getByText('log4j-core').waitFor();

  const about = counted();
  await about.click(page.getByRole('button', { name: 'Search' }));
  await about.fill(dialog.getByRole('combobox'), CVE);
  const everything = page.getByRole('option', { name: 'everywhere: 1 open on 1 asset' });
  await everything.waitFor();
  await about.click(everything);
  await dialog.getByText('1 vulnerability is open on 1 asset.').waitFor();
  await dialog.getByText('log4j-core to 2.17.1.').waitFor();
  await dialog.getByRole('link', { name: 'registry.example.test/search' }).waitFor();
  expect(about.steps()).toBe(3);
  await page.keyboard.press('Escape');

  const first = counted();
  await first.click(screen('Home'));
  const line = card('Fix first').locator('.line').first();
  await line.waitFor();
  expect(await line.innerText()).toContain(CVE);
  expect(first.steps()).toBe(1);

  const why = counted();
  await why.click(line);
  const reason = dialog.getByText('Why it is still open:');
  await reason.waitFor();
  // without scrolling
  expect((await reason.boundingBox())?.y).toBeLessThan(800);
  expect(why.steps()).toBe(1);
  await dialog.getByText('registry.example.test/search which nobody owns').waitFor();

  const accept = counted();
  const year = new Date().getUTCFullYear() + 1;
  await accept.click(dialog.getByRole('button', { name: /^Accept the risk …/ }));
  await accept.fill(dialog.getByLabel('Reason'), 'reachable only from the build network');
  await accept.fill(dialog.getByLabel('Until'), `${year}-03-01`);
  await accept.click(dialog.getByRole('button', { name: 'Accept the risk', exact: true }));
  await dialog.getByText(`The risk is accepted until Mar 1, ${year}.`).waitFor();
  expect(accept.steps()).toBe(4);
  await page.keyboard.press('Escape');

  const owner = counted();
  await owner.click(screen('Home'));
  await owner.click(card('Riskiest assets').locator('.line').first());
  await dialog.getByLabel('Owner').waitFor();
  expect(owner.steps()).toBe(2);
  await page.keyboard.press('Escape');

  expect(problems).toEqual([]);
  await page.close();
});

import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { dropOn } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { testSystem } from '../support/system.ts';

const world = consoleWorld();

const CVE = 'CVE-2021-44228';
const REPORT = JSON.stringify({
  SchemaVersion: 2,
  ArtifactName: 'registry.example.test/shop:1.4',
  ArtifactType: 'container_image',
  Results: [
    {
      Target: 'app/shop.jar',
      Class: 'lang-pkgs',
      Type: 'jar',
      Vulnerabilities: [
        {
          VulnerabilityID: CVE,
          PkgName: 'org.apache.logging.log4j:log4j-core',
          InstalledVersion: '2.14.1',
          FixedVersion: '2.17.1',
          Severity: 'CRITICAL',
          Title: 'log4j-core: remote code execution by JNDI',
        },
        { VulnerabilityID: 'CVE-2024-0727', PkgName: 'libssl3', InstalledVersion: '3.0.11', Severity: 'MEDIUM' },
      ],
    },
  ],
});

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

test('the five first questions of a newcomer take few steps, and no documents', async () => {
  const { system, organizationId, ownerPage, problems } = world.current();
  const page = await ownerPage();
  await dropOn(page, 'image.json', REPORT);
  await page.locator('.upload-done').waitFor();
  await page.keyboard.press('Escape');
  const { admin } = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  await expect.poll(async () => (await admin.ok('listVulnerabilitiesByAdvisory')).totalCount).toBe(2);
  const dialog = page.getByRole('dialog');
  const screen = (name: string) =>
    page.getByRole('navigation', { name: 'Screens', exact: true }).getByRole('link', { name, exact: true });

  const about = counted();
  await about.click(page.getByRole('button', { name: 'Search' }));
  await about.fill(dialog.getByRole('combobox'), CVE);
  const everything = page.getByRole('option', { name: '1 open on 1 asset' });
  await everything.waitFor();
  await about.click(everything);
  await dialog.getByText('1 vulnerability is open on 1 asset.').waitFor();
  await dialog.getByRole('link', { name: 'registry.example.test/shop' }).waitFor();
  expect(about.steps()).toBe(3);
  await page.keyboard.press('Escape');

  const first = counted();
  await first.click(screen('Home'));
  const line = page.locator('.card', { hasText: 'Fix first' }).locator('.line').first();
  await line.waitFor();
  expect(await line.innerText()).toContain('Critical');
  expect(first.steps()).toBe(1);

  const why = counted();
  await why.click(line);
  const reason = dialog.getByText('Why it is still open:');
  await reason.waitFor();
  // without scrolling
  expect((await reason.boundingBox())?.y).toBeLessThan(800);
  expect(why.steps()).toBe(1);
  // the asset of the worst finding, in the same place
  await dialog.getByText('registry.example.test/shop which nobody owns').waitFor();

  const accept = counted();
  const year = new Date().getUTCFullYear() + 1;
  await accept.click(dialog.getByRole('button', { name: /^Accept the risk …/ }));
  await accept.fill(dialog.getByLabel('Reason'), 'reachable only from the build network');
  await accept.fill(dialog.getByLabel('Until'), `${year}-03-01`);
  await accept.click(dialog.getByRole('button', { name: 'Accept the risk', exact: true }));
  await dialog.getByText('Risk accepted', { exact: true }).first().waitFor();
  expect(accept.steps()).toBe(4);
  await page.keyboard.press('Escape');

  expect(problems).toEqual([]);
  await page.close();
});

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dropOn, violations } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

const world = consoleWorld();

/** One pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HOSTILE = '<script>document.title = "owned"</script>';

test('a person puts files to a finding: a picture is shown, and no other file is opened as a page', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  await dropOn(page, 'image.json', await readFile('test/fixtures/reports/trivy/image.json', 'utf8'));
  await page.locator('.upload-done').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('navigation', { name: 'Screens', exact: true })
    .getByRole('link', { name: 'Findings', exact: true })
    .click();
  await page.locator('#row-0').click();
  const dialog = page.getByRole('dialog');
  const add = async (name: string, mimeType: string, content: Buffer) => {
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: content });
    await dialog.getByText(name, { exact: true }).waitFor();
  };
  await add('login.png', 'image/png', Buffer.from(PICTURE, 'base64'));
  await dialog.getByRole('button', { name: 'Show', exact: true }).click();
  await dialog.getByRole('img', { name: 'login.png' }).waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('.evidence-picture').naturalWidth`)).toBe(1);
  expect(await violations(page)).toEqual([]);

  await add('answer.html', 'text/html', Buffer.from(HOSTILE));
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('answer.html');
  expect(await page.title()).toBe('Exposure');

  const file = dialog.getByRole('listitem').filter({ hasText: 'answer.html' });
  await file.getByRole('button', { name: 'Delete' }).click();
  await file.getByRole('button', { name: 'Delete: press again' }).click();
  await expect.poll(() => file.count()).toBe(0);
  expect(problems).toEqual([]);
});

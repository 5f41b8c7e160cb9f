import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { dropOn, violations } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

const world = consoleWorld();

/** One pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A hostile file changes the console, leaves it, and calls home. */
const SCRIPT = 'top.document.title = "owned"; top.location = "https://evil.example/"; fetch("https://evil.example/")';
const HOSTILE = {
  'answer.html': `<script>${SCRIPT}</script><img src="https://evil.example/pixel" onerror='${SCRIPT}'>`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`,
};

test('a person puts files to a finding: a file opens in a frame of another origin, and nothing of the file runs', async () => {
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
  await page.frameLocator('iframe[title="login.png"]').locator('img').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click();

  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const address = page.url();
  for (const [name, content] of Object.entries(HOSTILE)) {
    await add(name, 'text/html', Buffer.from(content));
    const file = dialog.getByRole('listitem').filter({ hasText: name });
    await file.getByRole('button', { name: 'Show' }).click();
    const frame = page.locator(`iframe[title="${name}"]`);
    await page.frameLocator(`iframe[title="${name}"]`).getByText(SCRIPT).first().waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
    expect(new URL((await frame.getAttribute('src')) ?? '').origin).not.toBe(new URL(address).origin);
    const download = page.waitForEvent('download');
    await file.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe(name);
  }
  expect([await page.title(), page.url()]).toEqual(['Exposure', address]);
  expect(asked.filter((one) => one.includes('evil.example'))).toEqual([]);

  const file = dialog.getByRole('listitem').filter({ hasText: 'answer.html' });
  await file.getByRole('button', { name: 'Delete' }).click();
  await file.getByRole('button', { name: 'Delete: press again' }).click();
  await expect.poll(() => file.count()).toBe(0);
  expect(problems).toEqual([]);
});

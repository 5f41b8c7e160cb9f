import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { openBrowser } from './browser.ts';
import { consolePages } from './console.ts';
import { localFeeds } from './feeds.ts';
import { ownerLink } from './owner.ts';
import { startLocalSystem } from './system.ts';

/**
 * `npm run pictures`: takes pictures of every screen of the console, light, dark and on a phone, into `dist/pictures`, and copies those
 * of the documents to `docs/pictures`. Look at them after each change of the console.
 */
const folder = 'dist/pictures';
const IN_DOCUMENTS = ['home-light', 'finding-light'];

const REPORTS = [
  ['sarif', 'semgrep.sarif'],
  ['trivy', 'image.json'],
  ['grype', 'image.json'],
  ['nmap', 'vulners.xml'],
  ['zap', 'report.json'],
  ['gitleaks', 'v8.json'],
  ['checkov', 'report.json'],
  ['nuclei', 'lines.jsonl'],
  ['semgrep', 'scan.json'],
] as const;

const MODES = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

await mkdir(folder, { recursive: true });
for (const [setting, address] of Object.entries(localFeeds())) process.env[setting] ??= address;
const system = await startLocalSystem({ port: 0, pages: consolePages() });
await refreshFeeds(system.connections);
const browser = await openBrowser();
try {
  const { organizationId } = await bootstrap(system.connections);
  for (const { name, ...options } of MODES) {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    await takeAll(page, name, organizationId);
    await page.close();
  }
  await mkdir('docs/pictures', { recursive: true });
  for (const name of IN_DOCUMENTS) await cp(join(folder, `${name}.png`), join('docs/pictures', `${name}.png`));
} finally {
  await browser.close();
  await system.stop();
}

async function takeAll(page: Page, mode: string, organizationId: string): Promise<void> {
  const take = async (name: string) => {
    await until(page, '.loading', 0);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-${mode}.png`) });
  };
  const open = async (screen: string) => {
    await page.getByRole('navigation').getByRole('link', { name: screen }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await page.goto(system.baseUrl);
  await take('sign-in');
  await page.goto(await ownerLink(system, organizationId));
  await page.getByRole('navigation').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (mode === 'light') {
    await take('welcome');
    await importReports(page);
    await take('import');
  }
  await open('Home');
  await take('home');
  await page.getByRole('link', { name: 'All by priority' }).click();
  await page.locator('#row-0').waitFor();
  await take('findings');
  for (const key of ['j', 'k', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'Why it matters' }).waitFor();
  await take('finding');
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Start work' }).click();
  await page.getByRole('button', { name: 'Change 1 finding' }).waitFor();
  await take('bulk');
  await page.keyboard.press('Escape');
  for (const screen of ['Vulnerabilities', 'Assets', 'Import']) {
    await open(screen);
    await take(screen.toLowerCase());
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('log');
  await page.waitForTimeout(600);
  await take('palette');
}

async function importReports(page: Page): Promise<void> {
  for (const [tool, name] of REPORTS) {
    const content = await readFile(join('test/fixtures/reports', tool, name), 'utf8');
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(`${tool}-${name}`)}));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
  }
  await until(page, '.upload-done', REPORTS.length);
}

/** Waits until the page has so many of these elements. Its policy lets no function wait inside of it. */
async function until(page: Page, selector: string, amount: number): Promise<void> {
  while ((await page.locator(selector).count()) !== amount) await page.waitForTimeout(50);
}

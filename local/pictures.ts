import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { refreshFeeds } from '#functions/workers/advisories/index.ts';
import { exampleOf } from '#infra/openapi/example.ts';
import { bootstrap, createOrganization } from '#shared/credentials/bootstrap.ts';
import { screens, staffScreens, walk } from '#test/support/console-walk.ts';
import { openBrowser } from './browser.ts';
import { consolePages } from './console.ts';
import { localFeeds } from './feeds.ts';
import { ownerLink } from './owner.ts';
import { startLocalSystem } from './system.ts';

/**
 * `npm run pictures` takes pictures of every screen of the console with its tabs and the first record of its list, light, dark and on a
 * phone, into `dist/pictures`, and copies those of the documents to `docs/pictures`. `-- findings teams` takes the named screens alone,
 * `--mode dark` one of the three. Look at them after each change of the console.
 */
const folder = 'dist/pictures';
const IN_DOCUMENTS = ['home-light', 'finding-light'];

/** Reports beside those of the example. */
const REPORTS = [
  ['grype', 'image.json'],
  ['nuclei', 'lines.jsonl'],
] as const;
const IN_EXAMPLE = 7;

const MODES = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const { values, positionals } = parseArgs({ options: { mode: { type: 'string' } }, allowPositionals: true });
const modes = MODES.filter(({ name }) => values.mode === undefined || name === values.mode);
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

await mkdir(folder, { recursive: true });
for (const [setting, address] of Object.entries(localFeeds())) process.env[setting] ??= address;
const system = await startLocalSystem({ port: 0, pages: consolePages() });
await refreshFeeds(system.connections);
const browser = await openBrowser();
try {
  const account = await bootstrap(system.connections);
  const staff = await createOrganization(system.connections, 'Provider', { role: 'platform_owner' });
  for (const [n, { name, ...options }] of modes.entries()) {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    const take = pictureTaker(page, name);
    const walker = walk(page);
    await takeSignIn(page, take, await ownerLink(system, account.organizationId));
    if (n === 0) await fill(page, take, account);
    if (isWanted('finding')) await takeFinding(page, walker, take);
    for (const screen of screens()) await takeScreen(walker, screen, take);
    await signInStaff(page, staff);
    for (const screen of staffScreens()) await takeScreen(walker, screen, take);
    await page.close();
  }
  if (positionals.length === 0 && modes.some(({ name }) => name === 'light')) await copyToDocuments();
} finally {
  await browser.close();
  await system.stop();
}

async function copyToDocuments(): Promise<void> {
  await mkdir('docs/pictures', { recursive: true });
  for (const name of IN_DOCUMENTS) await cp(join(folder, `${name}.png`), join('docs/pictures', `${name}.png`));
}

type Take = (name: string) => Promise<void>;
type Walk = ReturnType<typeof walk>;

function pictureTaker(page: Page, mode: string): Take {
  return async (name) => {
    if (!isWanted(name.split('.')[0] ?? name)) return;
    await until(page, '.loading', 0);
    // nothing looks as if a person pointed at it
    await page.mouse.move(0, 0);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-${mode}.png`) });
  };
}

async function takeSignIn(page: Page, take: Take, link: string): Promise<void> {
  await page.goto(system.baseUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('sign-in');
  await page.goto(`${system.baseUrl}/sign-up`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('sign-up');
  await page.goto(link);
  await page.getByRole('navigation').first().waitFor();
}

type Account = { clientId: string; clientSecret: string };

async function signInStaff(page: Page, { clientId, clientSecret }: Account): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${system.baseUrl}/staff`);
  await page.getByLabel('Client ID').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('gridcell').first().waitFor();
}

/** The example, reports that a person drops, and the records that the examples of the interface make. */
async function fill(page: Page, take: Take, account: Account): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('welcome');
  await page.getByRole('button', { name: 'Load the example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Load the example' }).click();
  await importReports(page);
  await take('import');
  await page.keyboard.press('Escape');
  await createExamples(account);
}

/** The examples of all operations that create a record. One that needs another record is refused, and its screen shows none. */
async function createExamples(account: Account): Promise<void> {
  const post = async (path: string, body: unknown, authorization: string) => {
    const headers = { authorization, 'content-type': 'application/json' };
    return (await fetch(system.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const credentials = { client_id: account.clientId, client_secret: account.clientSecret };
  const answer = await post('/api/v1/oauth/token', { grant_type: 'client_credentials', ...credentials }, '');
  const { access_token: token } = z.object({ access_token: z.string() }).parse(answer);
  for (const [name, { method, path, body }] of areas.flatMap(({ routes }) => Object.entries(routes)))
    if (method === 'POST' && name.startsWith('create') && !path.includes('{') && body)
      await post(path, exampleOf(body), `Bearer ${token}`);
}

/** The screen, its first record, and each of its tabs. */
async function takeScreen({ go, firstRecord, tabs }: Walk, path: string, take: Take): Promise<void> {
  const name = path.slice(1) || 'home';
  if (!isWanted(name)) return;
  await go(path);
  await take(name);
  const others = (await tabs()).filter((tab) => tab.startsWith(`${path}/`));
  if (await firstRecord()) await take(`${name}.record`);
  for (const tab of others) {
    await go(tab);
    await take(`${name}.${tab.split('/').at(-1)}`);
  }
}

async function takeFinding(page: Page, { go, firstRecord, settled }: Walk, take: Take): Promise<void> {
  await go('/findings?sort=priority');
  await firstRecord();
  await take('finding');
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Start work' }).click();
  await page.getByRole('button', { name: 'Change 1 finding' }).waitFor();
  await take('finding.bulk');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('log');
  await page.locator('#palette-hit-0').waitFor();
  await settled();
  await take('finding.palette');
  await page.keyboard.press('Escape');
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
  await until(page, '.upload-done', IN_EXAMPLE + REPORTS.length);
}

/** Waits until the page has so many of these elements. Its policy lets no function wait inside of it. */
async function until(page: Page, selector: string, amount: number): Promise<void> {
  while ((await page.locator(selector).count()) !== amount) await page.waitForTimeout(50);
}

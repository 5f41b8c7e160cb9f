import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '#local/browser.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { importFindings, writeFindings } from './console-fill.ts';
import { type System, startSystem } from './ingest/client.ts';
import type { PlainTable } from './report.ts';

/** The limits of the console (docs/console.md). */
const FIRST_MS = 1_000;
const SCREEN_MS = 100;
const MAX_MEGABYTES = 150;

/** Imported findings, after those that are written directly, because an import of a million would take hours. */
type Size = { imported: number; written?: number; rounds: number };

/**
 * The processor time of the page for each screen among many findings, the mean of `rounds` through all screens, that of the service
 * without the engine of the table, and the memory of the page's scripts afterwards. Other work on the machine adds nothing but what it
 * takes from the caches; the schedules of the service are counted.
 */
export async function benchConsole({ imported, written = 0, rounds }: Size): Promise<PlainTable> {
  const engine = await startDynamoDb({ logFile: join(tmpdir(), 'bench-console.log') });
  const system = await startSystem({ BENCH_CONSOLE: '1', DYNAMODB_ENDPOINT: engine.endpoint });
  const browser = await openBrowser();
  try {
    if (written > 0) await writeFindings(system, written);
    await importFindings(system, imported);
    const rows = await measureScreens(system, browser, rounds);
    return { title: `Console among ${written + imported} findings`, rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await browser.close();
    await system.stop();
    await engine.stop();
  }
}

async function measureScreens(system: System, browser: Browser, rounds: number) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const first = await context.newPage();
  await first.goto(system.consoleLink ?? '');
  await first.getByRole('navigation').first().waitFor();
  await first.close();
  const page = await context.newPage();
  const readProcessor = await processorOf(browser);
  await page.goto(system.baseUrl);
  await page.evaluate(drawn());
  const rows = [{ ...limited('first page', 'ms', await readProcessor(), FIRST_MS), service: '' }];
  // the scripts of all screens come while the page has nothing to do
  await page.waitForLoadState('networkidle');
  const spent = new Map((await screensOf(page)).map((screen) => [screen, { page: 0, service: 0 }]));
  const readBoth = async () => [await readProcessor(), 1_000 * (await system.measure()).processorSeconds] as const;
  for (let n = 0; n < rounds; n++)
    for (const [screen, sum] of spent) {
      const [pageBefore, serviceBefore] = await readBoth();
      await page.evaluate(drawn(screen));
      const [pageAfter, serviceAfter] = await readBoth();
      sum.page += pageAfter - pageBefore;
      sum.service += serviceAfter - serviceBefore;
    }
  for (const [screen, sum] of spent)
    rows.push({
      ...limited(screen, 'ms', sum.page / rounds, SCREEN_MS),
      service: `${(sum.service / rounds).toFixed(0)} ms`,
    });
  const megabytes = await megabytesOf(page);
  rows.push({ ...limited(`memory after ${rounds} rounds`, 'MB', megabytes, MAX_MEGABYTES), service: '' });
  return rows;
}

export const limited = (operation: string, unit: string, measured: number, most: number) => ({
  operation,
  measured: `${measured.toFixed(0)} ${unit}`,
  limit: `${most} ${unit}`,
  ok: measured <= most,
});

/** Reads the milliseconds of processor time of all pages, with their drawing. */
async function processorOf(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return 1_000 * pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
}

const screensOf = (page: Page): Promise<string[]> =>
  page.locator('nav a.nav-item').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

/**
 * Runs in the page: clicks on the link of a screen, if one is named, and waits until nothing of the screen is awaited any more and
 * its drawing is done. It looks after changes alone: frames that it asked for would be work of the page.
 */
const drawn = (screen?: string): string => `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector('main h1') || document.querySelector('main .loading')) return;
    observer.disconnect();
    requestIdleCallback(resolve);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true });
  ${screen === undefined ? '' : `document.querySelector('nav a[href="${screen}"]').click();`}
  setTimeout(look);
})`;

async function megabytesOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '#local/browser.ts';
import { finished, type System, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';
import { settled } from './settled.ts';

/** The limits of the console (docs/console.md). */
const FIRST_MS = 1_000;
const SCREEN_MS = 100;
const MAX_MEGABYTES = 150;
/** Findings of one repository: a million are those of ten. */
const PER_REPOSITORY = 100_000;

type Size = { findings: number; rounds: number };

/**
 * The processor time of the page for each screen among many findings, the mean of `rounds` through all screens, and the memory of its
 * scripts afterwards. Other work on the machine adds nothing but what it takes from the caches.
 */
export async function benchConsole({ findings, rounds }: Size): Promise<PlainTable> {
  const system = await startSystem({ BENCH_CONSOLE: '1' });
  const browser = await openBrowser();
  try {
    await fill(system, findings);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    const first = await context.newPage();
    await first.goto(system.consoleLink ?? '');
    await first.getByRole('navigation').first().waitFor();
    await first.close();
    const page = await context.newPage();
    const readProcessor = await processorOf(browser);
    await page.goto(system.baseUrl);
    await page.evaluate(drawn());
    const rows = [limited('first page', 'ms', await readProcessor(), FIRST_MS)];
    // the scripts of all screens come while the page has nothing to do
    await page.waitForLoadState('networkidle');
    const screens = await screensOf(page);
    const spent = new Map<string, number>();
    for (let n = 0; n < rounds; n++)
      for (const screen of screens) {
        const before = await readProcessor();
        await page.evaluate(drawn(screen));
        spent.set(screen, (spent.get(screen) ?? 0) + (await readProcessor()) - before);
      }
    for (const [screen, ms] of spent) rows.push(limited(screen, 'ms', ms / rounds, SCREEN_MS));
    rows.push(limited(`memory after ${rounds} rounds`, 'MB', await megabytesOf(page), MAX_MEGABYTES));
    return { title: `Console among ${findings} findings`, rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await browser.close();
    await system.stop();
  }
}

const limited = (operation: string, unit: string, measured: number, most: number) => ({
  operation,
  measured: `${measured.toFixed(0)} ${unit}`,
  limit: `${most} ${unit}`,
  ok: measured <= most,
});

async function fill(system: System, findings: number): Promise<void> {
  const started = performance.now();
  for (let from = 0; from < findings; from += PER_REPOSITORY) {
    const report = benchReport(Math.min(PER_REPOSITORY, findings - from), 0.3, `${from}-`);
    await finished(system, (await startImport(system, report, { name: `bench-${from}` })).id);
  }
  await settled(system, started);
}

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

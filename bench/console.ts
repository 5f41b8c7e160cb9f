import type { Page } from 'playwright-core';
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

/** How long each screen takes among many findings, and how much memory its scripts have after `rounds` through all screens. */
export async function benchConsole({ findings, rounds }: Size): Promise<PlainTable> {
  const system = await startSystem({ BENCH_CONSOLE: '1' });
  const browser = await openBrowser();
  try {
    await fill(system, findings);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await page.goto(system.consoleLink ?? '');
    await page.getByRole('navigation').waitFor();
    const rows = [limited('first page', 'ms', await firstMs(page, system.baseUrl), FIRST_MS)];
    const screens = await screensOf(page);
    for (const screen of screens) {
      // the first time brings the scripts of the screen
      const [first, again] = [await screenMs(page, screen, screens), await screenMs(page, screen, screens)];
      rows.push(limited(screen, 'ms', Math.max(first, again), SCREEN_MS));
    }
    for (let n = 0; n < rounds; n++) for (const screen of screens) await screenMs(page, screen, screens);
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

/** From the request of the page to its content, with the renewal of the session. */
async function firstMs(page: Page, baseUrl: string): Promise<number> {
  await page.goto(baseUrl);
  return page.evaluate<number>(drawn());
}

const screensOf = (page: Page): Promise<string[]> =>
  page.locator('nav a.nav-item').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

/** From the click to the content, coming from another screen. */
async function screenMs(page: Page, screen: string, screens: readonly string[]): Promise<number> {
  const other = screens.find((one) => one !== screen) ?? '/';
  await page.evaluate(drawn(other));
  return page.evaluate<number>(drawn(screen));
}

/**
 * Runs in the page: clicks on the link of a screen, if one is named, and resolves to the milliseconds until nothing of the screen is
 * awaited any more.
 */
const drawn = (screen?: string): string => `new Promise((resolve) => {
  const started = ${screen === undefined ? '0' : 'performance.now()'};
  ${screen === undefined ? '' : `document.querySelector('nav a[href="${screen}"]').click();`}
  const look = () => {
    const isDrawn = document.querySelector('main h1') && !document.querySelector('main .loading');
    if (isDrawn) resolve(performance.now() - started);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

async function megabytesOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

import type { CDPSession, Page } from 'playwright-core';
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
 * The processor time of the page for each screen among many findings, which other work on the machine does not change, and the memory
 * of its scripts after `rounds` through all screens.
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
    const session = await meterOf(page);
    const rows = [limited('first page', 'ms', await firstMs(page, session, system.baseUrl), FIRST_MS)];
    // the scripts of all screens come while the page has nothing to do
    await page.waitForLoadState('networkidle');
    const screens = await screensOf(page);
    for (const screen of screens) {
      // the first time compiles the scripts of the screen
      const open = () => screenMs(page, session, screen, screens);
      rows.push(limited(screen, 'ms', Math.max(await open(), await open()), SCREEN_MS));
    }
    for (let n = 0; n < rounds; n++) for (const screen of screens) await screenMs(page, session, screen, screens);
    rows.push(limited(`memory after ${rounds} rounds`, 'MB', await megabytesOf(session), MAX_MEGABYTES));
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

/** Meters the processor time of the page. */
async function meterOf(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  return session;
}

/** The processor time of the page since its process began. */
async function processorMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** From the request of a new page to its content, with the renewal of the session. */
async function firstMs(page: Page, session: CDPSession, baseUrl: string): Promise<number> {
  await page.goto(baseUrl);
  await page.evaluate(drawn());
  return processorMs(session);
}

const screensOf = (page: Page): Promise<string[]> =>
  page.locator('nav a.nav-item').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

/** From the click to the content, coming from another screen. */
async function screenMs(page: Page, session: CDPSession, screen: string, screens: readonly string[]): Promise<number> {
  const other = screens.find((one) => one !== screen) ?? '/';
  await page.evaluate(drawn(other));
  const before = await processorMs(session);
  await page.evaluate(drawn(screen));
  return (await processorMs(session)) - before;
}

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

async function megabytesOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

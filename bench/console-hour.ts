import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '#local/browser.ts';
import { screens, walk } from '#test/support/console-walk.ts';
import { limited } from './console.ts';
import { importFindings } from './console-fill.ts';
import { finished, type System, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';

const MAX_MEGABYTES = 150;
/** Percent: the last list of a round has some findings more or less. */
const MAX_GROWTH = 110;
/** A person looks at a screen for this long. */
const LOOK_MS = 1_000;
/** New findings of a round: lists that are in view follow them. */
const NEW_FINDINGS = 20;

/**
 * The memory of the page after hours of use: a script goes round the screens, opens and closes records, filters, scrolls and searches,
 * while reports bring new findings. Its scripts must not need more at the end than after the first round.
 */
export async function benchConsoleHour({
  findings,
  minutes,
}: {
  findings: number;
  minutes: number;
}): Promise<PlainTable> {
  const system = await startSystem({ BENCH_CONSOLE: '1' });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(system.consoleLink ?? '');
    await page.getByRole('button', { name: 'Load the example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Load the example' }).click();
    await importFindings(system, findings);
    await page.keyboard.press('Escape');
    const read = await memoryOf(page, await browser.newBrowserCDPSession());
    const end = performance.now() + minutes * 60_000;
    const measured: Memory[] = [];
    while (measured.length < 2 || performance.now() < end) {
      await goRound(page, system, measured.length);
      measured.push(await read());
      console.error(JSON.stringify(measured.at(-1)));
    }
    const most = (part: keyof Memory): number => Math.max(...measured.map((one) => one[part]));
    const { scripts = 0, nodes = 0, listeners = 0 } = measured.at(-1) ?? {};
    const rows = [
      limited('scripts after the first round', 'MB', measured[0]?.scripts ?? 0, MAX_MEGABYTES),
      limited(`scripts after ${measured.length} rounds`, 'MB', scripts, MAX_MEGABYTES),
      limited('elements, of those after the first round', '%', (100 * nodes) / (measured[0]?.nodes ?? 1), MAX_GROWTH),
      limited('listeners, likewise', '%', (100 * listeners) / (measured[0]?.listeners ?? 1), MAX_GROWTH),
      { operation: 'process at most', measured: `${most('process').toFixed(0)} MB`, limit: '', ok: true },
    ];
    return { title: `Console used for ${minutes} minutes`, rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await browser.close();
    await system.stop();
  }
}

/** Each screen with its first records, and its other pages; and what a person does in the list of findings. */
async function goRound(page: Page, system: System, round: number): Promise<void> {
  const { go, settled: isThere, tabs } = walk(page);
  for (const screen of screens()) {
    await go(screen);
    const others = (await tabs()).filter((tab) => tab.startsWith(`${screen}/`));
    if ((await page.locator('#row-0').count()) > 0) await readRecords(page, isThere);
    for (const other of others) {
      await go(other);
      await page.waitForTimeout(LOOK_MS);
    }
  }
  await go('/findings');
  await finished(system, (await startImport(system, benchReport(NEW_FINDINGS, 0.3, `round-${round}-`))).id);
  await filterAndScroll(page, isThere);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('injection');
  await page.locator('#palette-hit-0').waitFor();
  await page.keyboard.press('Escape');
}

/** Opens the first record, goes to the second one with it, and closes it. */
async function readRecords(page: Page, isThere: () => Promise<void>): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await isThere();
  await page.keyboard.press('j');
  await isThere();
  await page.waitForTimeout(LOOK_MS);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function filterAndScroll(page: Page, isThere: () => Promise<void>): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type('severity:high');
  await page.keyboard.press('Enter');
  await page.waitForURL(/filter=/);
  await isThere();
  await page.locator('.grid').hover();
  for (let n = 0; n < 20; n++) {
    await page.mouse.wheel(0, 4_000);
    await page.waitForTimeout(LOOK_MS / 4);
  }
  await isThere();
}

type Memory = { scripts: number; process: number; nodes: number; listeners: number };

/**
 * Megabytes of what the scripts hold after a collection, and of the whole process of the page that no other process shares. The browser
 * keeps the answers of the service there for the driver of this script, up to about 100 MB: a person's browser does not.
 */
async function memoryOf(page: Page, browser: CDPSession): Promise<() => Promise<Memory>> {
  const session = await page.context().newCDPSession(page);
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    return { scripts: usedSize / 2 ** 20, process: Math.max(...ids.map(ownOf)), nodes, listeners: jsEventListeners };
  };
}

function ownOf(id: number): number {
  const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, amount]) => Number(amount));
  return kilobytes.reduce((sum, amount) => sum + amount, 0) / 1024;
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '#local/browser.ts';
import { writeHtml } from '#shared/reporting/write/html.ts';
import { exampleReport } from '#test/shared/reporting/example.ts';
import { inBothThemes } from '#test/support/console-page.ts';

let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser?.close());

test.each(['#0b5c6b', '#ffdd00', '#111111'])(
  'a report in the colour %s is read by all, in light and dark, on a screen and a phone',
  async (colour) => {
    const report = exampleReport();
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    const mistakes: string[] = [];
    page.on('console', (message) => mistakes.push(message.text()));
    await page.setContent(writeHtml({ ...report, brand: { ...report.brand, colour } }));
    expect(mistakes).toEqual([]);
    expect(await inBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  },
  60_000,
);

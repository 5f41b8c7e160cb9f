import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The paths of the screens that a file declares. Its modules need types that the tests lack. */
const pathsIn = (file: string): string[] =>
  [...readFileSync(`console/shell/${file}`, 'utf8').matchAll(/^ {4}path: '([^']+)'/gm)].map(([, path = '']) => path);

export const screens = (): string[] => pathsIn('screens.ts');
export const staffScreens = (): string[] => pathsIn('staff-screens.ts');

/** Goes through the console as its links do: the page and its session stay. */
export function walk(page: Page) {
  const asked = new Set<object>();
  page.on('request', (request) => {
    // a list asks for changes now and then
    if (/\/api\/v1\/(?!changes)/.test(request.url())) asked.add(request);
  });
  const forget = (request: object) => asked.delete(request);
  page.on('requestfinished', forget);
  page.on('requestfailed', forget);

  /** Everything that the page asks for is there. @throws Error when it still asks after a minute */
  async function settled(): Promise<void> {
    const end = performance.now() + 60_000;
    for (let calm = 0; calm < 2; ) {
      if (performance.now() > end) throw new Error(`${page.url()} still loads`);
      await page.waitForTimeout(60);
      const isCalm = asked.size === 0 && (await page.locator('.loading').count()) === 0;
      calm = isCalm ? calm + 1 : 0;
    }
  }

  async function go(address: string): Promise<void> {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled();
  }

  /** The address of the first record of the list in view, if there is one. */
  async function firstRecord(): Promise<string | undefined> {
    const row = page.locator('#row-0');
    if ((await row.count()) === 0) return undefined;
    await row.click();
    await page.waitForURL(/open=/);
    await settled();
    const { pathname, searchParams } = new URL(page.url());
    return `${pathname}/${searchParams.get('open')}`;
  }

  /** The other pages that a page leads to: its tabs. */
  const tabs = async (): Promise<string[]> =>
    page.locator('main .tabs a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

  return { go, settled, firstRecord, tabs };
}

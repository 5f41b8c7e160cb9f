import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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

  /** Everything that the page asks for is there. */
  async function settled(): Promise<void> {
    let calm = 0;
    await expect
      .poll(
        async () => {
          const isCalm = asked.size === 0 && (await page.locator('.loading').count()) === 0;
          calm = isCalm ? calm + 1 : 0;
          return calm;
        },
        { message: page.url(), interval: 60 },
      )
      .toBeGreaterThan(1);
  }

  return {
    async go(address: string): Promise<void> {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled();
    },
  };
}

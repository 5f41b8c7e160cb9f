import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { html: string }[] };

/** Violations of WCAG 2.2 AA on a page, by axe. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The violations of the page in each theme. */
export async function inBothThemes(page: Page): Promise<string[]> {
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

/** The browser gives a page no files but by a drop: the same event as that of a person. */
export const dropOn = (page: Page, name: string, content: string): Promise<void> =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);

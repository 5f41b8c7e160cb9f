import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { writeHtml } from '#shared/reporting/write/html.ts';
import { writePdf } from '#shared/reporting/write/pdf.ts';
import { exampleReport } from '#test/shared/reporting/example.ts';
import { openBrowser } from './browser.ts';

/**
 * `npm run pictures:reports` writes the example report as PDF with pictures of its pages, and pictures of its HTML on a screen, light and
 * dark, to `docs/pictures/reports`. Look at them after each change of shared/reporting. The pages need `pdftoppm` (poppler), which the
 * service itself does not.
 */
const folder = 'docs/pictures/reports';
const html = resolve('dist/pictures/executive.html');

await mkdir(folder, { recursive: true });
await mkdir('dist/pictures', { recursive: true });
await writePdf(exampleReport(), createWriteStream(join(folder, 'executive.pdf')));
await promisify(execFile)('pdftoppm', ['-r', '70', '-png', 'executive.pdf', 'executive'], { cwd: folder });
await writeFile(html, writeHtml(exampleReport()));

const browser = await openBrowser();
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 960, height: 1280 }, colorScheme });
    await page.goto(pathToFileURL(html).href);
    await page.screenshot({ path: join(folder, `executive-html-${colorScheme}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bundle } from '#infra/bundle/bundle.ts';
import { copyFonts } from '#infra/bundle/extra-files.ts';
import { writePdf } from '#shared/reporting/write/pdf.ts';
import { exampleReport } from '#test/shared/reporting/example.ts';

const pdfOf = async (write: typeof writePdf): Promise<Buffer> => {
  const out = new PassThrough();
  const [bytes] = await Promise.all([buffer(out), write(exampleReport(), out)]);
  return bytes;
};

test('a report that the bundled function writes has the bytes of the one that the source writes', async () => {
  const home = await mkdtemp(join(tmpdir(), 'report-bundle-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const { functions } = await bundle({ writer: 'shared/reporting/write/pdf.ts' });
  await writeFile(join(home, 'index.js'), functions.get('writer')?.code ?? '');
  await copyFonts(home);
  const bundled: { writePdf: typeof writePdf } = createRequire(import.meta.url)(join(home, 'index.js'));
  expect((await pdfOf(bundled.writePdf)).equals(await pdfOf(writePdf))).toBe(true);
}, 60_000);

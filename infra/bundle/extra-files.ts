import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addressOf } from '#shared/reporting/write/font-address.ts';
import { FONT_FILES } from '#shared/reporting/write/font-files.ts';
import { writeReferenceFiles } from '../openapi/files.ts';
import type { Service } from '../service.ts';

/** Files that a function reads at run time, by the function's name, as they go into the directory for Lambda. */
export const extraFiles: Record<string, (home: string, service: Service) => Promise<void>> = {
  reference: (home, { areas }) => writeReferenceFiles(join(home, 'reference'), areas),
  'reports-worker': (home) => copyFonts(home),
};

/** Fonts of reports, 18 MB: Lambda takes 250 MB of code. */
export async function copyFonts(home: string): Promise<void> {
  for (const file of Object.values(FONT_FILES)) await cp(addressOf(file), join(home, 'fonts', basename(file)));
}

import { strToU8, zipSync } from 'fflate';

/** The same files are the same bytes, whenever they are packed. */
const ONE_DAY = new Date(2000, 0, 1);

/** A zip archive with these files: name -> text. */
export const zipped = (files: Readonly<Record<string, string>>): Buffer => {
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(zipSync(bytes, { mtime: ONE_DAY }));
};

import { strToU8, zipSync } from 'fflate';

/** A zip archive with these files: name -> text. */
export const zipped = (files: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));

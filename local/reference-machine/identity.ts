import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { absent } from './absent.ts';

export const Linked = z.object({
  id: z.string(),
  instanceId: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});
export type Linked = z.infer<typeof Linked>;

/** The identity of a machine; before linking only its instance id. */
export type Identity = { read(): Promise<Partial<Linked>>; write(linked: Partial<Linked>): Promise<void> };

export const openIdentity = (file: string): Identity => ({
  /** @throws for a file that cannot be read: an empty identity would make the machine link a second time */
  async read() {
    const text = await readFile(file, 'utf8').catch(absent);
    return text === undefined ? {} : JSON.parse(text);
  },
  write: (linked) => replaceFile(file, linked),
});

/** Writes the whole file or nothing, so that a crash leaves the earlier state. */
export async function replaceFile(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

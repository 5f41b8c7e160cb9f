import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as z from 'zod';

const pack = promisify(gzip);

const Batch = z.object({ source: z.string(), content: z.string() });

/** Batches that wait on the disk until the service has them. */
export type Spool = {
  /** @param name of lines that may come again after a crash: the same lines under it are one batch */
  put(source: string, lines: readonly string[], name?: string): Promise<void>;
  /** The ids of all, the oldest first. */
  waiting(): Promise<string[]>;
  /** `content` is packed, as base64. */
  read(batchId: string): Promise<z.infer<typeof Batch>>;
  done(batchId: string): Promise<void>;
  refuse(batchId: string): Promise<void>;
};

const ENDING = '.json';

export async function openSpool(directory: string): Promise<Spool> {
  const refused = join(directory, 'refused');
  await mkdir(refused, { recursive: true, mode: 0o700 });
  const fileOf = (batchId: string) => join(directory, `${batchId}${ENDING}`);
  return {
    async put(source, lines, name = randomUUID()) {
      const content = (await pack(lines.join('\n'))).toString('base64');
      const batchId = `${String(Date.now()).padStart(15, '0')}-${name}`;
      const current = (await readdir(directory)).find((file) => file.endsWith(`-${name}${ENDING}`));
      const file = current ? join(directory, current) : fileOf(batchId);
      await writeFile(`${file}.new`, JSON.stringify({ source, content }), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
    async waiting() {
      const files = (await readdir(directory)).filter((file) => file.endsWith(ENDING));
      return files.toSorted().map((file) => file.slice(0, -ENDING.length));
    },
    read: async (batchId) => Batch.parse(JSON.parse(await readFile(fileOf(batchId), 'utf8'))),
    done: (batchId) => rm(fileOf(batchId), { force: true }),
    refuse: (batchId) => rename(fileOf(batchId), join(refused, `${batchId}${ENDING}`)),
  };
}

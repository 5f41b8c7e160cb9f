import { resolve } from 'node:path';
import { findRunning, type OpenSystem } from './invoke/open-system.ts';

/** The option of every command for the system that `npm start` runs. */
export const dataDirOption = { 'data-dir': { type: 'string', default: '.local' } } as const;

/** The running system of a data directory; a command for it ends with a message where there is none. */
export async function openRunning({ 'data-dir': dataDir }: { 'data-dir': string }): Promise<OpenSystem> {
  const system = await findRunning(resolve(dataDir));
  if (system) return system;
  console.error(
    `No system runs with the data in ${resolve(dataDir)}. Start it with npm start, or name another --data-dir.`,
  );
  process.exit(1);
}

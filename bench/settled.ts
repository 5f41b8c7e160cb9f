import type { System } from './ingest/client.ts';

type Used = Awaited<ReturnType<typeof settled>>;

export const perRecord = ({ readUnits, writeUnits, commits, megabytes }: Omit<Used, 'seconds'>, count: number) => ({
  readUnits: readUnits / count,
  writeUnits: writeUnits / count,
  commits: commits / count,
  megabytes,
});

/** On a busy machine the readers of changes pause for some seconds in the midst of their work. */
const QUIET_MS = 10_000;

/** Everything that was used since the last measurement until nothing is written any more; the seconds end before that quiet. */
export async function settled(system: System, started: number) {
  const used = { readUnits: 0, writeUnits: 0, commits: 0, megabytes: 0, seconds: 0 };
  for (;;) {
    const seconds = (performance.now() - started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const { readUnits, writeUnits, commits, megabytes } = await system.measure();
    used.readUnits += readUnits;
    used.writeUnits += writeUnits;
    used.commits += commits;
    used.megabytes = Math.max(used.megabytes, megabytes);
    if (writeUnits < IDLE_UNITS) return { ...used, seconds };
  }
}

/** The sweeper and the readers of feeds leave their marks each minute. */
const IDLE_UNITS = 20;

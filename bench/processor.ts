const WARM = 30;
const RUNS = 40;

/**
 * Milliseconds of processor time of this process for one operation: the mean of 40 runs behind 30 that let the code be
 * compiled. The engine is another process and not in it.
 */
export async function processorMs(operation: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < WARM; n++) await operation();
  const before = process.cpuUsage();
  for (let n = 0; n < RUNS; n++) await operation();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / RUNS;
}

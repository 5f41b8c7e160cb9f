import type { Measured } from './packed-sample.ts';

/** The number, sum and maximum of the samples that have a value; shares are in hundredths of a percent. */
type Measure = [count: number, sum: number, max: number];

/** The summary of any number of samples. Its numbers are whole: the order of additions does not change it. */
export type Fold = { n: number; cpu: Measure; memory: Measure; disk: Measure; rx: Measure; tx: Measure };

const nothing: Measure = [0, 0, 0];
const emptyFold: Fold = { n: 0, cpu: nothing, memory: nothing, disk: nothing, rx: nothing, tx: nothing };

const one = (value: number | null | undefined, unit: number): Measure => {
  if (value == null) return nothing;
  const whole = Math.round(value * unit);
  return [1, whole, whole];
};

const foldOf = ({ cpuPercent, memoryPercent, diskPercent, rxBytes, txBytes }: Measured): Fold => ({
  n: 1,
  cpu: one(cpuPercent, 100),
  memory: one(memoryPercent, 100),
  disk: one(diskPercent, 100),
  rx: one(rxBytes, 1),
  tx: one(txBytes, 1),
});

/** A sum stops at the largest exact number: 9 PB in a day. */
const added = (a: Measure, b: Measure): Measure => [
  a[0] + b[0],
  Math.min(a[1] + b[1], Number.MAX_SAFE_INTEGER),
  Math.max(a[2], b[2]),
];

const merged = (a: Fold, b: Fold): Fold => ({
  n: a.n + b.n,
  cpu: added(a.cpu, b.cpu),
  memory: added(a.memory, b.memory),
  disk: added(a.disk, b.disk),
  rx: added(a.rx, b.rx),
  tx: added(a.tx, b.tx),
});

export const mergeAll = (folds: readonly Fold[]): Fold => folds.reduce(merged, emptyFold);
export const foldAll = (samples: readonly Measured[]): Fold => mergeAll(samples.map(foldOf));

/** The newer of two folds of the same time: the one with more samples, because samples are only added. */
export const fuller = (a: Fold | undefined, b: Fold | undefined): Fold | undefined =>
  (b?.n ?? 0) > (a?.n ?? 0) ? b : a;

const percent = (hundredths: number): number => Math.round(hundredths) / 100;
const mean = ([count, sum]: Measure): number | null => (count === 0 ? null : percent(sum / count));

/** The point of the history that begins at `at` (seconds since the epoch). */
export const pointOf = (at: number, { cpu, memory, disk, rx, tx }: Fold) => ({
  at: new Date(at * 1000).toISOString(),
  cpuPercent: { avg: mean(cpu), max: cpu[0] === 0 ? null : percent(cpu[2]) },
  memoryPercent: mean(memory),
  diskPercent: mean(disk),
  rxBytes: rx[0] === 0 ? null : rx[1],
  txBytes: tx[0] === 0 ? null : tx[1],
});

import type { BenchmarkCheck } from '../../report/report.ts';

/** The numbers of Kubescape's controls, one after the other or from the first to the last of a range. */
type Numbers = readonly (number | readonly [first: number, last: number])[];

/**
 * Kubescape's controls for the CIS Kubernetes Benchmark 1.10, by section in the order of the benchmark. The pairs are
 * facts of Kubescape's own table (github.com/kubescape/regolibrary, frameworks/cis-v1.10.0.json); it has no control for
 * 3.1, 4.3 and 5.5. A control is the same check in every framework.
 */
const CONTROLS: Readonly<Record<string, Numbers>> = {
  '1.1': [[92, 112]],
  '1.2': [113, 114, 283, [116, 123], [125, 127], [129, 142], 277],
  '1.3': [[144, 150]],
  '1.4': [151, 152],
  '2': [[153, 159]],
  '3.2': [160, 161],
  '4.1': [[162, 171]],
  '4.2': [[172, 176], [178, 184], 284],
  '5.1': [[185, 190], 246, 191, [278, 282]],
  '5.2': [192, 193, 275, 276, 41, [197, 204]],
  '5.3': [205, 206],
  '5.4': [207, 208],
  '5.7': [[209, 212]],
};

/** Made once, at the first result. */
let keys: ReadonlyMap<string, string> | undefined;

/** The check of the benchmark by Kubescape's id, such as `C-0113`; undefined for one of no control. */
export function checkOfKubescape(id: string | undefined): BenchmarkCheck | undefined {
  keys ??= new Map(Object.entries(CONTROLS).flatMap(inSection));
  const key = keys.get(id ?? '');
  return key === undefined ? undefined : { benchmark: 'cis-1.10', key };
}

const inSection = ([section, numbers]: [string, Numbers]): [id: string, key: string][] =>
  numbers.flatMap(inRange).map((number, n) => [`C-${String(number).padStart(4, '0')}`, `${section}.${n + 1}`]);

const inRange = (one: Numbers[number]): number[] =>
  typeof one === 'number' ? [one] : Array.from({ length: one[1] - one[0] + 1 }, (_, n) => one[0] + n);

/**
 * The number of controls in each section of the CIS Kubernetes Benchmarks, by kube-bench's names for these: counted in
 * its files of checks (github.com/aquasecurity/kube-bench, cfg/cis-1.8 and others), whose numbers are the controls'.
 * Prowler's tables of 1.8, 1.10 and 1.12 (5.46, prowler/compliance/kubernetes) have the same numbers; its table of 1.11
 * has the first control of etcd twice.
 */
const SECTIONS = {
  'cis-1.5': {
    '1.1': 21,
    '1.2': 35,
    '1.3': 7,
    '1.4': 2,
    '2': 7,
    '3.1': 1,
    '3.2': 2,
    '4.1': 10,
    '4.2': 13,
    '5.1': 6,
    '5.2': 9,
    '5.3': 2,
    '5.4': 2,
    '5.5': 1,
    '5.7': 4,
  },
  'cis-1.8': {
    '1.1': 21,
    '1.2': 30,
    '1.3': 7,
    '1.4': 2,
    '2': 7,
    '3.1': 3,
    '3.2': 2,
    '4.1': 10,
    '4.2': 13,
    '5.1': 13,
    '5.2': 13,
    '5.3': 2,
    '5.4': 2,
    '5.5': 1,
    '5.7': 4,
  },
  'cis-1.10': {
    '1.1': 21,
    '1.2': 29,
    '1.3': 7,
    '1.4': 2,
    '2': 7,
    '3.1': 3,
    '3.2': 2,
    '4.1': 10,
    '4.2': 13,
    '4.3': 1,
    '5.1': 13,
    '5.2': 13,
    '5.3': 2,
    '5.4': 2,
    '5.5': 1,
    '5.7': 4,
  },
  'cis-1.11': {
    '1.1': 21,
    '1.2': 30,
    '1.3': 7,
    '1.4': 2,
    '2': 7,
    '3.1': 3,
    '3.2': 2,
    '4.1': 10,
    '4.2': 15,
    '4.3': 1,
    '5.1': 13,
    '5.2': 13,
    '5.3': 2,
    '5.4': 2,
    '5.5': 1,
    '5.6': 4,
  },
  'cis-1.12': {
    '1.1': 21,
    '1.2': 30,
    '1.3': 7,
    '1.4': 2,
    '2': 7,
    '3.1': 3,
    '3.2': 2,
    '4.1': 10,
    '4.2': 14,
    '4.3': 1,
    '5.1': 13,
    '5.2': 12,
    '5.3': 2,
    '5.4': 2,
    '5.5': 1,
    '5.6': 4,
  },
} as const satisfies Record<string, Record<string, number>>;

type KubernetesBenchmark = keyof typeof SECTIONS;
export const kubernetesBenchmarks = Object.keys(SECTIONS) as KubernetesBenchmark[];

/** The sections of a benchmark, each with the numbers of its controls. */
export const sectionsOf = (benchmark: KubernetesBenchmark): { section: string; controls: string[] }[] =>
  Object.entries(SECTIONS[benchmark]).map(([section, count]) => ({
    section,
    controls: Array.from({ length: count }, (_, n) => `${section}.${n + 1}`),
  }));

/** Whether a benchmark has a control of this number, such as `1.2.1`. */
export function hasControl(benchmark: KubernetesBenchmark, number: string): boolean {
  const [, section = '', last = ''] = /^(.{1,8})\.(\d{1,2})$/.exec(number) ?? [];
  const count: number = new Map(Object.entries(SECTIONS[benchmark])).get(section) ?? 0;
  return Number(last) >= 1 && Number(last) <= count;
}

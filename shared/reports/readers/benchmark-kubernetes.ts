import SECTIONS from './benchmark-kubernetes.json' with { type: 'json' };

/**
 * The number of controls in each section of the CIS Kubernetes Benchmarks, by kube-bench's names for these: counted in
 * its files of checks (github.com/aquasecurity/kube-bench, cfg/cis-1.8 and others), whose numbers are the controls'.
 * Prowler's tables of 1.8, 1.10 and 1.12 (5.46, prowler/compliance/kubernetes) have the same numbers; its table of 1.11
 * has the first control of etcd twice.
 */
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

import { kubernetesBenchmarks, sectionsOf } from '../../reports/benchmark-kubernetes.ts';
import type { Framework } from '../framework.ts';

/** The subjects of sections, which the versions share. */
const SUBJECTS: Readonly<Record<string, string>> = {
  '1.1': 'Files of the control plane',
  '1.2': 'API server',
  '1.3': 'Controller manager',
  '1.4': 'Scheduler',
  '2': 'etcd',
  '3.1': 'Logins to the control plane',
  '3.2': 'Audit logs',
  '4.1': 'Files of nodes',
  '4.2': 'Kubelet',
  '4.3': 'kube-proxy',
  '5.1': 'Roles and service accounts',
  '5.2': 'Security of pods',
  '5.3': 'Policies of networks',
  '5.4': 'Secrets of the cluster',
  '5.5': 'Admission of images',
  '5.6': 'Policies of namespaces',
  '5.7': 'Policies of namespaces',
};

const frameworkOf = (benchmark: (typeof kubernetesBenchmarks)[number]): Framework => ({
  id: benchmark.replace('cis', 'cis-kubernetes'),
  name: 'CIS Kubernetes Benchmark',
  version: benchmark.replace('cis-', ''),
  publisher: 'Center for Internet Security',
  source: `https://github.com/aquasecurity/kube-bench/tree/main/cfg/${benchmark}`,
  scope:
    'All controls by number, each by the check of kube-bench. A control that a person has to check is never assessed.',
  benchmark: { id: benchmark, tool: 'kube-bench' },
  controls: sectionsOf(benchmark).flatMap(({ section, controls }) =>
    controls.map((number) => ({
      control: number,
      title: `${SUBJECTS[section] ?? section}: ${number}`,
      checks: [number],
    })),
  ),
});

export const cisKubernetes = (): Framework[] => kubernetesBenchmarks.map(frameworkOf);

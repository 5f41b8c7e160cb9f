import { kubernetesBenchmarks, sectionsOf } from '#shared/reports/readers/benchmark-kubernetes.ts';
import type { Framework } from '../framework.ts';

type Kubernetes = (typeof kubernetesBenchmarks)[number];

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

const SCOPE =
  'All controls by number, each by the check of kube-bench. A control that a person has to check is never assessed.';
const SCOPES: Partial<Record<Kubernetes, string>> = {
  'cis-1.10':
    'All controls by number, each by the check of kube-bench or Kubescape. A control that a person has to check is never assessed.',
};

const prowlerHas = (file: string) => `Prowler 5.46 (prowler/compliance/kubernetes/${file}), which has the same.`;
const COMPARED: Record<Kubernetes, string> = {
  'cis-1.5': 'Nothing but kube-bench: no other list of this version is known.',
  'cis-1.8': prowlerHas('cis_1.8_kubernetes.json'),
  'cis-1.10': `${prowlerHas('cis_1.10_kubernetes.json')} Kubescape (regolibrary, frameworks/cis-v1.10.0.json) has all but 3.1, 4.3 and 5.5.`,
  'cis-1.11':
    'Prowler 5.46 (prowler/compliance/kubernetes/cis_1.11_kubernetes.json), which has the same but numbers the first control of etcd twice.',
  'cis-1.12': prowlerHas('cis_1.12_kubernetes.json'),
};

const frameworkOf = (benchmark: Kubernetes): Framework => ({
  id: benchmark.replace('cis', 'cis-kubernetes'),
  name: 'CIS Kubernetes Benchmark',
  version: benchmark.replace('cis-', ''),
  publisher: 'Center for Internet Security',
  source: `https://github.com/aquasecurity/kube-bench/tree/main/cfg/${benchmark}`,
  comparedWith: COMPARED[benchmark],
  scope: SCOPES[benchmark] ?? SCOPE,
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

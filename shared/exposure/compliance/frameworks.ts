import { keysOfAws } from '#shared/reports/readers/benchmark-aws.ts';
import { kubernetesBenchmarks, sectionsOf } from '#shared/reports/readers/benchmark-kubernetes.ts';
import type { Framework } from './framework.ts';
import asvs from './frameworks/asvs.json' with { type: 'json' };
import cisAws from './frameworks/cis-aws.json' with { type: 'json' };
import cisKubernetes from './frameworks/cis-kubernetes.json' with { type: 'json' };
import iso27001 from './frameworks/iso-27001.json' with { type: 'json' };
import nistCsf from './frameworks/nist-csf.json' with { type: 'json' };
import owaspTop10 from './frameworks/owasp-top-10.json' with { type: 'json' };
import pciDss from './frameworks/pci-dss.json' with { type: 'json' };
import soc2 from './frameworks/soc-2.json' with { type: 'json' };

/** Made once, at the first request. */
let made: readonly Framework[] | undefined;

/** All frameworks, in the order in which they are listed. */
export function frameworks(): readonly Framework[] {
  made ??= [
    ...kubernetesBenchmarks.map(kubernetes),
    { ...cisAws, controls: cisAws.controls.map((one) => ({ ...one, checks: keysOfAws(one.control) })) },
    ...[pciDss, iso27001, soc2, nistCsf, owaspTop10, asvs],
  ] as readonly Framework[]; // a test reads the files by the schema
  return made;
}

function kubernetes(benchmark: (typeof kubernetesBenchmarks)[number]) {
  const { subjects, versions, ...shared } = cisKubernetes;
  const subjectOf = new Map(Object.entries(subjects));
  return {
    ...shared,
    ...versions.find(({ version }) => benchmark === `cis-${version}`),
    id: benchmark.replace('cis', 'cis-kubernetes'),
    source: `https://github.com/aquasecurity/kube-bench/tree/main/cfg/${benchmark}`,
    benchmark: { id: benchmark, tool: 'kube-bench' },
    controls: sectionsOf(benchmark).flatMap(({ section, controls }) =>
      controls.map((number) => ({
        control: number,
        title: `${subjectOf.get(section) ?? section}: ${number}`,
        checks: [number],
      })),
    ),
  };
}

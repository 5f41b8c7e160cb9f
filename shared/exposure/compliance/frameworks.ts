import type { Framework } from './framework.ts';
import { asvs } from './frameworks/asvs.ts';
import { cisAws } from './frameworks/cis-aws.ts';
import { cisKubernetes } from './frameworks/cis-kubernetes.ts';
import { iso27001 } from './frameworks/iso-27001.ts';
import { nistCsf } from './frameworks/nist-csf.ts';
import { owaspTop10 } from './frameworks/owasp-top-10.ts';
import { pciDss } from './frameworks/pci-dss.ts';
import { soc2 } from './frameworks/soc-2.ts';

/** Made once, when the first request asks for them. */
let made: readonly Framework[] | undefined;

/** All frameworks, in the order in which they are listed. */
export function frameworks(): readonly Framework[] {
  made ??= [...cisKubernetes(), cisAws(), pciDss, iso27001, soc2, nistCsf, owaspTop10, asvs];
  return made;
}

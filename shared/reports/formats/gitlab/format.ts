import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

/** Other tools (Snyk, CycloneDX, CSAF) have a list of vulnerabilities too, but no identifiers in it and no remediations beside it. */
const SIGNS = [
  ...['type', 'name', 'value', 'url'].map((field) => `vulnerabilities.[].identifiers.[].${field}`),
  'dependency_files.[].package_manager',
];

const SCAN_TYPES = [
  'sast',
  'dast',
  'dependency_scanning',
  'container_scanning',
  'cluster_image_scanning',
  'secret_detection',
  'api_fuzzing',
  'coverage_fuzzing',
].map((type) => `scan.type=${type}`);

export const gitlab = defineFormat({
  id: 'gitlab',
  label: 'GitLab security report (SAST, DAST, dependency and container scanning, secret detection)',
  begins: '{',
  recognise: (head) =>
    hasShape(head, ...SIGNS) ||
    (hasShape(head, 'vulnerabilities') && hasShape(head, 'remediations')) ||
    (hasShape(head, 'scan.scanner') && hasShape(head, ...SCAN_TYPES)),
  read: () => import('./read.ts'),
});

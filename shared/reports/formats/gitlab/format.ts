import { defineFormat } from '../../readers/format.ts';

export const gitlab = defineFormat({
  id: 'gitlab',
  label: 'GitLab security report (SAST, DAST, dependency and container scanning, secret detection)',
  begins: '{',
  recognise: (head) => head.startsWith('{') && SIGNS.some((signs) => signs.every((sign) => sign.test(head))),
  read: () => import('./read.ts'),
});

const VULNERABILITIES = /"vulnerabilities"\s*:\s*\[/;
const SCAN_OF_TYPE =
  /"type"\s*:\s*"(?:sast|dast|dependency_scanning|container_scanning|cluster_image_scanning|secret_detection|api_fuzzing|coverage_fuzzing)"/;

/** Any of them. The lists of other tools (Snyk, CycloneDX) have no list of identifiers, and no remediations. */
const SIGNS = [
  [VULNERABILITIES, /"identifiers"\s*:\s*\[\s*\{\s*"(?:type|name|value|url)"\s*:/],
  [VULNERABILITIES, /"remediations"\s*:\s*\[/],
  [/"scan"\s*:\s*\{/, /"scanner"\s*:\s*\{/, SCAN_OF_TYPE],
  [/^\{\s*"dependency_files"\s*:\s*\[/, /"package_manager"\s*:/],
];

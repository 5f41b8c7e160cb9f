import { defineFormat } from '../../readers/format.ts';

export const trivy = defineFormat({
  id: 'trivy',
  label: 'Trivy JSON (--format json) of images, file systems, repositories and clusters',
  begins: '{[',
  recognise: (head) =>
    (/^\{/.test(head) && /"SchemaVersion"\s*:\s*\d/.test(head) && /"Artifact(Name|Type)"\s*:/.test(head)) ||
    (/^\{/.test(head) &&
      /"ClusterName"\s*:/.test(head) &&
      /"(Resources|Findings|Vulnerabilities|Misconfigurations)"\s*:/.test(head)) ||
    /^\[\s*\{\s*"Target"\s*:/.test(head),
  whenNothingFound: 'Trivy writes a report with its SchemaVersion also then',
  read: () => import('./read.ts'),
});

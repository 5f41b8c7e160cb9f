import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const trivy = defineFormat({
  id: 'trivy',
  label: 'Trivy JSON (--format json) of images, file systems, repositories and clusters',
  begins: '{[',
  recognise: (head) =>
    (hasShape(head, 'ArtifactName') && hasShape(head, 'SchemaVersion', 'ArtifactType')) ||
    (hasShape(head, 'SchemaVersion') && hasShape(head, 'ArtifactType', 'Results.[].Target')) ||
    (/^\{/.test(head) &&
      /"ClusterName"\s*:/.test(head) &&
      /"(Resources|Findings|Vulnerabilities|Misconfigurations)"\s*:/.test(head)) ||
    /^\[\s*\{\s*"Target"\s*:/.test(head),
  whenNothingFound: 'Trivy writes a report with its SchemaVersion also then',
  read: () => import('./read.ts'),
});

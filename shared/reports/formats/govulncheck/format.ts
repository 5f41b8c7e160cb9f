import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const govulncheck = defineFormat({
  id: 'govulncheck',
  label: 'govulncheck JSON (-format json, -json)',
  begins: '{[',
  recognise: (head) =>
    hasShape(head, 'config.scanner_name=govulncheck', '[].config.scanner_name=govulncheck') ||
    hasShape(head, 'config.protocol_version', '[].config.protocol_version') ||
    hasShape(head, 'Calls.Functions', 'Vulns.[].OSV'),
  inSarif:
    'SARIF names no module of a package that no call reaches: the module is read from the path of the package, which finds those of the usual hosts.',
  read: () => import('./read.ts'),
});

import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { isPortLookedFor } from '../../readers/ports-looked.ts';
import { hasShape } from '../../readers/shape.ts';

export const testssl = defineFormat({
  id: 'testssl',
  label: 'testssl.sh (--csvfile, --jsonfile, --jsonfile-pretty)',
  begins: `[{${CSV_BEGINS}`,
  recognise: (head) =>
    hasCsvHeader(head, 'id', 'fqdn/ip', 'severity', 'finding') ||
    (hasShape(head, 'Invocation') && hasShape(head, 'scanResult')) ||
    (hasShape(head, '[].finding') && hasShape(head, '[].ip') && hasShape(head, '[].severity')),
  namesTargets: true,
  wasLookedFor: isPortLookedFor,
  read: () => import('./read.ts'),
});

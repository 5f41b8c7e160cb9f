import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { xmlRoot } from '../../readers/xml-root.ts';
import { CSV_COLUMNS, ROOTS } from './columns.ts';

export const qualys = defineFormat({
  id: 'qualys',
  label: 'Qualys (XML of scans, asset reports, host detections and web applications; CSV)',
  begins: `<${CSV_BEGINS}`,
  recognise: (head) => isQualysXml(head) || hasCsvHeader(head, ...CSV_COLUMNS),
  namesTargets: true,
  read: () => import('./read.ts'),
});

function isQualysXml(head: string): boolean {
  const root = xmlRoot(head);
  return (
    root !== undefined && ROOTS.has(root) && (root !== 'SCAN' || /<SCAN\s+value="|scan-1\.dtd|<SCAN\s*>/.test(head))
  );
}

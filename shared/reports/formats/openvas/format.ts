import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { xmlRoot } from '../../readers/xml-root.ts';
import { CSV_COLUMNS } from './columns.ts';

export const openvas = defineFormat({
  id: 'openvas',
  label: 'OpenVAS or Greenbone (XML, CSV Results)',
  begins: `<${CSV_BEGINS}`,
  recognise: (head) => isGreenboneXml(head) || hasCsvHeader(head, ...CSV_COLUMNS),
  namesTargets: true,
  read: () => import('./read.ts'),
});

function isGreenboneXml(head: string): boolean {
  const root = xmlRoot(head);
  if (root === 'get_reports_response') return true;
  return root === 'report' && /<[go]mp[\s>]|<scan_run_status>|<nvt\s+oid=|<report\s[^<>]{0,400}\bformat_id=/.test(head);
}

import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { xmlRoot } from '../../readers/xml-root.ts';

export const wapiti = defineFormat({
  id: 'wapiti',
  label: 'Wapiti (JSON or XML: -f json, xml)',
  begins: '<{',
  recognise: (head) =>
    (xmlRoot(head) === 'report' && /<report_infos>/.test(head)) ||
    hasShape(head, 'classifications.*.sol', 'classifications.*.wstg', 'infos.crawled_pages_nbr') ||
    (hasShape(head, 'vulnerabilities.*.[].curl_command') && hasShape(head, 'vulnerabilities.*.[].level')),
  namesTargets: true,
  read: () => import('./read.ts'),
});

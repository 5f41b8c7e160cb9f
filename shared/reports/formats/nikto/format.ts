import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { xmlRoot } from '../../readers/xml-root.ts';

export const nikto = defineFormat({
  id: 'nikto',
  label: 'Nikto (JSON or XML: -Format json, xml)',
  begins: '<{[',
  recognise: (head) =>
    ['niktoscan', 'niktoscans'].includes(xmlRoot(head) ?? '') ||
    hasShape(head, 'vulnerabilities.[].msg', '[].vulnerabilities.[].msg') ||
    (hasShape(head, 'banner', '[].banner') && hasShape(head, 'vulnerabilities', '[].vulnerabilities')),
  namesTargets: true,
  read: () => import('./read.ts'),
});

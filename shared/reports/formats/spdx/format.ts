import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

/** Of the document, or of any element in its lists: a document may begin with thousands of files. */
const DOCUMENT = ['spdxVersion', 'SPDXID=SPDXRef-DOCUMENT', '*.[].SPDXID', '*.[].spdxElementId'];

export const spdx = defineFormat({
  id: 'spdx',
  label: 'SPDX JSON or tag-value, an inventory of software',
  begins: '{S#',
  recognise: (head) =>
    head.startsWith('{')
      ? hasShape(head, ...DOCUMENT, ...DOCUMENT.map((member) => `sbom.${member}`), '@graph.[].spdxId') ||
        /"@context"\s*:\s*"https:\/\/spdx\.org\/rdf\//.test(head)
      : /^SPDXVersion: ?SPDX-\d/m.test(head) && !head.startsWith('<'),
  read: () => import('./read.ts'),
});

import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const spdx = defineFormat({
  id: 'spdx',
  label: 'SPDX JSON or tag-value, an inventory of software',
  begins: '{S#',
  recognise: (head) =>
    head.startsWith('{')
      ? hasShape(head, 'spdxVersion', 'SPDXID=SPDXRef-DOCUMENT') ||
        /"@context"\s*:\s*"https:\/\/spdx\.org\/rdf\//.test(head)
      : /^SPDXVersion: ?SPDX-\d/m.test(head) && !head.startsWith('<'),
  read: () => import('./read.ts'),
});

import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { isProwlerOcsf } from '../prowler/format.ts';

/** The classes of findings in every place of an event: in an array, a list of an answer, or on a line. */
const CLASSES = [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008].map((uid) => `class_uid=${uid}`);
const PLACES = ['[].', 'Findings.[].', 'findings.[].', 'events.[].', 'detail.findings.[].', ''];
const SHAPES = PLACES.flatMap((place) => CLASSES.map((one) => place + one));

export const ocsf = defineFormat({
  id: 'ocsf',
  label: 'OCSF findings (JSON or JSON lines: detection, compliance, vulnerability, security finding)',
  begins: '[{',
  recognise: (head) => hasShape(head, ...SHAPES) && !isProwlerOcsf(head),
  read: () => import('./read.ts'),
});

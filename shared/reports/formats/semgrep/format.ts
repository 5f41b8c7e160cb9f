import { defineFormat } from '../../readers/format.ts';

export const semgrep = defineFormat({
  id: 'semgrep',
  label: 'Semgrep JSON (--json), or Supply Chain vulnerabilities of its API',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') && (SIGNS.some((sign) => sign.test(head)) || isResult(head) || isListOfApi(head)),
  read: () => import('./read.ts'),
});

const SIGNS = [
  /"check_id"\s*:\s*"[^"]{0,1000}"\s*,\s*"(?:path|start|end)"\s*:/,
  /"paths"\s*:\s*\{\s*(?:"_comment"\s*:\s*"[^"]{0,1000}"\s*,\s*)?"scanned"\s*:\s*\[/,
  /^\{\s*"errors"\s*:\s*\[\s*\{\s*"code"\s*:\s*\d{1,9}\s*,\s*"level"\s*:/,
  /^\{\s*"results"\s*:\s*\[\s*\]\s*,\s*"errors"\s*:\s*\[\s*\]\s*\}/,
  /^\{\s*"errors"\s*:\s*\[\s*\]\s*,\s*"results"\s*:\s*\[\s*\]\s*\}/,
  /^\{\s*"version"\s*:\s*"[^"]{1,40}"\s*,\s*"results"\s*:\s*\[\s*\]\s*,\s*"errors"\s*:/,
];

/** Checkov's checks have a `check_id` too. */
const isResult = (head: string): boolean => /"check_id"\s*:/.test(head) && /"extra"\s*:\s*\{/.test(head);

const isListOfApi = (head: string): boolean =>
  /"vulns"\s*:\s*\[/.test(head) && (/"hasMore"\s*:/.test(head) || /"advisory"\s*:/.test(head));

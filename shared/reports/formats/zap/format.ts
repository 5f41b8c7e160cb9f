import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const zap = defineFormat({
  id: 'zap',
  label: 'ZAP XML or JSON (traditional report, with or without requests; alerts of its API)',
  begins: '<{',
  recognise: (head) =>
    /<OWASPZAPReport[\s>]/.test(head) ||
    (head.startsWith('{') &&
      /"@(programName|version|generated)"\s*:/.test(head) &&
      /"site"\s*:\s*[[{]/.test(head) &&
      !isOfGitlab(head)) ||
    hasShape(head, 'alerts.[].pluginId'),
  namesTargets: true,
  read: () => import('./read.ts'),
});

/** GitLab's DAST report of ZAP holds ZAP's own too. */
const isOfGitlab = (head: string): boolean => /"scan"\s*:\s*\{/.test(head) || /"vulnerabilities"\s*:\s*\[/.test(head);

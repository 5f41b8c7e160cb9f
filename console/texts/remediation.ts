import { amountOf, count } from './amounts.ts';

export const remediation = {
  one: 'remediation',
  many: 'remediations',
  empty: 'No remediations yet',
  emptyHint: 'A remediation is the work that closes some findings. The API makes one from their ids.',
  columns: { title: 'Remediation', status: 'Status', progress: 'Progress', assignee: 'Assigned to', due: 'Due' },
  changed: 'The remediation is changed.',
  fixedOf: (fixed: number, total: number) => `${count(fixed)} of ${count(total)} fixed`,
  progress: (fixed: number, total: number, byScan: number) =>
    `${count(fixed)} of ${amountOf(total, 'finding is', 'findings are')} fixed, ${count(byScan)} proven by a scan.`,
  noFindings: 'The remediation has no finding.',
};

import { amountOf, count } from './amounts.ts';

export const remediation = {
  one: 'remediation',
  many: 'remediations',
  empty: 'No remediations yet',
  emptyHint: 'A remediation is the work that closes some findings. Choose findings in their list, then plan it there.',
  columns: { title: 'Remediation', status: 'Status', progress: 'Progress', assignee: 'Assigned to', due: 'Due' },
  changed: 'The remediation is changed.',
  fixedOf: (fixed: number, total: number) => (total === 0 ? '–' : `${count(fixed)} of ${count(total)} fixed`),
  progress: (fixed: number, total: number, byScan: number) =>
    `${count(fixed)} of ${amountOf(total, 'finding is', 'findings are')} fixed, ${count(byScan)} proven by a scan.`,
  noFindings: 'The remediation has no finding.',
  add: 'Plan a remediation',
  addLead: (amount: number) => `It closes ${amountOf(amount, 'finding', 'findings')}.`,
  added: 'The remediation is planned.',
  saved: 'The remediation is changed.',
  removed: 'The remediation is deleted. Its findings stay.',
  name: 'Title',
  description: 'What is to be done',
  verify: 'Verify by a scan',
  verifying: 'A scan verifies the remediation.',
};

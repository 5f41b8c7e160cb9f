import { amountOf, count } from './amounts.ts';

/** The texts of what was sent to other systems and people. */
export const deliveries = {
  title: 'Deliveries',
  one: 'delivery',
  many: 'deliveries',
  lead: 'What was sent to webhooks, chats, people, Jira and code hosts in the last 30 days, with each attempt.',
  filterHint: 'Filter, such as about:finding sent:7d',
  failed: 'Not delivered',
  when: 'When',
  type: 'What',
  about: 'About',
  channel: 'To',
  state: 'State',
  attempts: 'Attempts',
  answer: 'Last answer',
  sentAt: 'Delivered',
  reason: 'Reason',
  id: 'Id',
  only: (amount: number) =>
    amount === 0
      ? 'Of the newest none fits. There are older ones: the API lists all.'
      : `The newest ${count(amount)} are shown. The API lists all.`,
  all: 'Show all deliveries',
  payload: 'What was sent',
  noPayload: 'Nothing was sent.',
  noAttempts: 'Nobody was called yet.',
  answered: 'Answer',
  took: 'Took',
  milliseconds: (amount: number) => `${amount} ms`,
  resend: 'Send again',
  resent: 'It is sent again.',
  recover: 'Send all again that failed here',
  recovered: (sent: number, left: number) =>
    `${amountOf(sent, 'delivery is', 'deliveries are')} sent again.${left > 0 ? ` ${amountOf(left, 'delivery', 'deliveries')} cannot be.` : ''}`,
  channels: {
    webhook: 'Webhook',
    email: 'Letter',
    inbox: 'Inbox',
    slack: 'Slack',
    teams: 'Teams',
    jira: 'Jira',
    code_host: 'Code host',
  },
  statuses: {
    pending: 'Is being sent',
    sent: 'Sent',
    failed: 'Failed, comes again',
    dead: 'Given up',
    skipped: 'Left out',
    simulated: 'Simulated',
  },
};

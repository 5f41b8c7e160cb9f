import { Tabs } from '../../parts/tabs.tsx';
import { ticketRule } from '../../texts/ticket.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/tickets', title: texts.screens.tickets },
  { path: '/ticket-rules', title: texts.screens.ticketRules },
];

export const Views = () => <Tabs label={ticketRule.views} tabs={VIEWS} />;

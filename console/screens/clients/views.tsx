import { Tabs } from '../../parts/tabs.tsx';
import { clients } from '../../texts/clients.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/organizations', title: clients.title },
  { path: '/organization-templates', title: texts.screens.templates },
];

export const Views = () => <Tabs label={clients.views} tabs={VIEWS} />;

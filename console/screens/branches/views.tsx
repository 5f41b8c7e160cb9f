import { Tabs } from '../../parts/tabs.tsx';
import { repository } from '../../texts/repository.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/branches', title: texts.screens.branches },
  { path: '/repositories', title: texts.screens.repositories },
];

export const Views = () => <Tabs label={repository.views} tabs={VIEWS} />;

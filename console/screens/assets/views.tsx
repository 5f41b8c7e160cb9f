import { Tabs } from '../../parts/tabs.tsx';
import { merge } from '../../texts/inventory.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/assets', title: texts.screens.assets },
  { path: '/merges', title: texts.screens.merges },
  { path: '/inventory', title: texts.screens.inventory },
];

export const Views = () => <Tabs label={merge.views} tabs={VIEWS} />;

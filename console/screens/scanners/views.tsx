import { Tabs } from '../../parts/tabs.tsx';
import { scannerGroup } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/scanners', title: texts.screens.scanners },
  { path: '/scanner-groups', title: texts.screens.scannerGroups },
];

export const Views = () => <Tabs label={scannerGroup.views} tabs={VIEWS} />;

import { Tabs } from '../../parts/tabs.tsx';
import { scannerGroup } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/scanners', title: texts.screens.scanners },
  { path: '/scanner-groups', title: texts.screens.scannerGroups },
  { path: '/agents', title: texts.screens.agents },
  { path: '/zones', title: texts.screens.zones },
  { path: '/scan-credentials', title: texts.screens.scanCredentials },
  { path: '/pools', title: texts.screens.pools },
];

export const Views = () => <Tabs label={scannerGroup.views} tabs={VIEWS} />;

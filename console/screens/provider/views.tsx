import { Tabs } from '../../parts/tabs.tsx';
import { publicScanner } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';

const VIEWS = [
  { path: '/public-scanners', title: texts.screens.publicScanners },
  { path: '/public-scanner-groups', title: texts.screens.publicGroups },
  { path: '/public-appliances', title: texts.screens.publicAppliances },
];

export const Views = () => <Tabs label={publicScanner.views} tabs={VIEWS} />;

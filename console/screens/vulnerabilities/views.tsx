import { Tabs } from '../../parts/tabs.tsx';
import { texts } from '../../texts.ts';

const { label, each, advisories, fixes } = texts.vulnerability.views;

export const VulnerabilityViews = () => (
  <Tabs
    label={label}
    tabs={[
      { path: '/vulnerabilities', title: each },
      { path: '/advisories', title: advisories },
      { path: '/fixes', title: fixes },
    ]}
  />
);

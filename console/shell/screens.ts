import type { IconName } from '../parts/icon.tsx';
import { texts } from '../texts.ts';

type Screen = { path: string; title: string; icon: IconName };

/** The screens in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { path: '/', title: texts.screens.home, icon: 'home' },
  { path: '/findings', title: texts.screens.findings, icon: 'findings' },
  { path: '/vulnerabilities', title: texts.screens.vulnerabilities, icon: 'vulnerabilities' },
  { path: '/assets', title: texts.screens.assets, icon: 'assets' },
  { path: '/imports', title: texts.screens.imports, icon: 'imports' },
];

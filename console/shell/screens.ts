import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { isStaff } from '../staff.ts';
import { texts } from '../texts.ts';

/** The page of a screen, and that of one of its records at `/path/:id`. */
export type ScreenParts = { List: ComponentType; Page?: ComponentType };

export type Screen = {
  path: string;
  title: string;
  icon: IconName;
  /** Its part of the navigation; a screen without one is a view of another, which is marked for it. */
  group?: keyof typeof texts.groups;
  under?: string;
  /** At the bottom of a phone; the others are behind "More". */
  isOnPhone?: true;
  /** For the provider's staff, who have no other screens. */
  isForStaff?: true;
  load: () => Promise<{ parts: ScreenParts }>;
};

const { screens: titles } = texts;

/** The screens in the order of the navigation. Each is a file of its own, which comes when the screen is opened. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    title: titles.home,
    icon: 'home',
    group: 'first',
    isOnPhone: true,
    load: () => import('../screens/home/home.tsx'),
  },
  {
    path: '/findings',
    title: titles.findings,
    icon: 'findings',
    group: 'first',
    isOnPhone: true,
    load: () => import('../screens/findings/findings.tsx'),
  },
  {
    path: '/vulnerabilities',
    title: titles.vulnerabilities,
    icon: 'vulnerabilities',
    group: 'first',
    load: () => import('../screens/vulnerabilities/vulnerabilities.tsx'),
  },
  {
    path: '/advisories',
    title: titles.advisories,
    icon: 'vulnerabilities',
    under: '/vulnerabilities',
    load: () => import('../screens/vulnerabilities/advisories.tsx'),
  },
  {
    path: '/fixes',
    title: titles.fixes,
    icon: 'wrench',
    under: '/vulnerabilities',
    load: () => import('../screens/vulnerabilities/fixes.tsx'),
  },
  {
    path: '/assets',
    title: titles.assets,
    icon: 'assets',
    group: 'first',
    isOnPhone: true,
    load: () => import('../screens/assets/assets.tsx'),
  },
  {
    path: '/imports',
    title: titles.imports,
    icon: 'imports',
    group: 'first',
    load: () => import('../screens/imports/imports.tsx'),
  },
  {
    path: '/remediations',
    title: titles.remediations,
    icon: 'wrench',
    group: 'exposure',
    load: () => import('../screens/remediations/remediations.tsx'),
  },
  {
    path: '/tickets',
    title: titles.tickets,
    icon: 'ticket',
    group: 'exposure',
    load: () => import('../screens/tickets/tickets.tsx'),
  },
  {
    path: '/exposed-credentials',
    title: titles.credentials,
    icon: 'key',
    group: 'exposure',
    load: () => import('../screens/credentials/credentials.tsx'),
  },
  {
    path: '/applications',
    title: titles.applications,
    icon: 'layers',
    group: 'exposure',
    load: () => import('../screens/applications/applications.tsx'),
  },
  {
    path: '/compliance',
    title: titles.compliance,
    icon: 'clipboard',
    group: 'exposure',
    load: () => import('../screens/compliance/compliance.tsx'),
  },
  {
    path: '/controls',
    title: titles.controls,
    icon: 'clipboard',
    under: '/compliance',
    load: () => import('../screens/compliance/controls.tsx'),
  },
  {
    path: '/alerts',
    title: titles.alerts,
    icon: 'bell',
    group: 'respond',
    load: () => import('../screens/alerts/alerts.tsx'),
  },
  {
    path: '/incidents',
    title: titles.incidents,
    icon: 'shield',
    group: 'respond',
    load: () => import('../screens/incidents/incidents.tsx'),
  },
  {
    path: '/detections',
    title: titles.detections,
    icon: 'target',
    group: 'respond',
    load: () => import('../screens/detections/detections.tsx'),
  },
  {
    path: '/logs',
    title: titles.logs,
    icon: 'logs',
    group: 'respond',
    load: () => import('../screens/logs/logs.tsx'),
  },
  {
    path: '/log-sources',
    title: titles.logSources,
    icon: 'logs',
    under: '/logs',
    load: () => import('../screens/logs/sources.tsx'),
  },
  {
    path: '/engagements',
    title: titles.engagements,
    icon: 'calendar',
    group: 'scan',
    load: () => import('../screens/engagements/engagements.tsx'),
  },
  {
    path: '/scanners',
    title: titles.scanners,
    icon: 'scanner',
    group: 'scan',
    load: () => import('../screens/scanners/scanners.tsx'),
  },
  {
    path: '/scanner-groups',
    title: titles.scannerGroups,
    icon: 'scanner',
    under: '/scanners',
    load: () => import('../screens/scanners/groups.tsx'),
  },
  {
    path: '/campaigns',
    title: titles.campaigns,
    icon: 'target',
    group: 'scan',
    load: () => import('../screens/apex/campaigns.tsx'),
  },
  {
    path: '/apex-tasks',
    title: titles.apexTasks,
    icon: 'target',
    under: '/campaigns',
    load: () => import('../screens/apex/tasks.tsx'),
  },
  {
    path: '/appliances',
    title: titles.appliances,
    icon: 'target',
    under: '/campaigns',
    load: () => import('../screens/apex/appliances.tsx'),
  },
  {
    path: '/scanner-tasks',
    title: titles.scannerTasks,
    icon: 'check',
    group: 'scan',
    load: () => import('../screens/scanners/scanner-tasks.tsx'),
  },
  {
    path: '/branches',
    title: titles.branches,
    icon: 'branch',
    group: 'scan',
    load: () => import('../screens/branches/branches.tsx'),
  },
  {
    path: '/organizations',
    title: titles.clients,
    icon: 'layers',
    group: 'first',
    isForStaff: true,
    isOnPhone: true,
    load: () => import('../screens/clients/clients.tsx'),
  },
  {
    path: '/teams',
    title: titles.teams,
    icon: 'people',
    group: 'organization',
    load: () => import('../screens/teams/teams.tsx'),
  },
  {
    path: '/integrations',
    title: titles.integrations,
    icon: 'plug',
    group: 'organization',
    load: () => import('../screens/integrations/integrations.tsx'),
  },
  {
    path: '/administration',
    title: titles.administration,
    icon: 'settings',
    group: 'organization',
    load: () => import('../screens/administration/administration.tsx'),
  },
  {
    path: '/settings',
    title: titles.settings,
    icon: 'sliders',
    group: 'organization',
    load: () => import('../screens/settings/settings.tsx'),
  },
];

/** The screens of a role. */
export const screensOf = (role: string): readonly Screen[] =>
  SCREENS.filter(({ isForStaff = false }) => isForStaff === isStaff(role));

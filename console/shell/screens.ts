import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { isStaff } from '../staff.ts';
import { texts } from '../texts.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

/** The page of a screen, and that of one of its records at `/path/:id`; `ahead` asks for what the page shows first. */
export type ScreenParts = { List: ComponentType; Page?: ComponentType; ahead?: () => void };

export type Screen = {
  path: string;
  title: string;
  icon: IconName;
  /** Its part of the navigation; a screen without one is a view of another, which is marked for it. */
  group?: keyof typeof texts.groups;
  under?: string;
  /** At the bottom of a phone; the others are behind "More". */
  isOnPhone?: true;
  load: () => Promise<{ parts: ScreenParts }>;
};

const { screens: titles } = texts;

/** The screens of an organization in the order of the navigation. Each is a file of its own, which comes when the screen is opened. */
const OWN_SCREENS: readonly Screen[] = [
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
    path: '/merges',
    title: titles.merges,
    icon: 'layers',
    under: '/assets',
    load: () => import('../screens/assets/merges.tsx'),
  },
  {
    path: '/inventory',
    title: titles.inventory,
    icon: 'layers',
    under: '/assets',
    load: () => import('../screens/assets/inventory.tsx'),
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
    path: '/ticket-rules',
    title: titles.ticketRules,
    icon: 'ticket',
    under: '/tickets',
    load: () => import('../screens/tickets/rules.tsx'),
  },
  {
    path: '/exposed-credentials',
    title: titles.credentials,
    icon: 'key',
    group: 'exposure',
    load: () => import('../screens/credentials/credentials.tsx'),
  },
  {
    path: '/identities',
    title: titles.identities,
    icon: 'people',
    group: 'exposure',
    load: () => import('../screens/identities/identities.tsx'),
  },
  {
    path: '/applications',
    title: titles.applications,
    icon: 'layers',
    group: 'exposure',
    load: () => import('../screens/applications/applications.tsx'),
  },
  {
    path: '/reports',
    title: titles.reports,
    icon: 'logs',
    group: 'exposure',
    load: () => import('../screens/reports/reports.tsx'),
  },
  {
    path: '/report-schedules',
    title: titles.reportSchedules,
    icon: 'logs',
    under: '/reports',
    load: () => import('../screens/reports/schedules.tsx'),
  },
  {
    path: '/open',
    title: titles.openList,
    icon: 'logs',
    under: '/reports',
    load: () => import('../screens/reports/open-list.tsx'),
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
    path: '/calendar',
    title: titles.calendar,
    icon: 'calendar',
    under: '/engagements',
    load: () => import('../screens/engagements/calendar.tsx'),
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
    path: '/agents',
    title: titles.agents,
    icon: 'assets',
    under: '/scanners',
    load: () => import('../screens/scanners/agents.tsx'),
  },
  {
    path: '/zones',
    title: titles.zones,
    icon: 'layers',
    under: '/scanners',
    load: () => import('../screens/scanners/zones.tsx'),
  },
  {
    path: '/scan-credentials',
    title: titles.scanCredentials,
    icon: 'key',
    under: '/scanners',
    load: () => import('../screens/scanners/scan-credentials.tsx'),
  },
  {
    path: '/pools',
    title: titles.pools,
    icon: 'scanner',
    under: '/scanners',
    load: () => import('../screens/scanners/pools.tsx'),
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
    path: '/repositories',
    title: titles.repositories,
    icon: 'branch',
    under: '/branches',
    load: () => import('../screens/branches/repositories.tsx'),
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

export const SCREENS: readonly Screen[] = [...OWN_SCREENS, ...STAFF_SCREENS];

/** The screens of a role: staff of the provider have their own. */
export const screensOf = (role: string): readonly Screen[] => (isStaff(role) ? STAFF_SCREENS : OWN_SCREENS);

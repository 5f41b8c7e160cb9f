import type { Area } from '../area.ts';
import { agentRoutes } from './agents/routes.ts';
import { engagementCalendarRoutes } from './engagement-calendar/routes.ts';
import { engagementWorkRoutes } from './engagement-work/routes.ts';
import { engagementRoutes } from './engagements/routes.ts';
import { linkRoutes } from './link/routes.ts';
import { publicScannerGroupRoutes } from './public-scanner-groups/routes.ts';
import { publicScannerRoutes } from './public-scanners/routes.ts';
import { scanCredentialRoutes } from './scan-credentials/routes.ts';
import { scannerCommunicationRoutes } from './scanner-communication/routes.ts';
import { scannerGroupRoutes } from './scanner-groups/routes.ts';
import { scannerRoutes } from './scanners/routes.ts';

export const scanningAreas = [
  {
    name: 'agents',
    routes: agentRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./agents/index.ts'),
  },
  {
    name: 'engagement-calendar',
    routes: engagementCalendarRoutes,
    load: () => import('./engagement-calendar/index.ts'),
  },
  {
    name: 'engagement-work',
    routes: engagementWorkRoutes,
    needs: { sends: ['engagements'], bucket: 'read' },
    load: () => import('./engagement-work/index.ts'),
  },
  {
    name: 'engagements',
    routes: engagementRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./engagements/index.ts'),
  },
  { name: 'link', routes: linkRoutes, load: () => import('./link/index.ts') },
  {
    name: 'public-scanner-groups',
    routes: publicScannerGroupRoutes,
    load: () => import('./public-scanner-groups/index.ts'),
  },
  {
    name: 'public-scanners',
    routes: publicScannerRoutes,
    load: () => import('./public-scanners/index.ts'),
  },
  {
    name: 'scan-credentials',
    routes: scanCredentialRoutes,
    needs: { sealingKey: true },
    load: () => import('./scan-credentials/index.ts'),
  },
  {
    name: 'scanner-communication',
    routes: scannerCommunicationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./scanner-communication/index.ts'),
  },
  {
    name: 'scanner-groups',
    routes: scannerGroupRoutes,
    load: () => import('./scanner-groups/index.ts'),
  },
  { name: 'scanners', routes: scannerRoutes, load: () => import('./scanners/index.ts') },
] satisfies Area[];

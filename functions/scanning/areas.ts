import type { Areas } from '../area.ts';
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

export const scanningAreas = {
  agents: {
    routes: agentRoutes,
    load: () => import('./agents/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'engagement-calendar': { routes: engagementCalendarRoutes, load: () => import('./engagement-calendar/index.ts') },
  'engagement-work': {
    routes: engagementWorkRoutes,
    load: () => import('./engagement-work/index.ts'),
    needs: { sends: ['engagements', 'mail'], bucket: 'read' },
  },
  engagements: {
    routes: engagementRoutes,
    load: () => import('./engagements/index.ts'),
    needs: { sends: ['engagements'] },
  },
  link: { routes: linkRoutes, load: () => import('./link/index.ts') },
  'public-scanner-groups': { routes: publicScannerGroupRoutes, load: () => import('./public-scanner-groups/index.ts') },
  'public-scanners': { routes: publicScannerRoutes, load: () => import('./public-scanners/index.ts') },
  'scan-credentials': {
    routes: scanCredentialRoutes,
    load: () => import('./scan-credentials/index.ts'),
    needs: { sealingKey: true },
  },
  'scanner-communication': {
    routes: scannerCommunicationRoutes,
    load: () => import('./scanner-communication/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'scanner-groups': { routes: scannerGroupRoutes, load: () => import('./scanner-groups/index.ts') },
  scanners: { routes: scannerRoutes, load: () => import('./scanners/index.ts') },
} satisfies Areas;

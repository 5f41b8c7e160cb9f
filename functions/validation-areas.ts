import { agentRoutes } from './agents/routes.ts';
import { apexApplianceRoutes } from './apex-appliances/routes.ts';
import { apexCampaignRoutes } from './apex-campaigns/routes.ts';
import { apexCommunicationRoutes } from './apex-communication/routes.ts';
import { apexIntelRoutes } from './apex-intel/routes.ts';
import { apexLlmRoutes } from './apex-llm/routes.ts';
import { apexTaskRoutes } from './apex-tasks/routes.ts';
import type { Area } from './area.ts';
import { engagementCalendarRoutes } from './engagement-calendar/routes.ts';
import { engagementWorkRoutes } from './engagement-work/routes.ts';
import { engagementRoutes } from './engagements/routes.ts';
import { linkRoutes } from './link/routes.ts';
import { publicApexRoutes } from './public-apex/routes.ts';
import { publicScannerGroupRoutes } from './public-scanner-groups/routes.ts';
import { publicScannerRoutes } from './public-scanners/routes.ts';
import { remediationScanRoutes } from './remediation-scans/routes.ts';
import { scanCredentialRoutes } from './scan-credentials/routes.ts';
import { scannerCommunicationRoutes } from './scanner-communication/routes.ts';
import { scannerGroupRoutes } from './scanner-groups/routes.ts';
import { scannerRoutes } from './scanners/routes.ts';

/** The areas of the tests of targets: engagements, and the machines and appliances that carry them out. */
export const validationAreas = [
  {
    name: 'agents',
    routes: agentRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./agents/index.ts'),
  },
  {
    name: 'apex-appliances',
    routes: apexApplianceRoutes,
    needs: { sends: ['apex'] },
    load: () => import('./apex-appliances/index.ts'),
  },
  {
    name: 'apex-campaigns',
    routes: apexCampaignRoutes,
    needs: { sends: ['apex'] },
    load: () => import('./apex-campaigns/index.ts'),
  },
  {
    name: 'apex-communication',
    routes: apexCommunicationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./apex-communication/index.ts'),
  },
  {
    name: 'apex-intel',
    routes: apexIntelRoutes,
    needs: { bucket: 'read' },
    load: () => import('./apex-intel/index.ts'),
  },
  {
    name: 'apex-llm',
    routes: apexLlmRoutes,
    needs: { sends: ['completions'], bucket: 'write', sealingKey: true },
    load: () => import('./apex-llm/index.ts'),
  },
  {
    name: 'apex-tasks',
    routes: apexTaskRoutes,
    needs: { bucket: 'write' },
    load: () => import('./apex-tasks/index.ts'),
  },
  {
    name: 'scan-credentials',
    routes: scanCredentialRoutes,
    needs: { sealingKey: true },
    load: () => import('./scan-credentials/index.ts'),
  },
  {
    name: 'engagements',
    routes: engagementRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./engagements/index.ts'),
  },
  {
    name: 'engagement-work',
    routes: engagementWorkRoutes,
    needs: { sends: ['engagements'], bucket: 'read' },
    load: () => import('./engagement-work/index.ts'),
  },
  {
    name: 'engagement-calendar',
    routes: engagementCalendarRoutes,
    load: () => import('./engagement-calendar/index.ts'),
  },
  { name: 'link', routes: linkRoutes, load: () => import('./link/index.ts') },
  { name: 'public-apex', routes: publicApexRoutes, load: () => import('./public-apex/index.ts') },
  {
    name: 'public-scanner-groups',
    routes: publicScannerGroupRoutes,
    load: () => import('./public-scanner-groups/index.ts'),
  },
  { name: 'public-scanners', routes: publicScannerRoutes, load: () => import('./public-scanners/index.ts') },
  {
    name: 'remediation-scans',
    routes: remediationScanRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./remediation-scans/index.ts'),
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
] as const satisfies readonly Area[];

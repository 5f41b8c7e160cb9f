import { apexApplianceRoutes } from '#functions/apex/apex-appliances/routes.ts';
import { apexCampaignRoutes } from '#functions/apex/apex-campaigns/routes.ts';
import { apexCommunicationRoutes } from '#functions/apex/apex-communication/routes.ts';
import { apexIntelRoutes } from '#functions/apex/apex-intel/routes.ts';
import { apexLlmRoutes } from '#functions/apex/apex-llm/routes.ts';
import { apexTaskRoutes } from '#functions/apex/apex-tasks/routes.ts';
import { publicApexRoutes } from '#functions/apex/public-apex/routes.ts';
import type { Area } from '#functions/area.ts';
import { remediationScanRoutes } from '#functions/findings/remediation-scans/routes.ts';
import { agentRoutes } from '#functions/scanning/agents/routes.ts';
import { engagementCalendarRoutes } from '#functions/scanning/engagement-calendar/routes.ts';
import { engagementWorkRoutes } from '#functions/scanning/engagement-work/routes.ts';
import { engagementRoutes } from '#functions/scanning/engagements/routes.ts';
import { linkRoutes } from '#functions/scanning/link/routes.ts';
import { publicScannerGroupRoutes } from '#functions/scanning/public-scanner-groups/routes.ts';
import { publicScannerRoutes } from '#functions/scanning/public-scanners/routes.ts';
import { scanCredentialRoutes } from '#functions/scanning/scan-credentials/routes.ts';
import { scannerCommunicationRoutes } from '#functions/scanning/scanner-communication/routes.ts';
import { scannerGroupRoutes } from '#functions/scanning/scanner-groups/routes.ts';
import { scannerRoutes } from '#functions/scanning/scanners/routes.ts';

/** The areas of the tests of targets: engagements, and the machines and appliances that carry them out. */
export const validationAreas = [
  {
    name: 'agents',
    routes: agentRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/scanning/agents/index.ts'),
  },
  {
    name: 'apex-appliances',
    routes: apexApplianceRoutes,
    needs: { sends: ['apex'] },
    load: () => import('#functions/apex/apex-appliances/index.ts'),
  },
  {
    name: 'apex-campaigns',
    routes: apexCampaignRoutes,
    needs: { sends: ['apex'] },
    load: () => import('#functions/apex/apex-campaigns/index.ts'),
  },
  {
    name: 'apex-communication',
    routes: apexCommunicationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/apex/apex-communication/index.ts'),
  },
  {
    name: 'apex-intel',
    routes: apexIntelRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/apex/apex-intel/index.ts'),
  },
  {
    name: 'apex-llm',
    routes: apexLlmRoutes,
    needs: { sends: ['completions'], bucket: 'write', sealingKey: true },
    load: () => import('#functions/apex/apex-llm/index.ts'),
  },
  {
    name: 'apex-tasks',
    routes: apexTaskRoutes,
    needs: { bucket: 'write' },
    load: () => import('#functions/apex/apex-tasks/index.ts'),
  },
  {
    name: 'scan-credentials',
    routes: scanCredentialRoutes,
    needs: { sealingKey: true },
    load: () => import('#functions/scanning/scan-credentials/index.ts'),
  },
  {
    name: 'engagements',
    routes: engagementRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('#functions/scanning/engagements/index.ts'),
  },
  {
    name: 'engagement-work',
    routes: engagementWorkRoutes,
    needs: { sends: ['engagements'], bucket: 'read' },
    load: () => import('#functions/scanning/engagement-work/index.ts'),
  },
  {
    name: 'engagement-calendar',
    routes: engagementCalendarRoutes,
    load: () => import('#functions/scanning/engagement-calendar/index.ts'),
  },
  { name: 'link', routes: linkRoutes, load: () => import('#functions/scanning/link/index.ts') },
  { name: 'public-apex', routes: publicApexRoutes, load: () => import('#functions/apex/public-apex/index.ts') },
  {
    name: 'public-scanner-groups',
    routes: publicScannerGroupRoutes,
    load: () => import('#functions/scanning/public-scanner-groups/index.ts'),
  },
  {
    name: 'public-scanners',
    routes: publicScannerRoutes,
    load: () => import('#functions/scanning/public-scanners/index.ts'),
  },
  {
    name: 'remediation-scans',
    routes: remediationScanRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('#functions/findings/remediation-scans/index.ts'),
  },
  {
    name: 'scanner-communication',
    routes: scannerCommunicationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/scanning/scanner-communication/index.ts'),
  },
  {
    name: 'scanner-groups',
    routes: scannerGroupRoutes,
    load: () => import('#functions/scanning/scanner-groups/index.ts'),
  },
  { name: 'scanners', routes: scannerRoutes, load: () => import('#functions/scanning/scanners/index.ts') },
] as const satisfies readonly Area[];

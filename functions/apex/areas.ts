import type { Area } from '../area.ts';
import { apexApplianceRoutes } from './apex-appliances/routes.ts';
import { apexCampaignRoutes } from './apex-campaigns/routes.ts';
import { apexCommunicationRoutes } from './apex-communication/routes.ts';
import { apexIntelRoutes } from './apex-intel/routes.ts';
import { apexLlmRoutes } from './apex-llm/routes.ts';
import { apexTaskRoutes } from './apex-tasks/routes.ts';
import { publicApexRoutes } from './public-apex/routes.ts';

export const apexAreas = [
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
  { name: 'public-apex', routes: publicApexRoutes, load: () => import('./public-apex/index.ts') },
] satisfies Area[];

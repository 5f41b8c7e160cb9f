import type { Areas } from '../area.ts';
import { apexApplianceRoutes } from './apex-appliances/routes.ts';
import { apexCampaignRoutes } from './apex-campaigns/routes.ts';
import { apexCommunicationRoutes } from './apex-communication/routes.ts';
import { apexIntelRoutes } from './apex-intel/routes.ts';
import { apexLlmRoutes } from './apex-llm/routes.ts';
import { apexTaskRoutes } from './apex-tasks/routes.ts';
import { publicApexRoutes } from './public-apex/routes.ts';

export const apexAreas = {
  'apex-appliances': {
    routes: apexApplianceRoutes,
    load: () => import('./apex-appliances/index.ts'),
    needs: { sends: ['apex'] },
  },
  'apex-campaigns': {
    routes: apexCampaignRoutes,
    load: () => import('./apex-campaigns/index.ts'),
    needs: { sends: ['apex', 'mail'] },
  },
  'apex-communication': {
    routes: apexCommunicationRoutes,
    load: () => import('./apex-communication/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'apex-intel': { routes: apexIntelRoutes, load: () => import('./apex-intel/index.ts'), needs: { bucket: 'read' } },
  'apex-llm': {
    routes: apexLlmRoutes,
    load: () => import('./apex-llm/index.ts'),
    needs: { sends: ['completions'], bucket: 'write', sealingKey: true },
  },
  'apex-tasks': {
    routes: apexTaskRoutes,
    load: () => import('./apex-tasks/index.ts'),
    needs: { sends: ['mail'], bucket: 'write' },
  },
  'public-apex': { routes: publicApexRoutes, load: () => import('./public-apex/index.ts') },
} satisfies Areas;

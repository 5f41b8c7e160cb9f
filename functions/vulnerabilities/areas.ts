import type { Areas } from '../area.ts';
import { exposedCredentialRoutes } from './exposed-credentials/routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';
import { vulnerabilityUpdateRoutes } from './vulnerability-updates/routes.ts';

export const vulnerabilityAreas = {
  vulnerabilities: {
    routes: vulnerabilityRoutes,
    load: () => import('./vulnerabilities/index.ts'),
    needs: { sends: ['ingest', 'exports'], bucket: 'read' },
  },
  'vulnerability-updates': {
    routes: vulnerabilityUpdateRoutes,
    load: () => import('./vulnerability-updates/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'exposed-credentials': {
    routes: exposedCredentialRoutes,
    load: () => import('./exposed-credentials/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
} satisfies Areas;

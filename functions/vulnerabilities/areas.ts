import type { Area } from '../area.ts';
import { exposedCredentialRoutes } from './exposed-credentials/routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';
import { vulnerabilityUpdateRoutes } from './vulnerability-updates/routes.ts';

export const vulnerabilityAreas = [
  {
    name: 'vulnerabilities',
    routes: vulnerabilityRoutes,
    needs: { sends: ['ingest', 'exports'], bucket: 'read' },
    load: () => import('./vulnerabilities/index.ts'),
  },
  {
    name: 'vulnerability-updates',
    routes: vulnerabilityUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./vulnerability-updates/index.ts'),
  },
  {
    name: 'exposed-credentials',
    routes: exposedCredentialRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./exposed-credentials/index.ts'),
  },
] satisfies Area[];

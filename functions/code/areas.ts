import type { Area } from '../area.ts';
import { codeBranchRoutes } from './code-branches/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export const codeAreas = [
  {
    name: 'code-branches',
    routes: codeBranchRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./code-branches/index.ts'),
  },
  {
    name: 'integrations',
    routes: integrationRoutes,
    needs: { sends: ['hosts', 'webhooks'], sealingKey: true },
    load: () => import('./integrations/index.ts'),
  },
  {
    name: 'repositories',
    routes: repositoryRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('./repositories/index.ts'),
  },
  {
    name: 'webhooks',
    routes: webhookRoutes,
    needs: { sends: ['billing', 'ticketing', 'webhooks'], bucket: 'write', sealingKey: true, billingSecret: true },
    load: () => import('./webhooks/index.ts'),
  },
] satisfies Area[];

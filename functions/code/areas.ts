import type { Areas } from '../area.ts';
import { codeBranchRoutes } from './code-branches/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export const codeAreas = {
  'code-branches': {
    routes: codeBranchRoutes,
    load: () => import('./code-branches/index.ts'),
    needs: { sends: ['engagements'] },
  },
  integrations: {
    routes: integrationRoutes,
    load: () => import('./integrations/index.ts'),
    needs: { sends: ['hosts', 'webhooks'], sealingKey: true },
  },
  repositories: {
    routes: repositoryRoutes,
    load: () => import('./repositories/index.ts'),
    needs: { sends: ['ingest', 'views'] },
  },
  webhooks: {
    routes: webhookRoutes,
    load: () => import('./webhooks/index.ts'),
    needs: { sends: ['billing', 'ticketing', 'webhooks'], bucket: 'write', sealingKey: true, billingSecret: true },
  },
} satisfies Areas;

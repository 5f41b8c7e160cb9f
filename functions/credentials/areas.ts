import type { Areas } from '../area.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { tokenRoutes } from './token/routes.ts';

export const credentialAreas = {
  credentials: {
    routes: credentialRoutes,
    load: () => import('./credentials/index.ts'),
    needs: { sends: ['ingest', 'mail'] },
  },
  token: { routes: tokenRoutes, load: () => import('./token/index.ts'), needs: { signingKey: 'sign' } },
} satisfies Areas;

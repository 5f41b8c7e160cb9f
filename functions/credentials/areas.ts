import type { Area } from '../area.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { tokenRoutes } from './token/routes.ts';

export const credentialAreas = [
  { name: 'credentials', routes: credentialRoutes, load: () => import('./credentials/index.ts') },
  {
    name: 'token',
    routes: tokenRoutes,
    needs: { signingKey: 'sign' },
    load: () => import('./token/index.ts'),
  },
] satisfies Area[];

import type { Areas } from '../area.ts';
import { intakeRoutes } from './intake/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { scimRoutes } from './scim/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { teamRoutes } from './teams/routes.ts';
import { userRoutes } from './users/routes.ts';

export const peopleAreas = {
  intake: {
    routes: intakeRoutes,
    load: () => import('./intake/index.ts'),
    needs: { challenges: true, sends: ['ingest', 'mail'], bucket: 'write' },
  },
  organizations: {
    routes: organizationRoutes,
    load: () => import('./organizations/index.ts'),
    needs: { sends: ['ingest', 'mail', 'maintenance', 'views'], bucket: 'write' },
  },
  roles: { routes: roleRoutes, load: () => import('./roles/index.ts') },
  scim: { routes: scimRoutes, load: () => import('./scim/index.ts'), needs: { sends: ['mail'] } },
  'sign-in': {
    routes: signInRoutes,
    load: () => import('./sign-in/index.ts'),
    needs: { sends: ['mail'], sealingKey: true },
  },
  teams: { routes: teamRoutes, load: () => import('./teams/index.ts'), needs: { sends: ['ingest'], bucket: 'write' } },
  users: {
    routes: userRoutes,
    load: () => import('./users/index.ts'),
    needs: { sends: ['ingest', 'mail'], sealingKey: true },
  },
} satisfies Areas;

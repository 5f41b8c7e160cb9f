import type { Areas } from '../area.ts';
import { intakeRoutes } from './intake/routes.ts';

export const peopleAreas = {
  intake: { routes: intakeRoutes, load: () => import('./intake/index.ts'), needs: { challenges: true } },
} satisfies Areas;

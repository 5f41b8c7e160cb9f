import type { Areas } from '../area.ts';
import { detectionRuleRoutes } from './detection-rules/routes.ts';
import { integratorCommunicationRoutes } from './integrator-communication/routes.ts';
import { siemRoutes } from './siem/routes.ts';
import { siemSearchRoutes } from './siem-search/routes.ts';
import { socAlertRoutes } from './soc-alerts/routes.ts';
import { socIncidentRoutes } from './soc-incidents/routes.ts';
import { socResponseActionRoutes } from './soc-response-actions/routes.ts';

export const socAreas = {
  'detection-rules': {
    routes: detectionRuleRoutes,
    load: () => import('./detection-rules/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  siem: { routes: siemRoutes, load: () => import('./siem/index.ts'), needs: { sends: ['siem'], bucket: 'write' } },
  'siem-search': {
    routes: siemSearchRoutes,
    load: () => import('./siem-search/index.ts'),
    needs: { sends: ['exports'], bucket: 'read' },
  },
  'soc-alerts': {
    routes: socAlertRoutes,
    load: () => import('./soc-alerts/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'soc-incidents': {
    routes: socIncidentRoutes,
    load: () => import('./soc-incidents/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  'soc-response-actions': { routes: socResponseActionRoutes, load: () => import('./soc-response-actions/index.ts') },
  'integrator-communication': {
    routes: integratorCommunicationRoutes,
    load: () => import('./integrator-communication/index.ts'),
    needs: { sends: ['ingest', 'views'], bucket: 'write', sealingKey: true },
  },
} satisfies Areas;

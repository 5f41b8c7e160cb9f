import type { Area } from '../area.ts';
import { detectionRuleRoutes } from './detection-rules/routes.ts';
import { integratorCommunicationRoutes } from './integrator-communication/routes.ts';
import { siemRoutes } from './siem/routes.ts';
import { socAlertRoutes } from './soc-alerts/routes.ts';
import { socIncidentRoutes } from './soc-incidents/routes.ts';
import { socResponseActionRoutes } from './soc-response-actions/routes.ts';

export const socAreas = [
  {
    name: 'detection-rules',
    routes: detectionRuleRoutes,
    load: () => import('./detection-rules/index.ts'),
  },
  {
    name: 'siem',
    routes: siemRoutes,
    needs: { sends: ['siem'], bucket: 'write' },
    load: () => import('./siem/index.ts'),
  },
  {
    name: 'soc-alerts',
    routes: socAlertRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./soc-alerts/index.ts'),
  },
  {
    name: 'soc-incidents',
    routes: socIncidentRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./soc-incidents/index.ts'),
  },
  {
    name: 'soc-response-actions',
    routes: socResponseActionRoutes,
    load: () => import('./soc-response-actions/index.ts'),
  },
  {
    name: 'integrator-communication',
    routes: integratorCommunicationRoutes,
    needs: { sends: ['ingest', 'views'], bucket: 'write', sealingKey: true },
    load: () => import('./integrator-communication/index.ts'),
  },
] satisfies Area[];

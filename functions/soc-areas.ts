import type { Area } from '#functions/area.ts';
import { identityRoutes } from '#functions/assets/identities/routes.ts';
import { detectionRuleRoutes } from '#functions/soc/detection-rules/routes.ts';
import { siemRoutes } from '#functions/soc/siem/routes.ts';
import { socAlertRoutes } from '#functions/soc/soc-alerts/routes.ts';
import { socIncidentRoutes } from '#functions/soc/soc-incidents/routes.ts';
import { socResponseActionRoutes } from '#functions/soc/soc-response-actions/routes.ts';

/** The areas of events, alerts, incidents, the accounts that they concern and the rules that make alerts, for the contract of all areas. */
export const socAreas = [
  {
    name: 'soc-alerts',
    routes: socAlertRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/soc/soc-alerts/index.ts'),
  },
  {
    name: 'soc-incidents',
    routes: socIncidentRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/soc/soc-incidents/index.ts'),
  },
  {
    name: 'soc-response-actions',
    routes: socResponseActionRoutes,
    load: () => import('#functions/soc/soc-response-actions/index.ts'),
  },
  {
    name: 'detection-rules',
    routes: detectionRuleRoutes,
    load: () => import('#functions/soc/detection-rules/index.ts'),
  },
  { name: 'identities', routes: identityRoutes, load: () => import('#functions/assets/identities/index.ts') },
  {
    name: 'siem',
    routes: siemRoutes,
    needs: { sends: ['siem'], bucket: 'write' },
    load: () => import('#functions/soc/siem/index.ts'),
  },
] satisfies Area[];

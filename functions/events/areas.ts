import type { Areas } from '../area.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/routes.ts';

export const eventAreas = {
  deliveries: {
    routes: deliveryRoutes,
    load: () => import('./deliveries/index.ts'),
    needs: { sends: ['deliveries', 'hosts', 'ticketing'] },
  },
  events: { routes: eventRoutes, load: () => import('./events/index.ts') },
  notifications: {
    routes: notificationRoutes,
    load: () => import('./notifications/index.ts'),
    needs: { sends: ['deliveries'], sealingKey: true },
  },
  'webhook-endpoints': {
    routes: webhookEndpointRoutes,
    load: () => import('./webhook-endpoints/index.ts'),
    needs: { sends: ['deliveries'], sealingKey: true },
  },
} satisfies Areas;

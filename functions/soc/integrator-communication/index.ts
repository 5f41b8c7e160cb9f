import { areaHandler } from '#shared/platform/http/area.ts';
import { integratorCommunicationHandlers } from './handlers.ts';
import { integratorCommunicationRoutes } from './routes.ts';

export const handler = areaHandler(integratorCommunicationRoutes, integratorCommunicationHandlers);

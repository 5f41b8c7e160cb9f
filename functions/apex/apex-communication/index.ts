import { areaHandler } from '#shared/platform/http/area.ts';
import { apexCommunicationHandlers } from './handlers.ts';
import { apexCommunicationRoutes } from './routes.ts';

export const handler = areaHandler(apexCommunicationRoutes, apexCommunicationHandlers);

import { areaHandler } from '#shared/platform/http/area.ts';
import { apexLlmHandlers } from './handlers.ts';
import { apexLlmRoutes } from './routes.ts';

export const handler = areaHandler(apexLlmRoutes, apexLlmHandlers);

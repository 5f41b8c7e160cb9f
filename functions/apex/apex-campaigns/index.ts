import { areaHandler } from '#shared/platform/http/area.ts';
import { apexCampaignHandlers } from './handlers.ts';
import { apexCampaignRoutes } from './routes.ts';

export const handler = areaHandler(apexCampaignRoutes, apexCampaignHandlers);

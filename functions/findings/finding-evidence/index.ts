import { areaHandler } from '#shared/platform/http/area.ts';
import { findingEvidenceHandlers } from './handlers.ts';
import { findingEvidenceRoutes } from './routes.ts';

export const handler = areaHandler(findingEvidenceRoutes, findingEvidenceHandlers);

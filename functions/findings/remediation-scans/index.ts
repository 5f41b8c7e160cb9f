import { areaHandler } from '#shared/platform/http/area.ts';
import { remediationScanRoutes } from './routes.ts';
import { verifyRemediation } from './verify-remediation.ts';

export const handler = areaHandler(remediationScanRoutes, { verifyRemediation });

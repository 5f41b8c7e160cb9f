import type { Handlers } from '#shared/platform/http/route.ts';
import { REFERENCE_FILES, serveFile } from './files.ts';
import { referenceRoutes } from './routes.ts';

/** The page loads nothing from other origins, even if its script tries. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const { getApiDocument, getReferencePage, getReferenceScript } = referenceRoutes;

export const referenceHandlers: Handlers<typeof referenceRoutes> = {
  // Web pages of other origins may read the document: it is public and holds no data of an organization.
  getApiDocument: (call) =>
    serveFile(call, {
      name: REFERENCE_FILES.document,
      ...getApiDocument.response,
      headers: { 'access-control-allow-origin': '*' },
    }),
  getReferencePage: (call) =>
    serveFile(call, { name: REFERENCE_FILES.page, ...getReferencePage.response, headers: pageHeaders }),
  getReferenceScript: (call) => serveFile(call, { name: REFERENCE_FILES.script, ...getReferenceScript.response }),
};

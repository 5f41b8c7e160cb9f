import type { Handlers } from '#shared/http/route.ts';
import { REFERENCE_FILES, serveFile } from './files.ts';
import { referenceRoutes } from './routes.ts';

/** The page loads nothing from anywhere else, whatever its program would like to. */
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
  // Tools that run in a browser elsewhere may read the document: it is public and says nothing about anybody.
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

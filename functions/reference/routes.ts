import { defineRoutes } from '#shared/http/route.ts';

export const referenceRoutes = defineRoutes({
  getApiDocument: {
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'Get this interface as an OpenAPI 3.1 document',
    access: 'public',
    response: { contentType: 'application/json; charset=utf-8' },
  },
  getReferencePage: {
    method: 'GET',
    path: '/docs',
    summary: 'Get the API reference as a web page',
    access: 'public',
    response: { contentType: 'text/html; charset=utf-8' },
  },
  getReferenceScript: {
    method: 'GET',
    path: '/docs/scalar.js',
    summary: 'Get the script of the API reference',
    access: 'public',
    response: { contentType: 'text/javascript; charset=utf-8' },
  },
});

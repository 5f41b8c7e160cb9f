import * as z from 'zod';
import { defineRoutes, get } from '#shared/platform/http/route.ts';

const OpenApiDocument = z
  .looseObject({
    openapi: z.string().meta({ example: '3.1.0' }),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()),
    components: z.looseObject({}),
  })
  .meta({ id: 'OpenApiDocument' });

export const referenceRoutes = defineRoutes({
  getApiDocument: get('/api/v1/openapi.json', {
    summary: 'Get this interface as an OpenAPI 3.1 document',
    description:
      'Web pages of any origin may read the document. It may be cached for five minutes and is compressed for clients that accept ' +
      'gzip.',
    access: 'public',
    response: { contentType: 'application/json; charset=utf-8', schema: OpenApiDocument },
  }),
  getReferencePage: get('/docs', {
    summary: 'Get the API reference as a web page',
    description: 'The page shows `/api/v1/openapi.json` and loads nothing from other origins.',
    access: 'public',
    response: { contentType: 'text/html; charset=utf-8' },
  }),
  getReferenceScript: get('/docs/scalar.js', {
    summary: 'Get the script of the API reference',
    description:
      'Only `/docs` needs the script. The script has 3.5 MB, so accept gzip. It may be cached for five minutes.',
    access: 'public',
    response: { contentType: 'text/javascript; charset=utf-8' },
  }),
});

import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Area } from '#functions/area.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { closeBodies, requireNeeded } from './closed.ts';
import { eventRequests } from './events.ts';
import { groups } from './groups.ts';
import { introduction } from './introduction.ts';
import { withLinks } from './links.ts';
import { operationOf } from './operation.ts';
import { overrides } from './overrides.ts';
import { plainForGenerators } from './plain.ts';
import { schemasOfResults, withResults } from './tasks.ts';
import { type ApiDocument, tidy } from './tidy.ts';

/** The OpenAPI 3.1 document of the whole interface, made from the routes. */
export function apiDocument(areas: readonly Area[]): ApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Security exposure management',
        version: VERSION,
        description: introduction(openedScopes(areas)),
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'the service that serves this document' }],
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
      paths: pathsOf(areas),
      components: {
        schemas: schemasOfResults,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'an API key, or an access token from `POST /api/v1/oauth/token`',
          },
          basic: {
            type: 'http',
            scheme: 'basic',
            description: '`client_id` and `client_secret`, only at the token endpoint',
          },
        },
      },
    },
    { override: overrides },
  );
  const plain = plainForGenerators(withResults(withLinks(requireNeeded(closeBodies(tidy(document))))));
  return { ...plain, webhooks: eventRequests() };
}

const openedScopes = (areas: readonly Area[]): ReadonlySet<string> =>
  new Set(
    areas
      .flatMap(({ routes }) => Object.values(routes))
      .flatMap(({ access }) => (typeof access === 'string' ? [] : [access.scope ?? []].flat())),
  );

function pathsOf(areas: readonly Area[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const { name: area, routes } of areas)
    for (const [name, route] of Object.entries(routes)) {
      const method = route.method.toLowerCase();
      paths[route.path] = { ...paths[route.path], [method]: operationOf(name, area, route) };
    }
  return paths;
}

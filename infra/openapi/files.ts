import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Area } from '#functions/area.ts';
import { REFERENCE_FILES } from '#functions/platform/reference/files.ts';
import { referenceRoutes } from '#functions/platform/reference/routes.ts';
import { zipped } from '#shared/platform/runtime/gzip.ts';
import { apiDocument } from './document.ts';

/** The built page alone: its sources would bring 260 packages along (docs/decisions/0110). */
const scalar = fileURLToPath(
  new URL('../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', import.meta.url),
);

/** Switches off all features that load from other origins or send data there. */
const pageOptions = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'bearer' },
  operationTitleSource: 'summary',
  defaultOpenAllTags: false,
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference: security exposure management</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-url="${referenceRoutes.getApiDocument.path}"
  data-configuration="${JSON.stringify(pageOptions).replaceAll('"', '&quot;')}"></script>
<script src="${referenceRoutes.getReferenceScript.path}"></script>
</body>
</html>
`;

/** Writes the compressed files that `functions/platform/reference` serves. */
export async function writeReferenceFiles(directory: string, areas: readonly Area[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const files = {
    [REFERENCE_FILES.document]: JSON.stringify(apiDocument(areas)),
    [REFERENCE_FILES.page]: page,
    [REFERENCE_FILES.script]: await readFile(scalar, 'utf8'),
  };
  await Promise.all(
    Object.entries(files).map(async ([name, content]) =>
      writeFile(join(directory, `${name}.gz`), await zipped(content)),
    ),
  );
}

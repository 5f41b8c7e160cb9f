import { fileURLToPath } from 'node:url';

/** The file of a package. Bundles have another form of this function (fontsBeside in infra/bundle/plugins.ts). */
export const addressOf = (file: string): string => fileURLToPath(import.meta.resolve(file));

import type { AssetIdentity } from '#shared/assets/asset/asset.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';

/** A VEX document whose statements decide on findings, in its last version. `suppressedBy` of a finding has its id. */
export type StatedRow = {
  id: string;
  author: string;
  /** The author is the tool that made the document, so that other documents of this name have other authors. */
  isTool?: true | undefined;
  version?: string | undefined;
  at?: string | undefined;
  /** The import that brought this version. */
  taskId: string;
  /** The target of that import: the document decides only there. */
  target?: AssetIdentity | undefined;
};

export const statedDocuments = defineRow<StatedRow, Pick<StatedRow, 'id'>>({
  name: 'stated-document',
  about: 'a VEX document that decides on findings: its author, and the import that brought its last version',
  key: ({ id }) => [id],
});

/** The same with its statements, gzipped JSON. */
export type KeptRow = StatedRow & { statements: Uint8Array };

export const keptDocuments = defineRow<KeptRow, Pick<KeptRow, 'id'>>({
  name: 'stated-later',
  about: 'the statements of a VEX document, for findings that come later',
  key: ({ id }) => ['all', id],
});

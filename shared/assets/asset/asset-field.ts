/** One row of the table of an asset's fields (`assetFields`): who sets the field, and the effects of its change. */
export type AssetField = {
  /**
   * `person`: people and reports may set it. `source`: a scanner, a report or an agent that knows the asset now sets
   * it. `report`: a report or an agent brought it. `system`: it follows from other records.
   */
  saidBy: 'person' | 'source' | 'report' | 'system';
  /**
   * The value of the asset that stays after a merge. `own`: its own. `known`: its own, otherwise the other asset's.
   * `union`: both, by the field's rule in `union.ts`. `inventory`: both, by `inventory/merged.ts`.
   */
  merge: 'own' | 'known' | 'union' | 'inventory';
  /** Conditions of rules ask for it, or its value follows from rules: its change brings the asset to its rules again. */
  rules: boolean;
  /** The field identifies the machine: its change compares the asset with others again. */
  identity: boolean;
  /** Change feed and history report old and new `value`, or only the `name`; `quiet` changes are in no history. */
  feed: 'value' | 'name' | 'quiet';
  /**
   * The API answers the field. A text: the API answers the field of that name instead, which is made from this field.
   */
  shown: boolean | string;
};

const stamp = {
  saidBy: 'system',
  merge: 'own',
  rules: false,
  identity: false,
  feed: 'name',
  shown: true,
} as const satisfies AssetField;

/** Fields that identify the asset. */
export const naming = {
  ...stamp,
  saidBy: 'report',
  rules: true,
  identity: true,
  feed: 'value',
} as const satisfies AssetField;
/** Fields that reports and agents bring as lists, from several sources. */
export const listing = { ...stamp, saidBy: 'report', merge: 'inventory' } as const satisfies AssetField;
export const sighted = { ...stamp, saidBy: 'report', merge: 'union', feed: 'quiet' } as const satisfies AssetField;
/** Fields that follow from the rules, and that the API does not answer. */
export const ruled = { ...stamp, rules: true, shown: false } as const satisfies AssetField;

/** The fields that every record has. */
export const stampFields = { id: stamp, version: stamp, createdAt: stamp, updatedAt: stamp, createdBy: stamp };

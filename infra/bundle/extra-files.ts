/** Files that a function reads at run time: they are packed beside its bundle, by the function's name. */
export type ExtraFiles = () => Promise<Record<string, string | Uint8Array>>;

export const extraFiles: Record<string, ExtraFiles> = {};

import { hasShape } from '../../readers/shape.ts';

/** Yarn 4.0 and Bun write the registry's answer to a question by package. */
export const isByPackage = (head: string): boolean => hasShape(head, '*.[].vulnerable_versions');

type Names<P> = P extends readonly unknown[] ? number : P extends object ? keyof P & string : never;
type In<P, K> = P extends readonly (infer E)[] ? E : P extends object ? (K extends keyof P ? P[K] : never) : never;

type Paths<P> = {
  <A extends Names<P>>(a: A): [A];
  <A extends Names<P>, B extends Names<In<P, A>>>(a: A, b: B): [A, B];
  <A extends Names<P>, B extends Names<In<P, A>>, C extends Names<In<In<P, A>, B>>>(a: A, b: B, c: C): [A, B, C];
  <
    A extends Names<P>,
    B extends Names<In<P, A>>,
    C extends Names<In<In<P, A>, B>>,
    D extends Names<In<In<In<P, A>, B>, C>>,
  >(
    ...path: [A, B, C, D]
  ): [A, B, C, D];
};

/**
 * Paths into a payload by the types of its vendor: a field that the vendor does not have does not compile. The types promise nothing of
 * what comes, which hosts of any age send: it is read as if each field may be missing.
 */
export const pathsOf = <P>(): Paths<P> => ((...path: string[]) => path) as Paths<P>;

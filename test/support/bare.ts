/** An answer without the links of its figures, which test/http/figures.test.ts follows. */
export const bare = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_name, value) => {
    const { links, ...rest } = Object(value);
    return links?.list ? rest : value;
  });

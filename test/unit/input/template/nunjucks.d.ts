/** The part of nunjucks that the tests use for comparison. */
declare module 'nunjucks' {
  const nunjucks: {
    Environment: new (
      loader: null,
      options: { autoescape: boolean },
    ) => { renderString(template: string, data: object): string };
  };
  export default nunjucks;
}

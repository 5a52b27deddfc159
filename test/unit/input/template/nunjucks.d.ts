/** The part of nunjucks that the tests compare with. */
declare module 'nunjucks' {
  const nunjucks: {
    Environment: new (
      loader: null,
      options: { autoescape: boolean },
    ) => { renderString(template: string, data: object): string };
  };
  export default nunjucks;
}

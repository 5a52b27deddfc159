/** Types for nunjucks' parser, which its type definitions do not contain. */
declare module 'nunjucks/src/parser.js' {
  const parser: {
    parse(
      source: string,
      extensions: readonly never[],
      options: {
        trimBlocks: boolean;
        lstripBlocks: boolean;
        tags: { variableStart: string; variableEnd: string };
      },
    ): unknown;
  };
  export default parser;
}

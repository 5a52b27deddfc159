/** The package has no types. */
declare module '@webref/idl' {
  const webref: { readonly parseAll: () => Promise<Readonly<Record<string, readonly unknown[]>>> };
  export default webref;
}

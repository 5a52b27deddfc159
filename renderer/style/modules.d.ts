/** What Vite makes of files that are no programs. */
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.css';
declare module '*?url' {
  const address: string;
  export default address;
}

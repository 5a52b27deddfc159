/** Modules that Vite creates from files other than scripts. */
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.css';
declare module '*?url' {
  const address: string;
  export default address;
}

/** Declares the modules that Vite creates from files other than scripts. */
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*.css';
declare module '*?url' {
  const url: string;
  export default url;
}

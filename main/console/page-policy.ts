/** The content security policy of the user interface, in a browser and in the desktop window. */
export const pagePolicy = [
  "default-src 'none'",
  // pdf.js decodes some image formats in WebAssembly.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

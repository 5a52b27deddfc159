/** Stands for the package electron in tests that run outside of Electron and do not call it. */
export const app = undefined;
export const BrowserWindow = undefined;
export const ipcRenderer = undefined;
export const nativeImage = undefined;
export const net = undefined;
export const protocol = undefined;
export const session = undefined;
export const webFrame = undefined;

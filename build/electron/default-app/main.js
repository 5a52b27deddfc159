/** Replaces Electron's default app: loads the application whose path is on the command line. */

const { app } = require('electron');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

run(process.argv.slice(1));

/** @param {string[]} args */
function run(args) {
  const named = args.find((arg) => !arg.startsWith('-'));
  if (!named && args.includes('--version')) return print(`v${process.versions.electron}`);
  if (!named) return fail('Name an application: electron <folder or file>');
  load(path.resolve(named)).catch((error) => fail(error.stack));
}

/** @param {string} place a folder with a package.json, or a script */
async function load(place) {
  const folder = fs.statSync(place).isDirectory();
  const description = folder ? read(path.join(place, 'package.json')) : {};
  app.setAppPath(folder ? place : path.dirname(place));
  if (description.version) app.setVersion(description.version);
  if (description.productName || description.name) app.setName(description.productName || description.name);
  if (description.desktopName) app.setDesktopName(description.desktopName);
  const script = folder ? path.resolve(place, description.main || 'index.js') : place;
  // CommonJS is loaded synchronously, because an application can register schemes only before Electron is ready.
  if (isModule(script, description)) await import(pathToFileURL(script).href);
  else require(script);
}

/** @param {string} script @param {{ type?: string }} description */
function isModule(script, description) {
  return script.endsWith('.mjs') || (script.endsWith('.js') && description.type === 'module');
}

/** @param {string} file */
function read(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
  app.exit(0);
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  app.exit(1);
}
